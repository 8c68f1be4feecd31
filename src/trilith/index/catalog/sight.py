"""Where links lead for one caller: notes that the caller may not see neither answer nor stand in the way.

The catalog keeps each link as it resolves among all notes that are not dismissed. For a caller who sees less, a link
whose target is hidden is unresolved, and of several notes that answer alike, those in sight are chosen among.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import Asked, passes
from trilith.index.catalog.names import folder_of
from trilith.index.catalog.places import notes
from trilith.index.catalog.resolution import Place, preferred
from trilith.model.query import Filter


class Edge(NamedTuple):
    """A link as it was kept. `hit` is None unless several notes answer to it, each with the kind `via`."""

    num: int
    lib: int
    path_key: str
    dest: int | None
    via: int | None
    hit: str | None


EDGE_COLUMNS = "l.num, l.lib, s.path_key, l.dest, l.via, l.hit"
"""Of `links l` and the linking note, `notes s`."""


@dataclass(slots=True)
class Sight:
    """Judges links for one filter. `look_at` fetches what many links need, `targets` then answers for each."""

    connection: Connection
    filter: Filter
    _places: dict[tuple[int, str, int], list[Place]] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)

    def look_at(self, edges: Iterable[Edge]) -> None:
        """Fetch the notes that these links may lead to, as far as the caller may see them."""
        dests: set[int] = set()
        hits: dict[int, set[str]] = defaultdict(set)
        for edge in edges:
            if edge.hit is not None:
                hits[edge.lib].add(edge.hit)
            elif edge.dest is not None:
                dests.add(edge.dest)
        found = {
            (lib, key, kind): places
            for lib, keys in hits.items()
            for key, kinds in notes(self.connection, lib, keys).items()
            for kind, places in kinds.items()
        }
        self._seen |= visible(self.connection, dests.union(p.num for ps in found.values() for p in ps), self.filter)
        for key, places in found.items():
            self._places[key] = [place for place in places if place.num in self._seen]

    def targets(self, edge: Edge) -> Sequence[int]:
        """The notes in sight that a link may lead to: the first is where it leads, more than one an ambiguity."""
        if edge.hit is None:
            target = self.target(edge)
            return [] if target is None else [target]
        return [place.num for place in preferred(self._answers(edge), folder_of(edge.path_key))]

    def target(self, edge: Edge) -> int | None:
        """Where a link leads, None when that is nowhere in sight."""
        if edge.hit is None:
            return edge.dest if edge.dest == edge.num or edge.dest in self._seen else None
        places, folder = self._answers(edge), folder_of(edge.path_key)
        chosen = next((place for place in places if place.folder == folder), places[0] if places else None)
        return None if chosen is None else chosen.num

    def _answers(self, edge: Edge) -> list[Place]:
        return self._places.get((edge.lib, edge.hit or "", edge.via or 0), [])


def visible(connection: Connection, nums: Iterable[int], filter: Filter, asked: Asked = Asked.LISTED) -> set[int]:
    """Those of the notes that pass the filter."""
    condition = passes(connection, filter, asked, driven=True)
    rows = connection.execute(
        f"SELECT n.num FROM json_each(?) j CROSS JOIN notes n ON n.num = j.value WHERE {condition.sql}",
        (json.dumps(sorted(nums)), *condition.params),
    )
    return {num for (num,) in rows}
