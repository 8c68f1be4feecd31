"""What catalog and ledger hold of a note, kept at one with its file while that is changed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trilith.access.folders import Guarded
from trilith.errors import NotFound, ReadOnly, SlugCollision, TrilithError, Unavailable
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Note
from trilith.model.principal import Library
from trilith.model.query import Filter
from trilith.ports import (
    Catalog,
    CatalogBatch,
    Clock,
    GivenId,
    Ledger,
    Locks,
    NoteParser,
    RawFile,
    Vault,
    WritableVault,
)
from trilith.sync.indexer import Indexer
from trilith.sync.recorded import recorded, stepped
from trilith.sync.turn import writing

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds to wait for another's write to the same library, or until a file has been read that others keep changing."""
POLL = 0.05
"""Seconds between two looks at work that another process does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Whoever changes a note does so within `editing`, and calls `feed` after it."""

    catalog: Catalog
    ledger: Ledger
    locks: Locks
    clock: Clock
    parse: NoteParser
    indexer: Indexer
    vault: Callable[[str], WritableVault]
    nudge: Callable[[], None]
    """Tells whoever embeds in the background that there is new text."""
    fault: Callable[[], str | None]
    """Why nothing can be recorded now; nothing is changed then, either."""

    @contextmanager
    def editing(self, library: Library) -> Iterator[WritableVault]:
        """The turn to change files of a library. Raises `ReadOnly`, `Unavailable`."""
        if library.read_only:
            raise ReadOnly(f"The library '{library.name}' is read-only.")
        if (fault := self.fault()) is not None:
            raise Unavailable(f"Nothing was changed. {fault}")
        with self.locks.editing(library.name, PATIENCE) as mine:
            if not mine:
                raise Unavailable(f"Another process has been writing to '{library.name}' for too long; try again.")
            yield Guarded(self.vault(library.name), library)

    def feed(self, library: Library) -> tuple[str, ...]:
        """Full text and vectors level with the catalog; the vectors of new text follow once it is embedded.

        The change stands, whatever becomes of this: what a view that stays behind says is given back as a warning.
        """
        self.nudge()
        try:
            self.indexer.feeder.feed_fulltext(library.name)
            self.indexer.feeder.feed_vectors(library.name)
        except (TrilithError, OSError) as failure:
            log.warning("library %s: a view is behind after a write: %s", library.name, failure)
            return (f"It is on disk, but search may not show it yet: {failure}",)
        return ()

    def current(self, library: Library, vault: Vault, entry: Entry) -> tuple[Entry, RawFile]:
        """A note as it is on disk now, with the version in force: changes by others that have not been read yet are read,
        and count as versions. Raises `NotFound` when it is gone, `Unavailable`."""
        deadline = self.clock.monotonic() + PATIENCE
        while True:
            entry = self._again(entry)
            raw = _read(vault, entry.path)
            if raw is not None and raw.checksum == entry.checksum:
                return entry, raw
            if not self.indexer.refresh(library).mine:
                time.sleep(POLL)
            if self.clock.monotonic() > deadline:
                raise Unavailable(f"'{entry.path}' is being read or changed by others all the time; try again.")

    def put(self, library: Library, num: Num | None, note_id: NoteId, path: str, raw: RawFile) -> Entry:
        """A file as it was just written; `num` is None for a note that the catalog does not know."""
        note = self.parse(path, raw)
        with _on_disk(path), writing(self.locks):
            # Where `version` holds something of the user's own, the ledger counts.
            if "version" in note.metadata.extra:
                self.ledger.add_outside_changes(library.name, [note_id])
            else:
                self.ledger.clear_outside_changes(library.name, note_id)
            return self._record(library, raw, note, num=num, note_id=note_id, path=path)

    def put_back(self, library: Library, note_id: NoteId, path: str, raw: RawFile) -> Entry:
        """A file that was away, at the version that it had."""
        note = self.parse(path, raw)
        with _on_disk(path), writing(self.locks):
            return self._record(library, raw, note, num=None, note_id=note_id, path=path)

    def drop(self, library: Library, entry: Entry) -> None:
        """A note whose file is gone."""
        with writing(self.locks):
            self.catalog.record(library.name, CatalogBatch(drop=(entry.num,)))

    def in_the_way(
        self, collision: SlugCollision, library: Library, filter: Filter, path: str, advice: str
    ) -> SlugCollision:
        """The same refusal, naming the note that is there where the caller may see it."""
        there = collision.details.get("existing", {}).get("path", path)
        existing = self.catalog.by_path(there, filter)
        if existing is None:
            self.indexer.refresh(library)  # it may be so new that nobody has read it yet
            existing = self.catalog.by_path(there, filter)
        if existing is None:
            return collision
        return SlugCollision(
            f"There is a note at '{existing.path}' already; {advice}",
            existing={"id": existing.id, "path": existing.path, "version": existing.metadata.version},
        )

    def _record(
        self, library: Library, raw: RawFile, note: Note, *, num: Num | None, note_id: NoteId, path: str
    ) -> Entry:
        steps = self.ledger.outside_changes(library.name).get(note_id, 0)
        if note.declared_id != note_id:
            given = GivenId(path=path, id=note_id, inode=raw.stamp.inode, checksum=raw.checksum)
            self.ledger.give_ids(library.name, [given])
        batch = CatalogBatch(put=(recorded(num, note_id, path, raw, stepped(note, steps)),))
        nums = self.catalog.record(library.name, batch)
        return self.catalog.entries([nums[path]])[nums[path]]

    def _again(self, entry: Entry) -> Entry:
        found = self.catalog.entries([entry.num])
        if entry.num not in found:
            raise NotFound(f"No document found with id '{entry.id}'")
        return found[entry.num]


@contextmanager
def _on_disk(path: str) -> Iterator[None]:
    """Whoever is told that the index cannot follow must not take it that nothing has been written."""
    try:
        yield
    except Unavailable as failure:
        raise Unavailable(f"'{path}' is written, but the index could not take it over yet: {failure.message}") from None


def _read(vault: Vault, path: str) -> RawFile | None:
    try:
        return vault.read(path)
    except NotFound:
        return None  # moved or deleted by others: reading the vault again tells
