"""Searches that tell a meter how long they took, whichever door they came through."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trilith.app import App
from trilith.model.hits import Outcome
from trilith.model.note import Entry
from trilith.model.query import Filter, Query
from trilith.search.neighbourhood import MAX_DEPTH, Neighbourhood
from trilith.search.searcher import Searcher
from trilith.surfaces.http.meter import Meter


@dataclass(frozen=True, slots=True)
class TimedSearcher(Searcher):
    meter: Meter

    def search(self, query: Query) -> Outcome:
        with self.meter.timed(query.mode.value):
            return Searcher.search(self, query)


@dataclass(frozen=True, slots=True)
class TimedNeighbourhood(Neighbourhood):
    meter: Meter

    def around(self, start: Entry, filter: Filter, limit: int, deepest: int = MAX_DEPTH) -> Outcome:
        with self.meter.timed("graph"):
            return Neighbourhood.around(self, start, filter, limit, deepest)


def timed(app: App, meter: Meter) -> App:
    """`app`, with searches that `meter` measures."""
    plain = app.searcher
    searcher = TimedSearcher(plain.catalog, plain.engines, plain.behind, plain.fusion, plain.reranking, meter)
    neighbourhood = TimedNeighbourhood(app.neighbourhood.catalog, app.neighbourhood.graph, meter)
    return replace(app, searcher=searcher, neighbourhood=neighbourhood)
