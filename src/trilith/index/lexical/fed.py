"""The face that sync sees of an index: what it holds, how far it has come, and how it takes over a batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar

import tantivy
from tantivy import Occur, Query

from trilith.errors import SearchBackendError
from trilith.index.lexical.document import mark
from trilith.index.lexical.schema import DISMISSED, NOTE
from trilith.index.lexical.shelf import Shelf
from trilith.model.ids import Num
from trilith.ports.items import Changes, ChunkedItem, FullTextItem

Hits = list[tuple[float, tantivy.DocAddress]]
"""Scores and where the documents are, best first."""

Item = TypeVar("Item", FullTextItem, ChunkedItem)


class FedIndex(ABC, Generic[Item]):
    """Implements `View`. Each note has one document of the kind `note` or `dismissed`, with its checksum; one of the kind
    `mark` says how far the index has come."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.schema = shelf.schema

    @abstractmethod
    def documents(self, item: Item) -> Iterable[tantivy.Document]:
        """What the index is to hold of a note."""

    def applied(self, library: str) -> int:
        self.shelf.set_aside_if_damaged(library)
        return self.shelf.sequence(library)

    def reached(self, library: str) -> int:
        """The sequence number of what searches see: `applied` without its look for damage, which costs a millisecond."""
        try:
            return self.shelf.sequence(library)
        except SearchBackendError:
            return 0

    def apply(self, library: str, changes: Changes[Item]) -> None:
        with self.shelf.writing(library) as batch:
            if changes.anew:
                batch.clear()
            for num in changes.drop:
                batch.drop(num)
            for item in changes.put:
                batch.put(item.num, self.documents(item))
            batch.mark(mark(changes.upto, self.schema))

    def fingerprints(self, library: str) -> dict[Num, str]:
        with self.shelf.reading(library) as state:
            if state is None or not state.documents:
                return {}
            searcher = state.searcher
            heads = Query.boolean_query([(Occur.Should, self._of_kind(NOTE)), (Occur.Should, self._of_kind(DISMISSED))])
            hits = searcher.search(heads, searcher.num_docs, count=False).hits
            addresses = [address for _, address in hits]
            nums = searcher.fast_field_values("num", addresses)
            checksums = (bytes(searcher.doc(address).get_first("checksum") or b"") for address in addresses)
            return {Num(int(num or 0)): checksum.decode() for num, checksum in zip(nums, checksums, strict=True)}

    def check(self, library: str) -> bool:
        return not self.shelf.set_aside_if_damaged(library, thorough=True)

    def clear(self, library: str) -> None:
        self.shelf.clear(library)

    def close(self) -> None:
        """Wait until what was written is merged, too."""
        self.shelf.close()

    def _of_kind(self, kind: str) -> Query:
        return Query.term_query(self.schema, "kind", kind, "basic")


def best_hits(searcher: tantivy.Searcher, query: Query, depth: int, *, count: bool = False) -> tuple[Hits, int]:
    """At least the best `depth` hits, and with them all that tie with the last one; and how many there are in all, when
    asked to count."""
    wanted = depth + 1
    while True:
        result = searcher.search(query, max(wanted, 1), count=count)
        hits = result.hits  # made anew whenever it is asked for
        if len(hits) < wanted or hits[-1][0] < hits[depth - 1][0]:
            return hits, result.count if count else 0  # type: ignore[attr-defined]  # missing in tantivy's stubs
        wanted *= 8
