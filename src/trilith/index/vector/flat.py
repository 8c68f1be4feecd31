"""The vector index: a view that sync feeds, and a retriever that search asks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import numpy as np

from trilith.errors import SearchBackendError
from trilith.index.vector.header import Damaged
from trilith.index.vector.rows import RowStore, Snapshot, discard
from trilith.index.vector.scan import best_chunks, best_notes, merge
from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, VectorItem


class VectorIndex:
    """Exact search over all vectors of a model; a cache, one per library.

    Args:
        folder: where the caches are kept; made when first needed.
        model: identity of the embedder; the caches of other models are neither read nor harmed.
        width: numbers per vector.
        allowed: the notes that pass a filter (`Catalog.allowed`).
    """

    def __init__(self, folder: Path, model: str, width: int, allowed: Callable[[Filter], Allowed]) -> None:
        self._folder = folder
        self._model = model
        self._width = width
        self._allowed = allowed
        self._stores: dict[str, RowStore] = {}
        self._lock = threading.Lock()

    # --- the view

    def applied(self, library: str) -> int:
        snapshot = self._store(library).usable()
        return snapshot.header.applied if snapshot is not None else 0

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        self._store(library).append(changes)

    def fingerprints(self, library: str) -> dict[Num, str]:
        snapshot = self._store(library).usable()
        return snapshot.notes.fingerprints() if snapshot is not None else {}

    def check(self, library: str) -> bool:
        return self._store(library).check()

    def clear(self, library: str) -> None:
        """Forget the library, in every model."""
        for folder in self._library_folder(library).glob("*"):
            discard(folder)

    # --- the retriever

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        self._check(vector)
        allowed = self._allowed(filter)
        parts = [best_notes(snapshot, vector, allowed, depth) for snapshot in self._snapshots(filter)]
        return Ranked(candidates=merge(parts, depth))

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        self._check(vector)
        allowed, asked = self._allowed(filter), np.array(list(also), np.int64).reshape(len(also), 2)
        found: dict[ChunkKey, float] = {}
        for snapshot in self._snapshots(filter):
            best = best_chunks(snapshot, vector, allowed, depth, asked)
            found |= {(Num(num), ordinal): score for (num, ordinal), score in best.items()}
        best_first = sorted(found, key=lambda chunk: (-found[chunk], chunk))
        kept = {*best_first[: max(depth, 0)], *also}
        return {chunk: found[chunk] for chunk in best_first if chunk in kept}

    def _check(self, vector: Floats) -> None:
        if vector.shape != (self._width,):
            raise ValueError(f"a query vector of shape {vector.shape}, not [{self._width}]")

    def _snapshots(self, filter: Filter) -> Iterator[Snapshot]:
        """The caches of the filter's libraries, as far as there are any."""
        for library in dict.fromkeys(filter.libraries):
            snapshot = self._readable(library)
            if snapshot is not None:
                yield snapshot

    # --- the caches

    def _readable(self, library: str) -> Snapshot | None:
        try:
            return self._store(library).snapshot()
        except Damaged as error:
            raise SearchBackendError(
                f"The vector index of library {library!r} is damaged: {error}. The next indexing run builds it anew."
            ) from error
        except OSError as error:
            raise SearchBackendError(f"The vector index of library {library!r} cannot be read: {error}.") from error

    def _store(self, library: str) -> RowStore:
        with self._lock:
            if library not in self._stores:
                folder = self._library_folder(library) / _folder_name(self._model)
                self._stores[library] = RowStore(folder, library, self._model, self._width)
            return self._stores[library]

    def _library_folder(self, library: str) -> Path:
        return self._folder / _folder_name(library)


def _folder_name(name: str) -> str:
    """A name that every file system takes, for any text; which text it was stands in the header."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]
