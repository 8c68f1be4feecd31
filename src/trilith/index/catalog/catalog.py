"""The catalog as the core sees it: each method is one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trilith.index.catalog import (
    changes,
    counts,
    delta,
    files,
    folders,
    libraries,
    moving,
    oddities,
    problems,
    reading,
    record,
    vectors,
)
from trilith.index.catalog.allowed import AllowedNotes
from trilith.index.catalog.connection import Tables
from trilith.index.catalog.database import Database
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry
from trilith.model.query import Filter, Listing
from trilith.model.shortid import Kin
from trilith.ports.catalog import (
    Allowed,
    CatalogBatch,
    ChunkText,
    Counts,
    Delta,
    FileProblem,
    KnownFile,
    Named,
    Page,
    Reference,
    ScanState,
)
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, ChunkedItem, FullTextItem, VectorItem
from trilith.ports.vault import Stamp


class SqlCatalog:
    """Implements `ports.Catalog` on the tables of a database. Raises `Unavailable` from any method, when they cannot be used."""

    def __init__(self, database: Tables) -> None:
        self.database = database
        self._allowed = AllowedNotes()

    @property
    def set_aside(self) -> str | None:
        """What became of a damaged or outdated file on opening, for people; None when all was well."""
        return self.database.set_aside

    def check(self) -> str | None:
        return self.database.check()

    def close(self) -> None:
        self.database.close()

    # reading, narrowed by a filter

    def entries(self, nums: Iterable[Num]) -> dict[Num, Entry]:
        with self.database.reading() as connection:
            return reading.entries(connection, nums)

    def by_id(self, note_id: NoteId, filter: Filter) -> Entry | None:
        with self.database.reading() as connection:
            return reading.by_id(connection, note_id, filter)

    def by_path(self, path: str, filter: Filter) -> Entry | None:
        with self.database.reading() as connection:
            return reading.by_path(connection, path, filter)

    def named(self, name: str, filter: Filter) -> tuple[Named, ...]:
        with self.database.reading() as connection:
            return reading.named(connection, name, filter)

    def allowed(self, filter: Filter) -> Allowed:
        with self.database.reading() as connection:
            return self._allowed.of(connection, filter)

    def kin(self, starts: Collection[str], libraries: Collection[str]) -> tuple[Kin, ...]:
        with self.database.reading() as connection:
            return delta.kin(connection, starts, libraries)

    def delta(self, filter: Filter, after: datetime, limit: int) -> Delta:
        with self.database.reading() as connection:
            return delta.delta(connection, filter, after, limit)

    def shows(self, filter: Filter) -> bool:
        with self.database.reading() as connection:
            return reading.shows(connection, filter)

    def page(self, listing: Listing) -> Page:
        with self.database.reading() as connection:
            return reading.page(connection, listing)

    def folders(self, filter: Filter, under: str = "") -> tuple[str, ...]:
        with self.database.reading() as connection:
            return folders.folders(connection, filter, under)

    def tag_counts(self, filter: Filter) -> dict[str, int]:
        with self.database.reading() as connection:
            return counts.tag_counts(connection, filter)

    def counts(self, filter: Filter, now: datetime) -> Counts:
        with self.database.reading() as connection:
            return counts.counts(connection, filter, now)

    def body(self, num: Num) -> str:
        """The text of a note; empty when there is no such note any more."""
        with self.database.reading() as connection:
            return reading.body(connection, num)

    def bodies(self, nums: Iterable[Num]) -> dict[Num, str]:
        with self.database.reading() as connection:
            return reading.bodies(connection, nums)

    def chunk_texts(self, wanted: Sequence[ChunkKey]) -> dict[ChunkKey, ChunkText]:
        with self.database.reading() as connection:
            return reading.chunk_texts(connection, wanted)

    def chunk_counts(self, nums: Sequence[Num]) -> dict[Num, int]:
        with self.database.reading() as connection:
            return reading.chunk_counts(connection, nums)

    # reading, whole

    def known_files(self, library: str) -> dict[str, KnownFile]:
        with self.database.reading() as connection:
            return files.known_files(connection, library)

    def stamps(self, library: str) -> dict[str, Stamp]:
        with self.database.reading() as connection:
            return files.stamps(connection, library)

    def known_at(self, library: str, paths: Collection[str]) -> dict[str, KnownFile]:
        with self.database.reading() as connection:
            return files.known_at(connection, library, paths)

    def fingerprints(self, library: str) -> dict[Num, str]:
        with self.database.reading() as connection:
            return files.fingerprints(connection, library)

    def problems(self, library: str) -> tuple[FileProblem, ...]:
        with self.database.reading() as connection:
            return problems.file_problems(connection, library)

    def link_problems(self, library: str) -> tuple[FileProblem, ...]:
        with self.database.reading() as connection:
            return problems.link_problems(connection, library)

    def note_problems(self, library: str, now: datetime) -> tuple[FileProblem, ...]:
        with self.database.reading() as connection:
            return oddities.note_problems(connection, library, now)

    def drawn(self, moved: Entry) -> tuple[Reference, ...]:
        with self.database.reading() as connection:
            return moving.drawn(connection, moved)

    def astray(self, moved: Entry, links: Sequence[Reference]) -> tuple[Reference, ...]:
        with self.database.reading() as connection:
            return moving.astray(connection, moved, links)

    def is_unique(self, name: str, moved: Entry) -> bool:
        with self.database.reading() as connection:
            return moving.is_unique(connection, name, moved)

    def sequence(self, library: str) -> int:
        with self.database.reading() as connection:
            return changes.sequence(connection, library)

    def changed_since(self, library: str, after: int) -> int:
        with self.database.reading() as connection:
            return changes.changed_since(connection, library, after)

    def vector_sequence(self, library: str) -> int:
        with self.database.reading() as connection:
            return changes.sequence(connection, library, "vseq")

    def generation(self) -> int:
        return self.database.generation()

    def scan_state(self, library: str) -> ScanState:
        with self.database.reading() as connection:
            return libraries.scan_state(connection, library)

    # writing

    def record(self, library: str, batch: CatalogBatch) -> dict[str, Num]:
        with self.database.writing() as connection:
            return record.record(connection, library, batch)

    def record_scan(self, library: str, state: ScanState, attachments: frozenset[str]) -> None:
        with self.database.writing() as connection:
            libraries.record_scan(connection, library, state, attachments)

    def forget_library(self, library: str) -> None:
        with self.database.writing() as connection:
            libraries.forget(connection, library)

    # views

    def full_text_changes(self, library: str, after: int, limit: int) -> Changes[FullTextItem]:
        with self.database.reading() as connection:
            return changes.full_text_changes(connection, library, after, limit)

    def chunk_changes(self, library: str, after: int, limit: int) -> Changes[ChunkedItem]:
        with self.database.reading() as connection:
            return changes.chunk_changes(connection, library, after, limit)

    def vector_changes(self, library: str, model: str, after: int, limit: int) -> Changes[VectorItem]:
        with self.database.reading() as connection:
            return changes.vector_changes(connection, library, model, after, limit)

    # vectors

    def pending_texts(self, library: str, model: str, limit: int) -> list[str]:
        with self.database.reading() as connection:
            return vectors.pending_texts(connection, library, model, limit)

    def pending_count(self, library: str, model: str) -> int:
        with self.database.reading() as connection:
            return vectors.pending_count(connection, library, model)

    def pending_within(self, filter: Filter) -> int:
        with self.database.reading() as connection:
            return counts.pending(connection, filter)

    def has_vectors(self, filter: Filter, model: str) -> bool:
        with self.database.reading() as connection:
            return vectors.has_any(connection, filter, model)

    def pending_of(self, num: Num, model: str) -> int:
        with self.database.reading() as connection:
            return vectors.pending_of(connection, num, model)

    def stale_count(self, filter: Filter, model: str) -> int:
        with self.database.reading() as connection:
            return vectors.stale_count(connection, filter, model)

    def store_vectors(self, library: str, model: str, texts: Sequence[str], values: NDArray[np.float16]) -> None:
        with self.database.writing() as connection:
            vectors.store(connection, library, model, texts, values)


class SqliteCatalog(SqlCatalog):
    """A catalog in one file, which is made when it is not there, unless the disk has a `fault`.

    Raises `StartFailure` or `Unavailable` on opening, when the file cannot be used.
    """

    def __init__(self, path: Path, fault: str | None = None) -> None:
        super().__init__(Database(path, fault))
