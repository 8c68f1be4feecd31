"""Everything that one vault of a given size costs, from the first index to eight clients at once.

usage: python bench/core.py [--notes 5000] [--embed-seconds 60] [--work FOLDER] [--seed 1]

Makes the vault (`make_vault.py`), then runs `indexing.py`, `latency.py`, `serving.py` and `handshake.py`, each in a process
of its own, and writes `results/core-NOTES.json` and the tables of `README.md`. Ten minutes for 5,000 notes on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from machine import RESULTS, load, surroundings
from make_vault import write_vault
from report import write_readme

HERE = Path(__file__).parent
SECOND_STARTS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--embed-seconds", type=float, default=60.0)
    parser.add_argument("--work", type=Path, help="Keep the vault and its index in this folder, which must be new.")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trilith-bench-") as passing:
        work = asked.work or Path(passing)
        figures = everything(asked.notes, asked.embed_seconds, asked.seed, work / "vault", work / "home")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"core-{asked.notes}.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    write_readme()


def everything(notes: int, embed_seconds: float, seed: int, vault: Path, home: Path) -> dict[str, Any]:
    begun, load_before = time.perf_counter(), load()
    write_vault(vault, notes, seed)
    places = (str(vault), str(home))
    figures: dict[str, Any] = {
        "notes": notes,
        "seed": seed,
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
    }
    figures["first_index"] = run("indexing.py", "first", *places, "--embed-seconds", str(embed_seconds))
    figures["index_mb"] = round(sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 2**20, 1)
    figures["second_start"] = middle([run("indexing.py", "again", *places) for _ in range(SECOND_STARTS)], "seconds")
    figures["latency"] = run("latency.py", *places, "--seed", str(seed))
    figures["serving"] = run("serving.py", *places, "--seed", str(seed))
    figures["handshake"] = run("handshake.py", "--rounds", "5", "--settle")
    figures["load"] = {"before": load_before, "after": load()}
    figures["bench_seconds"] = round(time.perf_counter() - begun)
    return figures


def run(script: str, *arguments: str) -> Any:
    """What a benchmark prints, as JSON."""
    print(f"{time.strftime('%H:%M:%S')} load {os.getloadavg()[0]:.1f}: {script} {' '.join(arguments)}", file=sys.stderr)
    command = [sys.executable, str(HERE / script), *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def middle(runs: list[dict[str, Any]], figure: str) -> dict[str, Any]:
    """The run with the median of a figure."""
    wanted = median(found[figure] for found in runs)
    return next(found for found in runs if found[figure] == wanted)


if __name__ == "__main__":
    main()
