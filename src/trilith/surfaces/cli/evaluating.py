"""`trilith eval`."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from trilith.errors import InvalidInput
from trilith.surfaces.cli import options, show
from trilith.surfaces.cli.progress import bars
from trilith.surfaces.cli.terminal import answer, answer_json

SetFolder = Annotated[
    Path, typer.Argument(metavar="SET_DIR", help="Folder with corpus.jsonl, queries.jsonl and qrels.tsv.")
]
Modes = Annotated[
    str, typer.Option("--modes", metavar="NAMES", help="Comma list of hybrid, fulltext, semantic and rrf.")
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="Ask only the first N queries.")]
Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="DIR", help="Keep notes and index here, so that the next run need not embed again."),
]


def evaluate(
    set_dir: SetFolder,
    *,
    modes: Modes = "hybrid,fulltext,semantic",
    limit: Limit = None,
    keep: Keep = None,
    json: options.AsJson = False,
) -> None:
    """Measure the quality of search on a judged set of queries."""
    from trilith.evaluation import run, sets

    wanted = tuple(name.strip() for name in modes.split(",") if name.strip())
    run.check_modes(wanted)
    judged = sets.read_set(set_dir)
    if limit is not None:
        if limit < 1:
            raise InvalidInput(f"'limit' must be a whole number from 1, not {limit}.", field="limit")
        judged = dataclasses.replace(judged, queries=judged.queries[:limit])
    with tempfile.TemporaryDirectory(prefix="trilith-eval-") as passing, bars() as progress:
        figures = run.evaluate(judged, wanted, keep / judged.name if keep else Path(passing), progress)
    if json:
        answer_json(figures)
        return
    for line in show.figures(figures):
        answer(line)
