"""Writes notes: into the file first, then into every view, so that the next search finds what was written."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from trilith.errors import ContentTooLarge, SlugCollision, Unavailable, VersionConflict
from trilith.markdown.urls import normalize_url
from trilith.model.change import Draft, Edit, FieldValue, Revision, WriteResult, Written
from trilith.model.ids import NoteId
from trilith.model.note import Entry, Note
from trilith.model.principal import Library
from trilith.model.query import Filter, Listing, Sort
from trilith.notes.change import decoded, edited, line_of, revised, text_of_draft, warnings_of
from trilith.notes.filenames import file_name, placed
from trilith.notes.records import Records
from trilith.ports.vault import WritableVault

TRIES = 5
"""How often a change is made anew because another program has changed the file in the same moment."""

Change = Callable[[str, Entry, Note], tuple[str, int | None]]
"""From a file's text to the new one, and how often something was replaced in it."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Creates and changes notes. A write that returns is on disk and found by full text."""

    records: Records

    def create(self, library: Library, filter: Filter, draft: Draft) -> WriteResult:
        """A new note. Nothing is written when another note has the same source URL: the result is that note.

        Raises `SlugCollision` when its file is there already, `InvalidInput`, `ContentTooLarge`, `PathForbidden`,
        `ReadOnly`, `Unavailable`.
        """
        path = placed(draft.place, file_name(line_of(draft.title)))
        note_id = draft.note_id or NoteId(str(uuid.uuid4()))
        text = text_of_draft(draft, note_id, self.records.clock.now())
        with self.records.editing(library) as vault:
            if (twin := self._of_same_source(draft.fields, filter)) is not None:
                return WriteResult(status=Written.DUPLICATE, entry=twin)
            path = vault.spelled(path)
            try:
                raw = vault.create(path, text.encode())
            except SlugCollision as collision:
                advice = "update it by its id, or choose another title or path."
                raise self.records.in_the_way(collision, library, filter, path, advice) from None
            entry = self.records.put(library, None, note_id, path, raw)
        warnings = (*warnings_of(draft.body), *self.records.feed(library))
        return WriteResult(status=Written.CREATED, entry=entry, warnings=warnings)

    def revise(self, library: Library, filter: Filter, entry: Entry, revision: Revision) -> WriteResult:
        """Fields and body of a note. Nothing is written when it would get the source URL of another note.

        Raises `VersionConflict` when it is not what the caller believes, `NotUtf8`, `Refused` for frontmatter that cannot
        be edited, and whatever `create` raises.
        """

        def change(text: str, current: Entry, note: Note) -> tuple[str, int | None]:
            return revised(text, current, note, revision, now=self.records.clock.now()), None

        with self.records.editing(library) as vault:
            if (twin := self._of_same_source(revision.fields, filter, entry)) is not None:
                return WriteResult(status=Written.DUPLICATE, entry=twin)
            entry, _ = self._replace(library, vault, entry, revision, change)
        warnings = (*warnings_of(revision.body or ""), *self.records.feed(library))
        return WriteResult(status=Written.UPDATED, entry=entry, warnings=warnings)

    def edit(self, library: Library, entry: Entry, edit: Edit, revision: Revision) -> WriteResult:
        """A part of a note's body. Raises what `revise` and the edit raise; the file is untouched then."""

        def change(text: str, current: Entry, note: Note) -> tuple[str, int | None]:
            return edited(text, current, note, edit, revision, now=self.records.clock.now())

        with self.records.editing(library) as vault:
            entry, replaced = self._replace(library, vault, entry, revision, change)
        warnings = self.records.feed(library)
        return WriteResult(status=Written.UPDATED, entry=entry, replaced=replaced, warnings=warnings)

    def _replace(
        self, library: Library, vault: WritableVault, entry: Entry, revision: Revision, change: Change
    ) -> tuple[Entry, int | None]:
        for _ in range(TRIES):
            current, raw = self.records.current(library, vault, entry)
            check_belief(current, revision)
            if raw.truncated:
                raise ContentTooLarge(f"'{current.path}' is too large to be edited through Trilith.", field="id")
            text, note = decoded(raw.data, current.path), self.records.parse(current.path, raw)
            text, replaced = change(text, current, note)
            try:
                raw = vault.replace(current.path, text.encode(), raw.checksum)
            except VersionConflict:
                continue  # another program was quicker: what it wrote is read, and counts as a version
            return self.records.put(library, current.num, current.id, current.path, raw), replaced
        raise Unavailable(f"'{entry.path}' is being changed by others all the time; try again.")

    def _of_same_source(
        self, fields: Mapping[str, FieldValue], filter: Filter, entry: Entry | None = None
    ) -> Entry | None:
        """The oldest other note that has the source URL which is to be written, compared in normal form; none when the
        note itself has it already."""
        url = fields.get("source_url")
        known = entry.metadata.source_url if entry is not None else None
        if not isinstance(url, str) or not url.strip() or (known and normalize_url(known) == normalize_url(url)):
            return None
        same = replace(filter.whole(), where={"source_url": url})
        found = self.records.catalog.page(Listing(filter=same, sort=Sort.CREATED, descending=False, limit=1)).entries
        return found[0] if found else None


def check_belief(entry: Entry, revision: Revision) -> None:
    """Raises `VersionConflict` when a note is not what the caller believes to change."""
    versions, checksums = (None, entry.metadata.version), (None, entry.checksum)
    if revision.expected_version not in versions or revision.expected_checksum not in checksums:
        raise VersionConflict(
            f"'{entry.path}' is at version {entry.metadata.version} by now; read it again.",
            current_version=entry.metadata.version,
            current_checksum=entry.checksum,
        )
