"""Runs a judged set: its notes through the real index, its queries through the real search."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from trilith.app import App
from trilith.errors import InvalidInput, InvalidMode
from trilith.evaluation import metrics
from trilith.evaluation.corpus import write_notes
from trilith.evaluation.sets import JudgedQuery, JudgedSet
from trilith.model.principal import Principal
from trilith.model.query import Fusion, Mode, Query, Ranking
from trilith.ports.surroundings import Progress, ProgressSink
from trilith.settings import load
from trilith.wiring import open_app

MODES: Mapping[str, tuple[Mode, Ranking, Fusion | None]] = {
    "hybrid": (Mode.HYBRID, Ranking.CALIBRATED, None),
    "fulltext": (Mode.FULLTEXT, Ranking.CALIBRATED, None),
    "semantic": (Mode.SEMANTIC, Ranking.CALIBRATED, None),
    "rrf": (Mode.HYBRID, Ranking.PURE, None),
    "weighted": (Mode.HYBRID, Ranking.CALIBRATED, Fusion.WEIGHTED),
}
"""`rrf` fuses the two lists of `hybrid` by ranks and nothing else, as a base line for it; `weighted` fuses them by scores."""
DEFAULT_MODES = ("hybrid", "fulltext", "semantic")

WARM_UP = "something to load whatever is loaded on first use"

Answered = list[tuple[str, float]]
"""Document ids with their scores, best first."""
Search = Callable[[str], Answered]


@dataclass(frozen=True, slots=True)
class Measured:
    """One query: what was answered in how many milliseconds, and how good that is, each measure 0..1."""

    query: JudgedQuery
    answered: Answered
    milliseconds: float
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One set: every query of every mode."""

    set: str
    notes: int
    modes: Mapping[str, Sequence[Measured]]


def check_modes(modes: Sequence[str]) -> None:
    """Raises `InvalidMode` for a mode that cannot be measured, and for none at all."""
    if not modes:
        raise InvalidMode(f"No search mode is named. Valid modes: {', '.join(MODES)}", field="modes")
    for mode in modes:
        if mode not in MODES:
            raise InvalidMode(f"Unknown search mode '{mode}'. Valid modes: {', '.join(MODES)}", field="modes")


def evaluate(judged: JudgedSet, modes: Sequence[str], folder: Path, progress: ProgressSink) -> Evaluation:
    """Asks every query in every mode.

    `folder` takes the notes (`vault/`) and the index (`home/`). Raises `InvalidInput` when other notes are there
    already, `InvalidMode`, and `Unavailable` when the model is needed and cannot be used.
    """
    check_modes(modes)
    vault, settings = folder / "vault", load(home=folder / "home")
    document_of = write_notes(judged, vault)
    with open_app(settings, [vault]) as app:
        _index(app, progress, embed=any(MODES[mode][0] is not Mode.FULLTEXT for mode in modes))
        notes = app.reporter.status(app.gate.filter(Principal())).documents
        if judged.vault is None and notes != len(document_of):
            raise InvalidInput(f"'{vault}' holds {notes} notes instead of {len(document_of)}; use an empty folder.")
    asked = {}
    for mode in modes:
        with open_app(settings, [vault]) as app:  # anew, for an embedder remembers queries that it has seen
            asked[mode] = measure(_asking(app, mode, document_of), judged.queries, mode, progress)
    return Evaluation(judged.name, notes, asked)


def measure(search: Search, queries: Sequence[JudgedQuery], mode: str, progress: ProgressSink) -> list[Measured]:
    """Each query with what `search` answers."""
    found: list[Measured] = []
    search(WARM_UP)
    for done, query in enumerate(queries, start=1):
        begun = time.perf_counter()
        answered = search(query.text)
        milliseconds = (time.perf_counter() - begun) * 1000.0
        ranked = [document for document, _ in answered]
        measures = {name: measure(ranked, query.relevance) for name, measure in metrics.MEASURES.items()}
        found.append(Measured(query, answered, milliseconds, measures))
        progress(Progress(mode, done, len(queries)))
    return found


def figures(asked: Sequence[Measured]) -> dict[str, float]:
    """Means over the queries, and milliseconds that half and 95 % of the searches did not exceed."""
    milliseconds = [each.milliseconds for each in asked]
    means = {name: round(fmean(each.measures[name] for each in asked), 4) for name in metrics.MEASURES}
    return means | {
        "p50_ms": round(metrics.percentile(milliseconds, 0.50), 2),
        "p95_ms": round(metrics.percentile(milliseconds, 0.95), 2),
    }


def _index(app: App, progress: ProgressSink, *, embed: bool) -> None:
    for library in app.gate.libraries():
        if embed:
            app.indexer.complete(library, progress)
        else:
            app.indexer.refresh(library, progress)
            app.indexer.feeder.feed_chunks(library.name)


def _asking(app: App, mode: str, document_of: Mapping[str, str]) -> Search:
    engines, ranking, fusion = MODES[mode]
    filter = app.gate.filter(Principal())

    def search(text: str) -> Answered:
        query = Query(text=text, filter=filter, mode=engines, ranking=ranking, fusion=fusion, limit=metrics.DEPTH)
        return [(document_of[hit.entry.path], hit.score) for hit in app.searcher.search(query).hits]

    return search
