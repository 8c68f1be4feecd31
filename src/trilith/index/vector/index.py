"""The vector index: a view that sync feeds, and a retriever that search asks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from trilith.errors import SearchBackendError
from trilith.index.vector.header import Damaged
from trilith.index.vector.lists import Lists, ListStore, discard_lists
from trilith.index.vector.plan import LARGE, Work, work
from trilith.index.vector.probing import near_chunks, near_notes
from trilith.index.vector.rows import RowStore, Snapshot, discard
from trilith.index.vector.scan import Best, merge
from trilith.index.vector.tending import Builder
from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, VectorItem

RELEASED_AFTER = 8
"""Searches in lists, after which the rows that they have read are not kept in memory beside these: each maps up to 40 MB, and to
let go of them takes a millisecond."""


@dataclass(frozen=True, slots=True)
class _Cache:
    """What there is of one library."""

    folder: Path
    rows: RowStore
    lists: ListStore


class VectorIndex:
    """Search over all vectors of a model; a cache, one per library. Exact, until a library is large.

    Args:
        folder: where the caches are kept; made when first needed.
        model: identity of the embedder; the caches of other models are neither read nor harmed.
        width: numbers per vector.
        allowed: the notes that pass a filter (`Catalog.allowed`).
        large: vectors from which on a library is searched by inverted lists.
    """

    def __init__(
        self, folder: Path, model: str, width: int, allowed: Callable[[Filter], Allowed], large: int = LARGE
    ) -> None:
        self._folder = folder
        self._model = model
        self._width = width
        self._allowed = allowed
        self._large = large
        self._looks = count(1)
        self._caches: dict[str, _Cache] = {}
        self._lock = threading.Lock()

    # --- the view

    def applied(self, library: str) -> int:
        snapshot = self._cache(library).rows.usable()
        return snapshot.header.applied if snapshot is not None else 0

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        self._cache(library).rows.append(changes)

    def fingerprints(self, library: str) -> dict[Num, str]:
        snapshot = self._cache(library).rows.usable()
        return snapshot.notes.fingerprints() if snapshot is not None else {}

    def check(self, library: str) -> bool:
        cache = self._cache(library)
        return all([cache.rows.check(), cache.lists.check()])

    def clear(self, library: str) -> None:
        """Forget the library, in every model."""
        for folder in self._library_folder(library).glob("*"):
            discard(folder)

    def tend(self, library: str, builder: Builder) -> None:
        """Begin what is to be done about the lists of a library, and return at once. Called again and again."""
        cache = self._cache(library)
        snapshot = cache.rows.usable()
        if snapshot is None or not self._width:
            return
        lists = cache.lists.usable(snapshot.header)
        match work(snapshot.ranges.rows, snapshot.header.rows, lists.label.rows if lists else None, self._large):
            case Work.BUILD:
                builder.start(cache.folder)
            case Work.DISCARD:
                discard_lists(cache.folder)

    # --- the retriever

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        self._check(vector)
        allowed, parts = self._allowed(filter), list[Best]()
        for snapshot, lists in self._states(filter):
            parts += near_notes(snapshot, lists, vector, allowed, depth)
        return Ranked(candidates=merge(parts, depth))

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        self._check(vector)
        allowed, asked = self._allowed(filter), np.array(list(also), np.int64).reshape(len(also), 2)
        found: dict[ChunkKey, float] = {}
        for snapshot, lists in self._states(filter):
            best = near_chunks(snapshot, lists, vector, allowed, depth=depth, also=asked)
            found |= {(Num(num), ordinal): score for (num, ordinal), score in best.items()}
        best_first = sorted(found, key=lambda chunk: (-found[chunk], chunk))
        kept = {*best_first[: max(depth, 0)], *also}
        return {chunk: found[chunk] for chunk in best_first if chunk in kept}

    def _check(self, vector: Floats) -> None:
        if vector.shape != (self._width,):
            raise ValueError(f"a query vector of shape {vector.shape}, not [{self._width}]")

    def _states(self, filter: Filter) -> Iterator[tuple[Snapshot, Lists | None]]:
        """The caches of the filter's libraries, as far as there are any, with their lists."""
        for library in dict.fromkeys(filter.libraries):
            snapshot = self._readable(library)
            if snapshot is not None:
                large = snapshot.header.rows >= self._large
                lists = self._cache(library).lists.usable(snapshot.header) if large else None
                yield snapshot, lists
                if lists is not None and next(self._looks) % RELEASED_AFTER == 0:
                    snapshot.release()

    # --- the caches

    def _readable(self, library: str) -> Snapshot | None:
        try:
            return self._cache(library).rows.snapshot()
        except Damaged as error:
            raise SearchBackendError(
                f"The vector index of library {library!r} is damaged: {error}. The next indexing run builds it anew."
            ) from error
        except OSError as error:
            raise SearchBackendError(f"The vector index of library {library!r} cannot be read: {error}.") from error

    def _cache(self, library: str) -> _Cache:
        with self._lock:
            if library not in self._caches:
                folder = self._library_folder(library) / _folder_name(self._model)
                rows = RowStore(folder, library, self._model, self._width)
                self._caches[library] = _Cache(folder, rows, ListStore(folder, self._width))
            return self._caches[library]

    def _library_folder(self, library: str) -> Path:
        return self._folder / _folder_name(library)


def _folder_name(name: str) -> str:
    """A name that every file system takes, for any text; which text it was stands in the header."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]
