"""What catalog and ledger hold of a note, kept at one with its file while that is changed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from trilith.access.folders import Guarded
from trilith.errors import NotFound, ReadOnly, SlugCollision, TrilithError, Unavailable
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Note
from trilith.model.principal import Library
from trilith.model.query import Filter
from trilith.notes.absent import absent
from trilith.ports.catalog import Catalog, CatalogBatch
from trilith.ports.ledger import GivenId, Ledger
from trilith.ports.surroundings import Clock, Locks, NoteParser
from trilith.ports.vault import RawFile, Vault, WritableVault
from trilith.sync.creation import dated
from trilith.sync.indexer import Indexer
from trilith.sync.recorded import recorded, stepped
from trilith.sync.turn import writing

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds to wait for another's write to the same library, or until a file has been read that others keep changing."""
POLL = 0.05
"""Seconds between two looks at work that another process does."""


class _File(NamedTuple):
    """A file to be recorded as the note that it is."""

    num: Num | None
    id: NoteId
    path: str
    raw: RawFile
    note: Note

    @property
    def given(self) -> GivenId:
        return GivenId(path=self.path, id=self.id, inode=self.raw.stamp.inode, checksum=self.raw.checksum)


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
            with self.indexer.feeder.gathering.writing():
                yield Guarded(self.vault(library.name), library)

    def feed(self, library: Library) -> tuple[str, ...]:
        """Full text level with the catalog; vectors follow, fed by whoever embeds new text.

        The change stands, whatever becomes of this: what a view that stays behind says is given back as a warning.
        """
        self.nudge()
        try:
            self.indexer.feeder.feed_fulltext(library.name)
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
            raw = read_if_there(vault, entry.path)  # moved or deleted by others: reading the vault again tells
            if raw is not None and raw.checksum == entry.checksum:
                return entry, raw
            report = self.indexer.follow(library, [entry.path]) or self.indexer.refresh(library)
            if not report.mine:
                time.sleep(POLL)
            if self.clock.monotonic() > deadline:
                raise Unavailable(f"'{entry.path}' is being read or changed by others all the time; try again.")

    def put(self, library: Library, num: Num | None, note_id: NoteId, path: str, raw: RawFile) -> Entry:
        """A file as it was just written; `num` is None for a note that the catalog does not know."""
        note = self.parse(path, raw)
        with _on_disk(path), writing(self.locks):
            known = self._steps(library, [note_id]).get(note_id, 0)
            # Where `version` holds something of the user's own, the ledger counts.
            steps = known + 1 if "version" in note.metadata.extra else 0
            if steps != known:
                self.ledger.set_outside_changes(library.name, {note_id: steps})
            return self._record(library, _File(num, note_id, path, raw, note))[0]

    def put_elsewhere(self, library: Library, num: Num | None, note_id: NoteId, path: str, raw: RawFile) -> Entry:
        """A file that was away or in another place, at the version that it had; `num` as in `put`."""
        note = self.parse(path, raw)
        with _on_disk(path), writing(self.locks):
            return self._record(library, _File(num, note_id, path, raw, note))[0]

    def put_relinked(self, library: Library, files: Mapping[str, RawFile]) -> None:
        """Files in which links alone were rewritten. No field of theirs tells of it, so that the ledger counts it, as if
        others had done it; what a scan has recorded meanwhile it has counted, too."""
        notes = {path: self.parse(path, raw) for path, raw in files.items()}
        with writing(self.locks):
            found = self.catalog.known_at(library.name, files)
            behind = {path: known for path, known in found.items() if known.checksum != files[path].checksum}
            ids = [known.id for known in behind.values()]
            steps = self._steps(library, ids)
            self.ledger.set_outside_changes(library.name, {each: steps.get(each, 0) + 1 for each in ids})
            self._record(library, *(_File(k.num, k.id, path, files[path], notes[path]) for path, k in behind.items()))

    def level(self, library: Library) -> None:
        """The catalog level with all files, also while another process is reading them. Raises `Unavailable`."""
        deadline = self.clock.monotonic() + PATIENCE
        while not self.indexer.refresh(library).mine:
            if self.clock.monotonic() > deadline:
                raise Unavailable(f"The notes of '{library.name}' are still being read; try again.")
            time.sleep(POLL)

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

    def _record(self, library: Library, *files: _File) -> tuple[Entry, ...]:
        steps = self._steps(library, [file.id for file in files])
        self.ledger.give_ids(library.name, [file.given for file in files if file.note.declared_id != file.id])
        put = [
            recorded(file.num, file.id, file.path, file.raw, stepped(file.note, steps.get(file.id, 0)))
            for file in files
        ]
        nums = self.catalog.record(library.name, CatalogBatch(put=dated(self.ledger, library.name, put)))
        entries = self.catalog.entries(nums.values())
        return tuple(entries[nums[file.path]] for file in files)

    def _steps(self, library: Library, ids: Sequence[NoteId]) -> dict[NoteId, int]:
        return self.ledger.outside_changes(library.name, ids)

    def _again(self, entry: Entry) -> Entry:
        found = self.catalog.entries([entry.num])
        if entry.num not in found:
            raise absent(self.catalog, [entry.library], f"id '{entry.id}'")
        return found[entry.num]


@contextmanager
def _on_disk(path: str) -> Iterator[None]:
    """Whoever is told that the index cannot follow must not take it that nothing has been written."""
    try:
        yield
    except Unavailable as failure:
        raise Unavailable(f"'{path}' is written, but the index could not take it over yet: {failure.message}") from None


def read_if_there(vault: Vault, path: str) -> RawFile | None:
    """The file, None when it is not there."""
    try:
        return vault.read(path)
    except NotFound:
        return None
