"""How is a note connected with those one link away?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trilith.model.ids import Num
from trilith.model.note import Entry, Link, LinkKind
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog
from trilith.ports.graph import Graph

MENTIONS = "mentions"
"""What a link in a text says of its two notes."""
DERIVED_FROM = "derived_from"
"""What `derived_from_ids` says, as the typed link of that name does."""
MOST_SOURCES = 200
"""Of the notes that link to one, the first so many by path are looked into for how they do."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`entry` is the other note; `outgoing` when the link leads there."""

    entry: Entry
    kind: str
    outgoing: bool


@dataclass(frozen=True, slots=True)
class Relations:
    """Answers from the link graph and the notes' provenance."""

    catalog: Catalog
    graph: Graph

    def of(self, entry: Entry, filter: Filter) -> tuple[tuple[Relation, ...], bool]:
        """Each other note once for each kind of link, typed links before mentions, outgoing before incoming ones; and
        whether so many notes link here that there are more."""
        incoming = self.graph.incoming(entry.num, filter)
        found: dict[tuple[Num, str], bool] = {}
        for num, kind, outgoing in self._all(entry, filter, incoming[:MOST_SOURCES]):
            found.setdefault((num, kind), outgoing)
        entries = self.catalog.entries({num for num, _ in found})
        relations = [Relation(entries[num], kind, out) for (num, kind), out in found.items() if num in entries]
        relations.sort(key=lambda relation: (relation.kind == MENTIONS, not relation.outgoing))
        return tuple(relations), len(incoming) > MOST_SOURCES

    def _all(self, entry: Entry, filter: Filter, sources: Sequence[Num]) -> Iterator[tuple[Num, str, bool]]:
        yield from ((num, kind, True) for num, kind in self._links(entry.num, filter) if num != entry.num)
        for note_id in entry.metadata.derived_from_ids:
            source = self.catalog.by_id(note_id, filter)
            if source is not None and source.num != entry.num:
                yield source.num, DERIVED_FROM, True
        for num in sources:
            yield from ((num, _kind(link), False) for link in self.graph.between(num, entry.num, filter))
        for num in self.graph.derived(entry.id, filter):
            if num != entry.num:
                yield num, DERIVED_FROM, False

    def _links(self, num: Num, filter: Filter) -> Iterator[tuple[Num, str]]:
        """The notes that one links to, each with the kind of link."""
        for resolved in self.graph.outgoing(num, filter):
            if resolved.target is not None:
                yield resolved.target, _kind(resolved.link)


def _kind(link: Link) -> str:
    return (link.kind is LinkKind.TYPED and link.relation) or MENTIONS
