"""Runs a judged set: its notes through the real index, its queries through the real search."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from trilith.app import App
from trilith.errors import InvalidInput, InvalidMode
from trilith.evaluation import metrics
from trilith.evaluation.corpus import write_notes
from trilith.evaluation.sets import JudgedQuery, JudgedSet
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query, Ranking
from trilith.ports.surroundings import Progress, ProgressSink
from trilith.settings import load
from trilith.wiring import open_app

MODES: Mapping[str, tuple[Mode, Ranking]] = {
    "hybrid": (Mode.HYBRID, Ranking.CALIBRATED),
    "fulltext": (Mode.FULLTEXT, Ranking.CALIBRATED),
    "semantic": (Mode.SEMANTIC, Ranking.CALIBRATED),
    "rrf": (Mode.HYBRID, Ranking.PURE),
}
"""`rrf` fuses the two lists of `hybrid` and nothing else, as a base line for it."""
DEFAULT_MODES = ("hybrid", "fulltext", "semantic")

WARM_UP = "something to load whatever is loaded on first use"

Search = Callable[[str], list[str]]


def check_modes(modes: Sequence[str]) -> None:
    """Raises `InvalidMode` for a mode that cannot be measured, and for none at all."""
    if not modes:
        raise InvalidMode(f"No search mode is named. Valid modes: {', '.join(MODES)}", field="modes")
    for mode in modes:
        if mode not in MODES:
            raise InvalidMode(f"Unknown search mode '{mode}'. Valid modes: {', '.join(MODES)}", field="modes")


def evaluate(judged: JudgedSet, modes: Sequence[str], folder: Path, progress: ProgressSink) -> dict[str, Any]:
    """`{set, notes, queries, modes: {mode: figures}}`; `measure` tells the figures.

    `folder` takes the notes (`vault/`) and the index (`home/`). Raises `InvalidInput` when other notes are there
    already, `InvalidMode`, and `Unavailable` when the model is needed and cannot be used.
    """
    check_modes(modes)
    vault, settings = folder / "vault", load(home=folder / "home")
    document_of = write_notes(judged.name, judged.documents, vault)
    with open_app(settings, [vault]) as app:
        _index(app, progress, embed=any(MODES[mode][0] is not Mode.FULLTEXT for mode in modes))
        documents = app.reporter.status(app.gate.filter(Principal())).documents
        if documents != len(document_of):
            raise InvalidInput(f"'{vault}' holds {documents} notes instead of {len(document_of)}; use an empty folder.")
    figures = {}
    for mode in modes:
        with open_app(settings, [vault]) as app:  # anew, for an embedder remembers queries that it has seen
            figures[mode] = measure(_asked(app, mode, document_of), judged.queries, mode, progress)
    return {"set": judged.name, "notes": len(document_of), "queries": len(judged.queries), "modes": figures}


def measure(search: Search, queries: Sequence[JudgedQuery], mode: str, progress: ProgressSink) -> dict[str, float]:
    """Means over the queries, and milliseconds that half and 95 % of the searches did not exceed.

    `search` takes a query and gives document ids, best first.
    """
    answers: list[tuple[list[str], Mapping[str, float]]] = []
    milliseconds: list[float] = []
    search(WARM_UP)
    for done, query in enumerate(queries, start=1):
        begun = time.perf_counter()
        answers.append((search(query.text), query.relevance))
        milliseconds.append((time.perf_counter() - begun) * 1000.0)
        progress(Progress(mode, done, len(queries)))
    return {
        "ndcg10": round(fmean(metrics.ndcg(*answer) for answer in answers), 4),
        "recall10": round(fmean(metrics.recall(*answer) for answer in answers), 4),
        "mrr": round(fmean(metrics.reciprocal_rank(*answer) for answer in answers), 4),
        "success1": round(fmean(metrics.success(*answer) for answer in answers), 4),
        "p50_ms": round(metrics.percentile(milliseconds, 0.50), 2),
        "p95_ms": round(metrics.percentile(milliseconds, 0.95), 2),
    }


def _index(app: App, progress: ProgressSink, *, embed: bool) -> None:
    bring = app.indexer.complete if embed else app.indexer.refresh
    for library in app.gate.libraries():
        bring(library, progress)


def _asked(app: App, mode: str, document_of: Mapping[str, str]) -> Search:
    engines, ranking = MODES[mode]
    filter = app.gate.filter(Principal())

    def search(text: str) -> list[str]:
        query = Query(text=text, filter=filter, mode=engines, ranking=ranking, limit=metrics.DEPTH)
        return [document_of[hit.entry.id] for hit in app.searcher.search(query).hits]

    return search
