"""Vector indexes of several models as one: each library is in that of its own, and models never mix."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from pathlib import Path

from trilith.index.vector.flat import VectorIndex
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
        allowed: as `VectorIndex`.
    """

    def __init__(
        self, folder: Path, kind: Callable[[str], tuple[str, int]], allowed: Callable[[Filter], Allowed]
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._allowed = allowed
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
                self._indexes[model, width] = VectorIndex(self._folder, model, width, self._allowed)
            return self._indexes[model, width]
