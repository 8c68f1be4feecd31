"""How well are the answers of judged sets found? `trilith eval` over several, with all modes.

usage: python bench/quality.py SET_DIR [SET_DIR ...] [--keep FOLDER]

A set is a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. Writes `results/quality.json` and the table of
`README.md`. `rrf` is the plain fusion of the two lists, beside which the ranking of `hybrid` has to stand.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from machine import RESULTS, load, surroundings
from report import write_readme

MODES = "hybrid,rrf,fulltext,semantic"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--keep", type=Path, help="Keep notes and indexes here, so that nothing is embedded again.")
    asked = parser.parse_args()
    found = {
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": load(),
        "sets": [evaluated(folder, asked.keep) for folder in asked.sets],
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "quality.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_readme()


def evaluated(folder: Path, keep: Path | None) -> Any:
    kept = [] if keep is None else ["--keep", str(keep)]
    command = [sys.executable, "-m", "trilith", "eval", str(folder), "--modes", MODES, "--json", *kept]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


if __name__ == "__main__":
    main()
