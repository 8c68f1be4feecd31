"""The neighbourhood of a note: breadth first over links in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trilith.language.excerpt import excerpt
from trilith.model.hits import Diagnostics, Hit, Outcome
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog
from trilith.ports.graph import Graph
from trilith.search.order import contenders, settle

MAX_DEPTH = 3

Neighbours = Callable[[Sequence[Num]], Mapping[Num, tuple[Num, ...]]]


def depths(start: Num, neighbours: Neighbours, deepest: int = MAX_DEPTH) -> dict[Num, int]:
    """Every note within `deepest` links of `start`, at its least depth, without `start` itself."""
    found: dict[Num, int] = {start: 0}
    frontier = [start]
    for depth in range(1, deepest + 1):
        reached = [num for near in neighbours(frontier).values() for num in near]
        frontier = [num for num in dict.fromkeys(reached) if num not in found]
        found.update(dict.fromkeys(frontier, depth))
    del found[start]
    return found


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Answers graph searches."""

    catalog: Catalog
    graph: Graph

    def around(self, start: Entry, filter: Filter, limit: int, deepest: int = MAX_DEPTH) -> Outcome:
        """The notes around `start`, nearest first; the score is 1 / depth.

        The walk goes wherever the caller may look (`filter.scopes`); only `filter.author` decides what is returned.
        Other filters do not apply to walks.
        """
        walk = filter.whole()
        depth = depths(start.num, lambda nums: self.graph.neighbours(nums, walk), deepest)
        scores = {num: 1.0 / steps for num, steps in depth.items()}
        total = len(scores)
        if filter.author is None:
            entries = self.catalog.entries(contenders(scores, limit))
        else:
            wanted = filter.author.casefold()
            known = self.catalog.entries(scores)
            entries = {num: e for num, e in known.items() if (e.metadata.author or "").casefold() == wanted}
            total = len(entries)
        chosen = settle(scores, entries, (), limit)
        texts = self.catalog.bodies(chosen)
        hits = [
            Hit(entry=entries[num], score=scores[num], depth=depth[num], snippet=excerpt(texts.get(num, ""), ()))
            for num in chosen
        ]
        return Outcome(hits=tuple(hits), diagnostics=Diagnostics(), total=total)
