"""Everything that one vault of a given size costs, from the first index to eight clients at once.

usage: python bench/core.py [--notes 5000] [--seed 1] [--embed-seconds 60] [--work FOLDER] [--briefly]

Makes the vault (`make_vault.py`), then runs `indexing.py`, `latency.py`, `serving.py`, `handshake.py` and `footprint.py`, each
in a process of its own, and writes `results/core-NOTES.json` and the tables of `README.md`. The way is the same for every
size. `--briefly` leaves out the doors: what is left is the index and the searches in process.

With `--work` the vault and its index are kept, and so is every figure as soon as it is there: a run that was cut goes on
behind its last whole stage. After a run that came to its end the next one measures everything anew but the making of the
vault, of the index and of the vectors; to measure these anew, too, remove the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from machine import RESULTS, commit, load, surroundings
from make_vault import write_vault
from report import write_readme

HERE = Path(__file__).parent
SECOND_STARTS = 3
MEASURED = "measured"
"""Folder of the figures that the next run measures anew."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Stages:
    """Figures by the name of their stage, each kept in `folder` when it is there."""

    folder: Path

    def of(self, name: str, work: Callable[[], Json]) -> Json:
        """What the stage found, in this run or in one before that was cut."""
        place = self.folder / f"{name}.json"
        if not place.exists():
            note(name)
            begun = time.perf_counter()
            figures = {"commit": commit(), **work(), "stage_seconds": round(time.perf_counter() - begun, 1)}
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = place.with_suffix(".tmp")
            draft.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
            draft.replace(place)
        found: Json = json.loads(place.read_text(encoding="utf-8"))
        return found

    def forget(self) -> None:
        shutil.rmtree(self.folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--embed-seconds", type=float, default=60.0)
    parser.add_argument("--work", type=Path, help="Keep everything in this folder.")
    parser.add_argument("--briefly", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trilith-bench-") as passing:
        work = (asked.work or Path(passing)).resolve()
        figures = {
            "notes": asked.notes,
            "seed": asked.seed,
            "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
            "surroundings": surroundings(),
            "load": {"before": load()},
            **everything(work, asked.notes, asked.seed, asked.embed_seconds, briefly=asked.briefly),
        }
        figures["load"]["after"] = load()
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"core-{asked.notes}.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        write_readme()
        Stages(work / MEASURED).forget()


def everything(work: Path, notes: int, seed: int, embed_seconds: float, *, briefly: bool) -> Json:
    """Figures by stage."""
    vault, home = work / "vault", work / "home"
    places, seeded = (str(vault), str(home)), ("--seed", str(seed))
    made, measured = Stages(work / "made"), Stages(work / MEASURED)
    found = {
        "vault": made.of("vault", lambda: new_vault(vault, notes, seed)),
        "first_index": made.of("first_index", lambda: first_index(vault, home)),
        "vectors": made.of("vectors", lambda: run("indexing.py", "vectors", *places, "--seconds", str(embed_seconds))),
        "second_start": measured.of("second_start", lambda: second_start(vault, home)),
        "latency": measured.of("latency", lambda: run("latency.py", *places, *seeded)),
    }
    if not briefly:
        found |= {
            "serving": measured.of("serving", lambda: run("serving.py", *places, *seeded)),
            "handshake": measured.of(
                "handshake", lambda: run("handshake.py", str(vault), "--home", str(home), "--rounds", "5")
            ),
            "footprint": measured.of("footprint", lambda: run("footprint.py")),
        }
    return found


def new_vault(vault: Path, notes: int, seed: int) -> Json:
    shutil.rmtree(vault, ignore_errors=True)
    write_vault(vault, notes, seed)
    return {"notes": notes, "mb": megabytes(vault)}


def first_index(vault: Path, home: Path) -> Json:
    shutil.rmtree(home, ignore_errors=True)
    return run("indexing.py", "first", str(vault), str(home))


def second_start(vault: Path, home: Path) -> Json:
    """The median of several."""
    runs = [run("indexing.py", "again", str(vault), str(home)) for _ in range(SECOND_STARTS)]
    return {**middle(runs, "seconds"), "index_mb": megabytes(home)}


def run(script: str, *arguments: str) -> Json:
    """What a benchmark prints, as JSON."""
    note(f"{script} {' '.join(arguments)}")
    command = [sys.executable, str(HERE / script), *arguments]
    found: Json = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found


def note(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} load {os.getloadavg()[0]:.1f}: {what}", file=sys.stderr)


def megabytes(folder: Path) -> float:
    """What the files of a folder hold."""
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20, 1)


def middle(runs: list[Json], figure: str) -> Json:
    """The run with the median of a figure."""
    wanted = median(found[figure] for found in runs)
    return next(found for found in runs if found[figure] == wanted)


if __name__ == "__main__":
    main()
