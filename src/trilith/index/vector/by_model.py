"""Vector indexes of several models as one: each library is in that of its own, and models never mix."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from pathlib import Path

from trilith.index.vector.index import VectorIndex
from trilith.index.vector.plan import LARGE
from trilith.index.vector.tending import Builder
from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, VectorItem


class VectorIndexes:
    """Implements `View[VectorItem]` and `VectorRetriever`. Libraries that are asked together must have one model.

    Args:
        folder: as `VectorIndex`.
        kind: identity and width of the model of a library.
        allowed, large: as `VectorIndex`.
        builder: makes inverted lists.
    """

    def __init__(
        self,
        folder: Path,
        kind: Callable[[str], tuple[str, int]],
        allowed: Callable[[Filter], Allowed],
        builder: Builder,
        large: int = LARGE,
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._allowed = allowed
        self._builder = builder
        self._large = large
        self._indexes: dict[tuple[str, int], VectorIndex] = {}
        self._turn = threading.Lock()

    def applied(self, library: str) -> int:
        return self._of(library).applied(library)

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        self._of(library).apply(library, changes)

    def fingerprints(self, library: str) -> dict[Num, str]:
        return self._of(library).fingerprints(library)

    def check(self, library: str) -> bool:
        return self._of(library).check(library)

    def clear(self, library: str) -> None:
        self._of(library).clear(library)

    def tend(self, library: str) -> None:
        """See to it that a large library has inverted lists; they are made in the background."""
        self._of(library).tend(library, self._builder)

    def close(self) -> None:
        self._builder.close()

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        return self._of(filter.libraries[0]).retrieve(vector, filter, depth) if filter.scopes else Ranked()

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        return self._of(filter.libraries[0]).chunks(vector, filter, depth, also) if filter.scopes else {}

    def _of(self, library: str) -> VectorIndex:
        model, width = self._kind(library)
        with self._turn:
            if (model, width) not in self._indexes:
                self._indexes[model, width] = VectorIndex(self._folder, model, width, self._allowed, self._large)
            return self._indexes[model, width]
