"""The indexes: as sync feeds them and as search asks them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, Item

ChunkKey = tuple[Num, int]
"""A chunk: the number of its note and its ordinal there."""


class View(Protocol[Item]):
    """An index derived from the catalog, one per library; fed by sync alone, disposable."""

    def applied(self, library: str) -> int:
        """The sequence number it is at; 0 when empty, damaged or of another format (it then starts anew)."""
        ...

    def apply(self, library: str, changes: Changes[Item]) -> None:
        """Take over a batch durably; on failure the view stays at its former sequence number."""
        ...

    def fingerprints(self, library: str) -> dict[Num, str]: ...

    def check(self, library: str) -> bool:
        """Look at all of it, which takes a while; whether it is as it was written. If not, it counts as empty now."""
        ...

    def clear(self, library: str) -> None: ...


class FullTextRetriever(Protocol):
    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        """The best `depth` notes that match and pass the filter, by BM25; `total` exact when `count`.

        Raises `SearchBackendError` when the index cannot be read.
        """
        ...


class ChunkTextRetriever(Protocol):
    def retrieve(self, words: Sequence[str], filter: Filter, depth: int) -> tuple[Candidate, ...]:
        """The best `depth` chunks of notes that pass the filter, each with its ordinal.

        `words` are tokens of the exact analyser. A chunk is the better the more distinct ones of them stand in its text,
        its note's title or tags, and the whole part of its score is their number; among equals BM25 decides. Chunks with
        none are left out. Raises `SearchBackendError` when the index cannot be read.
        """
        ...


class VectorRetriever(Protocol):
    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        """The best `depth` distinct notes that pass the filter, by the cosine of their best chunk.

        `vector` is float32 [width], L2-normalised. Raises `SearchBackendError` when the index cannot be read.
        """
        ...

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        """The cosines of the best `depth` chunks of notes that pass the filter, and of those in `also` that pass and have
        a vector. Raises as `retrieve` does."""
        ...
