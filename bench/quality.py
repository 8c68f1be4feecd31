"""How well are the answers of judged sets found? `trilith eval` over several, with all modes.

usage: python bench/quality.py [SET ...] [--keep FOLDER] [--against FILE]

A set is a folder with `corpus.jsonl` (or `vault/`), `queries.jsonl` and `qrels.tsv`, or the name of a built-in one; those of the
repository and all that are built in are always measured. Writes `results/quality.json`, `results/quality-run.json` (for
`trilith eval --against`) and the table of `README.md`. `rrf` is the plain fusion of the two lists, beside which the ranking
of `hybrid` has to stand.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from machine import RESULTS, load, surroundings
from report import write_readme
from trilith.evaluation.sets import find_sets

MODES = "hybrid,rrf,weighted,fulltext,semantic"
HERE = Path(__file__).parent
ALWAYS = (*find_sets([]), HERE.parent / "sample", HERE / "sets" / "rust-book")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--keep", type=Path, help="Keep notes and indexes here, so that nothing is embedded again.")
    parser.add_argument("--against", type=Path, help="A saved run that this one is held against.")
    asked = parser.parse_args()
    found = {
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": load(),
        **evaluated([*asked.sets, *map(str, ALWAYS)], asked.keep, asked.against),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "quality.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_readme()


def evaluated(sets: Sequence[str], keep: Path | None, against: Path | None) -> Any:
    options = ["--modes", MODES, "--json", "--save", str(RESULTS / "quality-run.json")]
    for name, value in (("--keep", keep), ("--against", against)):
        options += [] if value is None else [name, str(value)]
    command = [sys.executable, "-m", "trilith", "eval", *sets, *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


if __name__ == "__main__":
    main()
