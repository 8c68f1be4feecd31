"""Where does the time of a search go, part by part?

usage: python bench/hotspots.py VAULT HOME [--search hybrid] [--rounds 5] [--queries 400] [--rate 400] [--py-spy PATH]

`HOME` holds a finished index of `VAULT`. Runs `latency.py --only SEARCH` under py-spy, which is not among the dependencies
(`uv tool install py-spy`), and looks from outside so many times a second at which line each thread is, running or not. Each
look goes to the first part that fits it; the table goes to `docs/profile.md`. A search by meaning as a part of a hybrid one
runs in a thread of its own, beside full text: its time stands in a column of its own, and adds to that of the search only
where the search waits for it.
"""

from __future__ import annotations

import argparse
import json
import linecache
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import ROOT, load, surroundings
from report import head, put, row, where

PAGE = ROOT / "docs" / "profile.md"
ASKING, BESIDE = "the search", "beside it"
FRAME = re.compile(r"(?P<function>.+) \((?P<file>.+):(?P<line>\d+)\)$")

Json = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    function: str
    file: str
    source: str
    """The line that is being run."""


@dataclass(frozen=True)
class Part:
    """A part of a search: what is run below one of these files, in one of these functions or, innermost, in a line with this
    in it. Empty conditions do not count."""

    name: str
    files: tuple[str, ...]
    functions: tuple[str, ...] = ()
    line: str = ""

    def holds(self, stack: Sequence[Frame]) -> bool:
        frames = stack[-1:] if self.line else stack
        return any(
            any(file in frame.file for file in self.files)
            and (not self.functions or frame.function in self.functions)
            and self.line in frame.source
            for frame in frames
        )


WAITING = "waiting for the other engine"

PARTS = (
    Part(WAITING, ("concurrent/futures/_base.py",), ("result",)),
    Part("embedding the query: the network", ("trilith/embedding/network.py",)),
    Part("embedding the query: its tokens", ("trilith/embedding/tokens.py",)),
    Part("embedding the query: the rest", ("trilith/embedding/",)),
    Part("vectors: kernel, or inverted lists", ("trilith/index/vector/",), ("dot", "cdist", "nearest")),
    Part("vectors: the best notes and chunks of it", ("trilith/index/vector/",)),
    Part("full text: queries run by Tantivy", ("trilith/index/lexical/",), line=".search("),
    Part(
        "full text: is the index whole and the latest",
        ("trilith/index/lexical/shelf.py", "trilith/index/lexical/damage.py"),
    ),
    Part("full text: numbers and dates of what was found", ("trilith/index/lexical/",), line="fast_field_values"),
    Part("full text: how often words occur", ("trilith/index/lexical/",), line="doc_freq"),
    Part("full text: queries made, hits ordered", ("trilith/index/lexical/",)),
    Part("catalog: entries, names, chunks, states", ("trilith/index/catalog/",)),
    Part("snippets", ("trilith/search/dress.py", "trilith/language/excerpt.py")),
    Part("calibration", ("trilith/search/calibrate.py",)),
    Part("calibration: words of the query in the best chunk", ("trilith/search/found.py",), ("coverage", "features")),
    Part("fusion and order", ("trilith/search/fuse.py", "trilith/search/order.py", "trilith/search/found.py")),
    Part("the query's words", ("trilith/language/",)),
    Part("everything else", ("",)),
)


def stacks(raw: Iterable[str]) -> Iterator[tuple[list[Frame], int]]:
    """Py-spy's raw format: a stack a line, outermost frame first, and how often it was seen."""
    for line in raw:
        names, _, count = line.rstrip("\n").rpartition(" ")
        found = [match for name in names.split(";") if (match := FRAME.match(name))]
        yield [frame(match) for match in found], int(count)


def frame(match: re.Match[str]) -> Frame:
    source = linecache.getline(match["file"], int(match["line"])).strip()
    return Frame(match["function"].rpartition(".")[2], match["file"], source)


def thread_of(stack: Sequence[Frame]) -> str | None:
    """Whether a look is at the thread of a search, at the one beside it, or at neither."""
    if any(each.file.endswith("search/searcher.py") for each in stack):
        return ASKING
    return BESIDE if any(each.file.endswith("search/retrieve.py") for each in stack) else None


def part_of(stack: Sequence[Frame]) -> str:
    return next(part.name for part in PARTS if part.holds(stack))


def counted(found: Iterable[tuple[list[Frame], int]]) -> Counter[tuple[str, str]]:
    """Looks by thread and part."""
    counts: Counter[tuple[str, str]] = Counter()
    for stack, count in found:
        if thread := thread_of(stack):
            counts[thread, part_of(stack)] += count
    return counts


def watched(py_spy: str, asked: argparse.Namespace) -> tuple[Counter[tuple[str, str]], Json]:
    """Looks by thread and part, and what `latency.py` said."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        watching = ["--format", "raw", "--idle", "--full-filenames", "--rate", str(asked.rate), "--output", str(raw)]
        measuring = ["--only", asked.search, "--rounds", str(asked.rounds), "--queries", str(asked.queries)]
        latency = [sys.executable, str(Path(__file__).parent / "latency.py"), str(asked.vault), str(asked.home)]
        command = [py_spy, "record", *watching, "--", *latency, *measuring]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        with raw.open(encoding="utf-8") as lines:
            return counted(stacks(lines)), json.loads(next(line for line in said.splitlines() if line.startswith("{")))


def table(counts: Counter[tuple[str, str]], figures: Json, about: Json) -> Iterator[str]:
    """`figures` are those of the search, in milliseconds."""
    yield f"{where(about)}, {about['when']}; load {about['load']}; {counts.total():,} looks"
    yield ""
    times = f"on average {figures['mean_ms']} ms, half of them up to {figures['p50_ms']} ms, CPU {figures['cpu_ms']} ms"
    yield f"A {about['search']} search under py-spy: {times}."
    yield ""
    yield from head("part", "ms of the search", "share", "ms beside it")
    total = sum(count for (thread, _), count in counts.items() if thread == ASKING)
    for part in PARTS:
        own, other = counts[ASKING, part.name], counts[BESIDE, part.name]
        if own or other:
            each = figures["mean_ms"] / total
            yield row(part.name, f"{own * each:.2f}", f"{100 * own / total:.1f} %", f"{other * each:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--search", default="hybrid")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--rate", type=int, default=400)
    parser.add_argument("--py-spy", default=shutil.which("py-spy"))
    asked = parser.parse_args()
    if asked.py_spy is None:
        parser.error("py-spy is not installed")
    counts, said = watched(asked.py_spy, asked)
    about = {
        "surroundings": surroundings(),
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "load": load(),
        "search": asked.search,
    }
    lines = list(table(counts, said["modes"][asked.search], about))
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), "profile", "\n".join(lines)), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
