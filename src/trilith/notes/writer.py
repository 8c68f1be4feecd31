"""Writes notes: into the file first, then into every view, so that the next search finds what was written."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from trilith.access.paths import check
from trilith.errors import InvalidInput, NotFound, ReadOnly, SlugCollision, Unavailable, VersionConflict
from trilith.model.change import Draft, Edit, Revision, WriteResult, Written
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry
from trilith.model.principal import Library
from trilith.model.query import Filter, Listing, Sort
from trilith.notes.change import decoded, edited_body, revised, text_of_draft
from trilith.notes.filenames import file_name
from trilith.ports import (
    Catalog,
    CatalogBatch,
    Clock,
    Ledger,
    Locks,
    NoteParser,
    RawFile,
    Trashed,
    WritableVault,
)
from trilith.sync.indexer import Indexer
from trilith.sync.recorded import recorded
from trilith.sync.turn import writing

PATIENCE = 30.0
"""Seconds to wait for another's write to the same library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Creates, changes and deletes notes. A write that returns is on disk and found by full text."""

    catalog: Catalog
    ledger: Ledger
    locks: Locks
    clock: Clock
    parse: NoteParser
    indexer: Indexer
    vault: Callable[[str], WritableVault]
    trash: Callable[[str], str]
    """The absolute path in the trash for a key."""

    def create(self, library: Library, filter: Filter, draft: Draft) -> WriteResult:
        """A new note. Nothing is written when another note has the same source URL: the result is that note.

        Raises `SlugCollision` when its file is there already, `InvalidInput`, `ContentTooLarge`, `PathForbidden`,
        `ReadOnly`, `Unavailable`.
        """
        path = _path_of(draft)
        with self._editing(library) as vault:
            twin = self._of_same_source(draft, filter)
            if twin is not None:
                return WriteResult(status=Written.DUPLICATE, entry=twin)
            note_id = NoteId(str(uuid.uuid4()))
            text = text_of_draft(draft, note_id, self.clock.now())
            try:
                raw = vault.create(path, text.encode())
            except SlugCollision as collision:
                raise self._explained(collision, path, filter) from None
            entry = self._record(library, None, note_id, path, raw)
        return WriteResult(status=Written.CREATED, entry=entry)

    def revise(self, library: Library, entry: Entry, revision: Revision) -> WriteResult:
        """Fields and body of a note. Raises `VersionConflict` when it is not what the caller believes, `NotUtf8`,
        `Refused` for frontmatter that cannot be edited, and whatever `create` raises."""
        return self._rewrite(library, entry, revision, None)

    def edit(self, library: Library, entry: Entry, edit: Edit, revision: Revision) -> WriteResult:
        """A part of a note's body. Raises what `revise` and the edit raise; the file is untouched then."""
        return self._rewrite(library, entry, revision, edit)

    def delete(self, library: Library, entry: Entry, agent: str, revision: Revision | None = None) -> Trashed:
        """The note's file goes to the trash, from which `restore` brings it back."""
        with self._editing(library) as vault:
            current, raw = self._current(library, vault, entry, revision)
            key = uuid.uuid4().hex
            trashed = Trashed(
                key=key,
                library=library.name,
                id=current.id,
                path=current.path,
                title=current.metadata.title,
                deleted_at=self.clock.now(),
                deleted_by=agent,
                file=self.trash(key),
            )
            # Known before it is gone: a crash in between leaves an entry without a file, which `restore` passes over.
            self.ledger.add_trashed(trashed)
            vault.remove(current.path, raw.checksum, trashed.file)
            with writing(self.locks):
                self.catalog.record(library.name, CatalogBatch(drop=(current.num,)))
        self.indexer.feeder.feed_fulltext(library.name)
        return trashed

    def restore(self, library: Library, trashed: Trashed) -> Entry:
        """A deleted note comes back with its id, text and path. Raises `SlugCollision` when its path is taken."""
        with self._editing(library) as vault:
            raw = vault.restore(trashed.file, trashed.path)
            entry = self._record(library, None, trashed.id, trashed.path, raw)
            self.ledger.remove_trashed(trashed.key)
        return entry

    @contextmanager
    def _editing(self, library: Library) -> Iterator[WritableVault]:
        if library.read_only:
            raise ReadOnly(f"The library '{library.name}' is read-only.")
        with self.locks.editing(library.name, PATIENCE) as mine:
            if not mine:
                raise Unavailable(f"Another process has been writing to '{library.name}' for too long; try again.")
            yield self.vault(library.name)

    def _rewrite(self, library: Library, entry: Entry, revision: Revision, edit: Edit | None) -> WriteResult:
        with self._editing(library) as vault:
            current, raw = self._current(library, vault, entry, revision)
            text = decoded(raw.data, current.path)
            note = self.parse(current.path, raw)
            replaced = None
            if edit is not None:
                body, replaced = edited_body(note, edit)
                revision = replace(revision, body=body)
            changed = revised(text, current, note, revision, self.clock.now())
            raw = vault.replace(current.path, changed.encode(), raw.checksum)
            entry = self._record(library, current.num, current.id, current.path, raw)
        return WriteResult(status=Written.UPDATED, entry=entry, replaced=replaced)

    def _current(
        self, library: Library, vault: WritableVault, entry: Entry, revision: Revision | None
    ) -> tuple[Entry, RawFile]:
        """The note as it is on disk now, once it is sure that it is what the caller believes."""
        raw = vault.read(entry.path)
        if raw.truncated:
            raise InvalidInput(f"'{entry.path}' is too large to be edited through Trilith.", field="path")
        if raw.checksum != entry.checksum:
            # Changed by somebody else since it was indexed: that is a version of its own.
            self.indexer.refresh(library)
            entry = self._again(entry)
            raw = vault.read(entry.path)
        believed = revision and (
            revision.expected_version in (None, entry.metadata.version)
            and revision.expected_checksum in (None, entry.checksum)
        )
        if believed is False:
            raise VersionConflict(
                f"'{entry.path}' is at version {entry.metadata.version} by now; read it again.",
                current_version=entry.metadata.version,
                current_checksum=entry.checksum,
            )
        return entry, raw

    def _again(self, entry: Entry) -> Entry:
        found = self.catalog.entries([entry.num])
        if entry.num not in found:
            raise NotFound(f"No document found with id '{entry.id}'")
        return found[entry.num]

    def _record(self, library: Library, num: Num | None, note_id: NoteId, path: str, raw: RawFile) -> Entry:
        """The file as it was just written, in catalog and full text. Its version is the file's own from here on."""
        note = self.parse(path, raw)
        with writing(self.locks):
            self.ledger.clear_outside_changes(library.name, note_id)
            batch = CatalogBatch(put=(recorded(num, note_id, path, raw, note),))
            nums = self.catalog.record(library.name, batch)
        self.indexer.feeder.feed_fulltext(library.name)
        return self.catalog.entries([nums[path]])[nums[path]]

    def _of_same_source(self, draft: Draft, filter: Filter) -> Entry | None:
        """The oldest note that has the draft's source URL, compared in normal form."""
        if not (url := draft.fields.get("source_url")):
            return None
        same = replace(filter.whole(), where={"source_url": url})
        found = self.catalog.page(Listing(filter=same, sort=Sort.CREATED, descending=False, limit=1)).entries
        return found[0] if found else None

    def _explained(self, collision: SlugCollision, path: str, filter: Filter) -> SlugCollision:
        """The same refusal, naming the note that is in the way where the caller may see it."""
        existing = self.catalog.by_path(path, filter)
        if existing is None:
            return collision
        return SlugCollision(
            f"There is a note at '{existing.path}' already; update it by its id, or choose another title or path.",
            existing={"id": existing.id, "path": existing.path, "version": existing.metadata.version},
        )


def _path_of(draft: Draft) -> str:
    if not draft.title.strip():
        raise InvalidInput("'title' is required and must not be blank.", field="title")
    if draft.place.lower().endswith(".md"):
        return check(draft.place)
    name = file_name(draft.title)
    return check(f"{draft.place.strip('/')}/{name}" if draft.place.strip("/") else name)
