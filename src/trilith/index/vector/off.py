"""No vector index: the owner has switched it off. Embeddings are still made, and kept in the catalog."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NoReturn

from trilith.errors import SearchBackendError
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.embedding import Floats
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, VectorItem

_Keys = Collection[ChunkKey]

REASON = "The vector index is switched off in the settings."


class NoVectors:
    """A view that is always level and holds nothing, and a retriever that says why.

    Args:
        sequence: `Catalog.vector_sequence`.
        fingerprints: `Catalog.fingerprints`.
    """

    def __init__(self, sequence: Callable[[str], int], fingerprints: Callable[[str], dict[Num, str]]) -> None:
        self._sequence = sequence
        self._fingerprints = fingerprints

    def applied(self, library: str) -> int:
        return self._sequence(library)

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        """Nothing is kept."""

    def fingerprints(self, library: str) -> dict[Num, str]:
        return self._fingerprints(library)

    def check(self, library: str) -> bool:  # noqa: ARG002
        return True

    def clear(self, library: str) -> None:
        """Nothing is kept."""

    def tend(self, library: str) -> None:
        """There is nothing to see to."""

    def close(self) -> None:
        """Nothing is open."""

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> NoReturn:  # noqa: ARG002 - the same for all
        raise SearchBackendError(REASON)

    def chunks(self, vector: Floats, filter: Filter, depth: int, also: _Keys = ()) -> NoReturn:  # noqa: ARG002
        raise SearchBackendError(REASON)
