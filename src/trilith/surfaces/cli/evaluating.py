"""`trilith eval`."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trilith.errors import InvalidInput
from trilith.surfaces.cli import figures, options
from trilith.surfaces.cli.progress import bars
from trilith.surfaces.cli.terminal import answer, answer_json

if TYPE_CHECKING:
    from trilith.evaluation.sets import JudgedSet

Sets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SETS",
        help="Folders with corpus.jsonl (or vault/), queries.jsonl and qrels.tsv, folders of such, or names of built-in sets. "
        "Default: all that are built in.",
    ),
]
Modes = Annotated[
    str, typer.Option("--modes", metavar="NAMES", help="Comma list of hybrid, fulltext, semantic, rrf and weighted.")
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="Ask only the first N queries of each set.")]
Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="DIR", help="Keep notes and index here, so that the next run need not embed again."),
]
Dump = Annotated[
    Path | None,
    typer.Option("--dump", metavar="FILE", help="Write every query with its answer here, a line of JSON each."),
]
Save = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Keep the measures of every query here, for `--against`.")
]
Against = Annotated[
    Path | None,
    typer.Option(
        "--against",
        metavar="FILE",
        help="A saved run: how much better this one is, with the 95 % interval (bootstrap).",
    ),
]


def evaluate(
    set_names: Sets = None,
    *,
    modes: Modes = "hybrid,fulltext,semantic",
    limit: Limit = None,
    keep: Keep = None,
    dump: Dump = None,
    save: Save = None,
    against: Against = None,
    json: options.AsJson = False,
) -> None:
    """Measure the quality of search on judged sets of queries."""
    from trilith.evaluation import run, runfile, sets
    from trilith.evaluation.report import report

    wanted = tuple(name.strip() for name in modes.split(",") if name.strip())
    run.check_modes(wanted)
    before = None if against is None else runfile.read(against)
    judged = [_first(sets.read_set(folder), limit) for folder in sets.find_sets(set_names or [])]
    with tempfile.TemporaryDirectory(prefix="trilith-eval-") as passing, bars() as progress:
        work = keep or Path(passing)
        evaluations = [run.evaluate(each, wanted, work / each.name, progress) for each in judged]
    if dump is not None:
        runfile.dump(dump, evaluations)
    if save is not None:
        runfile.save(save, runfile.measures(evaluations))
    found = report(evaluations, before)
    if json:
        answer_json(found)
        return
    for line in figures.evaluation(found):
        answer(line)


def _first(judged: JudgedSet, limit: int | None) -> JudgedSet:
    if limit is None:
        return judged
    if limit < 1:
        raise InvalidInput(f"'limit' must be a whole number from 1, not {limit}.", field="limit")
    return dataclasses.replace(judged, queries=judged.queries[:limit])
