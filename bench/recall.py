"""What a large library gains and loses by inverted lists, beside the exact scan of the same rows.

usage: python bench/recall.py HOME [--rows 600000] [--queries 100] [--work FOLDER] [--seed 1]

The rows are the vectors of the largest library of HOME, which is only read, and blurred copies of them (`indexing.blurred`), note
by note, so that notes have as many chunks as they have there. Queries are further copies that are no rows, and questions
in words (`sets/rust-book`), which lie far from all rows. A filter lets a share of the notes pass, of all of the
library, or of one topic: those whose first chunks are most like each other. Recall is the part of the best 10, or 100, notes of
the exact scan that the lists find, too. Every query asks for as many notes as a search does.

Milliseconds of CPU are those of all threads; `p50_ms` and `p95_ms` are wall times, which other work on the machine makes longer.
Writes `results/recall.json` and its table in `README.md`. Some minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexing import blurred
from machine import RESULTS, load, memory, quantiles, surroundings
from report import write_readme
from trilith.embedding.local import LocalEmbedder
from trilith.index.vector.header import parse_header
from trilith.index.vector.index import VectorIndex
from trilith.index.vector.plan import LARGE
from trilith.index.vector.rows import RowStore, Snapshot
from trilith.index.vector.tending import Builder
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import POOL, Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, VectorItem

QUESTIONS = Path(__file__).parent / "sets" / "rust-book" / "queries.jsonl"
LIBRARY = "bench"
EVERYTHING = Filter(scopes=(Scope(library=LIBRARY),))
SHARES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.01)
TOPIC = 0.2
NOTES_AT_A_TIME = 2_000
BUILD_SECONDS = 3600.0
SCANNED = 50
"""Queries by which the scan is timed; all serve as the measure of recall."""

Json = dict[str, Any]


class Passing:
    """The answer of a catalog."""

    nums: NDArray[np.int64] | None = None

    def __call__(self, _: Filter) -> Allowed:
        return Allowed(nums=self.nums, total=0)


def largest(home: Path) -> Snapshot:
    found: list[Snapshot] = []
    for place in (home / "index" / "vectors").rglob("header.json"):
        header = parse_header(place.read_bytes())
        assert header is not None
        snapshot = RowStore(place.parent, header.library, header.model, header.width).snapshot()
        assert snapshot is not None
        found.append(snapshot)
    return max(found, key=lambda snapshot: snapshot.ranges.rows)


def copies(real: Snapshot, rows: int, random: np.random.Generator) -> Iterator[VectorItem]:
    """Notes of so many rows in all, at least."""
    num, made = 0, 0
    while made < rows:
        for first, count in zip(real.ranges.first.tolist(), real.ranges.count.tolist(), strict=True):
            num += 1
            vectors = blurred(real.vectors[first : first + count], random)
            yield VectorItem(
                num=Num(num), checksum="", ordinals=real.ordinals[first : first + count].copy(), vectors=vectors
            )
            made += count
            if made >= rows:
                return


def fill(index: VectorIndex, items: Iterator[VectorItem]) -> int:
    """The notes that there are then."""
    batch, upto = [], 0
    for item in items:
        batch.append(item)
        upto += 1
        if len(batch) == NOTES_AT_A_TIME:
            index.apply(LIBRARY, Changes(upto=upto, put=tuple(batch)))
            batch = []
    index.apply(LIBRARY, Changes(upto=upto + 1, put=tuple(batch)))
    return upto


def build(folder: Path) -> Json:
    """The lists, made as a server makes them."""
    begun = time.perf_counter()
    builder = Builder(lambda: nullcontext(True), LARGE, 1)
    builder.start(folder)
    assert builder.wait(BUILD_SECONDS)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": round(time.perf_counter() - begun, 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "lists_mb": round(sum(path.stat().st_size for path in folder.glob("*.lists")) / 2**20, 1),
    }


def questions(count: int) -> Floats:
    texts = [json.loads(line)["text"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    embedder = LocalEmbedder()
    embedder.wait(60)
    return np.stack([embedder.embed_query(text) for text in texts[:count]])


def selections(index: Callable[[], Snapshot], random: np.random.Generator) -> dict[str, NDArray[np.int64] | None]:
    ranges, vectors = index().ranges, index().vectors
    made: dict[str, NDArray[np.int64] | None] = {}
    for share in SHARES:
        passing = np.sort(ranges.nums[random.random(len(ranges.nums)) < share])
        made["all notes" if share == 1 else f"{share:.0%} of the notes"] = None if share == 1 else passing
    firsts = vectors[ranges.first].astype(np.float32)
    likeness = firsts @ firsts[random.integers(len(firsts))]
    made[f"a topic of {TOPIC:.0%}"] = np.sort(ranges.nums[likeness >= np.quantile(likeness, 1 - TOPIC)])
    return made


def asked(index: VectorIndex, queries: Floats) -> tuple[list[list[int]], Json]:
    """The notes that each query finds, and what it costs."""
    index.retrieve(queries[0], EVERYTHING, POOL)
    answers, seconds, used = [], [], time.process_time()
    for query in queries:
        begun = time.perf_counter()
        answers.append([int(hit.num) for hit in index.retrieve(query, EVERYTHING, POOL).candidates])
        seconds.append(time.perf_counter() - begun)
    cpu = time.process_time() - used
    return answers, {**quantiles(seconds), "cpu_ms": round(1000 * cpu / len(queries), 2)}


def recall(found: list[list[int]], exact: list[list[int]], depth: int) -> float:
    shares = [
        len({*mine[:depth]} & {*best[:depth]}) / max(1, len(best[:depth]))
        for mine, best in zip(found, exact, strict=True)
    ]
    return round(float(np.mean(shares)), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--rows", type=int, default=600_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--work", type=Path, help="Keep the rows and lists in this folder, which must be new.")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trilith-bench-") as passing:
        figures = everything(chosen.home, chosen.work or Path(passing), chosen.rows, chosen.queries, chosen.seed)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "recall.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    write_readme()


def everything(home: Path, work: Path, rows: int, queries: int, seed: int) -> Json:
    load_before, real, random = load(), largest(home), np.random.default_rng(seed)
    passing = Passing()

    def opened(large: int) -> VectorIndex:
        return VectorIndex(work, real.header.model, real.header.width, passing, large)

    with_lists, scanned = opened(LARGE), opened(2**62)
    notes = fill(with_lists, copies(real, rows, random))
    (folder,) = (place.parent for place in work.rglob("header.json"))
    built = build(folder)
    store = RowStore(folder, LIBRARY, real.header.model, real.header.width)

    def snapshot() -> Snapshot:
        found = store.snapshot()
        assert found is not None
        return found

    near = blurred(real.vectors[random.integers(0, len(real.vectors), queries)], random).astype(np.float32)
    groups = {"passages": near, "questions": questions(queries)}
    chosen = selections(snapshot, random)
    measured: dict[str, Json] = {}
    store = RowStore(folder, LIBRARY, real.header.model, real.header.width)  # lets go of what was mapped
    memory_before = memory(os.getpid())["pss_mb"]
    begun = time.perf_counter()
    opened(LARGE).retrieve(near[0], EVERYTHING, POOL)
    first_ms = round(1000 * (time.perf_counter() - begun), 1)
    found: dict[tuple[str, str], list[list[int]]] = {}
    for name, passing.nums in chosen.items():
        for kind, vectors in groups.items():
            found[name, kind], cost = asked(with_lists, vectors)
            measured.setdefault(name, {}).setdefault(kind, {})["lists"] = cost
    memory_lists = memory(os.getpid())["pss_mb"]
    for name, passing.nums in chosen.items():
        for kind, vectors in groups.items():
            exact, _ = asked(scanned, vectors)
            _, cost = asked(scanned, vectors[:SCANNED])
            here = measured[name][kind]
            here["scan"] = cost
            here["recall10"], here["recall100"] = (recall(found[name, kind], exact, depth) for depth in (10, 100))
    return {
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": {"before": load_before, "after": load()},
        "rows": snapshot().header.rows,
        "notes": notes,
        "queries": {kind: len(vectors) for kind, vectors in groups.items()},
        "build": built,
        "first_search_ms": first_ms,
        "memory": {
            "lists_pss_mb": round(memory_lists - memory_before, 1),
            "scan_pss_mb": round(memory(os.getpid())["pss_mb"] - memory_lists, 1),
        },
        "selections": measured,
    }


if __name__ == "__main__":
    main()
