"""Deletes notes in such a way that they can be brought back."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from trilith.access.folders import above
from trilith.errors import NotFound, SlugCollision
from trilith.model.change import Revision
from trilith.model.note import Entry
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter
from trilith.notes.records import Records
from trilith.notes.writer import check_belief
from trilith.ports.catalog import Delta, Gone
from trilith.ports.ledger import Trashed

ADVICE = "move or delete it first, then restore again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Trash:
    """What was deleted of every library: files in home, known to the ledger."""

    records: Records
    place: Callable[[str], str]
    """The absolute path of the file of a key."""
    is_kept: Callable[[str], bool]
    """Whether the file of a key is there."""

    def delete(self, library: Library, entry: Entry, revision: Revision) -> Trashed:
        """The note's file goes to the trash; `revision` says who wants it so, and what it is believed to be.

        Raises `VersionConflict` when it is something else by now, `NotFound`, `ReadOnly`, `Unavailable`.
        """
        with self.records.editing(library) as vault:
            current, raw = self.records.current(library, vault, entry)
            check_belief(current, revision)
            trashed = self._trashed(library, current, revision.agent)
            # Known before it is gone: a crash in between leaves an entry without a file, which is passed over.
            self.records.ledger.add_trashed(trashed)
            try:
                vault.remove(current.path, raw.checksum, self.place(trashed.key))
            except BaseException:
                if not self.is_kept(trashed.key):
                    self.records.ledger.remove_trashed(trashed.key)
                raise
            self.records.drop(library, current)
        self.records.feed(library)
        return trashed

    def kept(self, filter: Filter) -> tuple[Trashed, ...]:
        """What can be restored of the libraries that the caller sees all of, newest first."""
        found = [
            trashed
            for scope in filter.scopes
            if scope.reader is None
            for trashed in self.records.ledger.trashed(scope.library)
            if self.is_kept(trashed.key) and above(trashed.path, scope.denied) is None
        ]
        return tuple(sorted(found, key=lambda trashed: trashed.deleted_at, reverse=True))

    def delta(self, filter: Filter, after: datetime, limit: int) -> Delta:
        """`Catalog.delta`, with what was deleted through Trilith before the index was last built anew: only the trash knows
        of that."""
        delta = self.records.catalog.delta(filter, after, limit)
        until = delta.upto if delta.more else None
        lost = {
            Gone(each.id, each.library): each.deleted_at
            for each in self.kept(filter)
            if each.deleted_at > after and (until is None or each.deleted_at <= until)
        }
        known = {*delta.gone, *(Gone(entry.id, entry.library) for entry in delta.changed)}
        told = {gone: at for gone, at in lost.items() if gone not in known and not self._is_there(gone)}
        upto = max([*told.values(), *([delta.upto] if delta.upto else [])], default=None)
        return replace(delta, gone=(*delta.gone, *told), upto=upto)

    def _is_there(self, gone: Gone) -> bool:
        return self.records.catalog.by_id(gone.id, Filter(scopes=(Scope(library=gone.library),))) is not None

    def find(self, filter: Filter, key: str) -> Trashed:
        """Raises `NotFound`."""
        for trashed in self.kept(filter):
            if trashed.key == key:
                return trashed
        raise NotFound(f"No deleted note has the key '{key}'.", field="key")

    def restore(self, library: Library, filter: Filter, trashed: Trashed) -> Entry:
        """A deleted note comes back with its id, text and path. Raises `SlugCollision` when its path or its id is taken,
        `NotFound` when the trash has it no more."""
        with self.records.editing(library) as vault:
            try:
                self._check_free(library, filter, trashed)
                raw = vault.restore(self.place(trashed.key), trashed.path)
            except SlugCollision as collision:
                raise self.records.in_the_way(collision, library, filter, trashed.path, ADVICE) from None
            entry = self.records.put_elsewhere(library, None, trashed.id, trashed.path, raw)
            self.records.ledger.remove_trashed(trashed.key)
        self.records.feed(library)
        return entry

    def _check_free(self, library: Library, filter: Filter, trashed: Trashed) -> None:
        """Raises `SlugCollision` when another file has come with the note's id."""
        taken = self.records.catalog.by_id(trashed.id, Filter(scopes=(Scope(library=library.name),)))
        if taken is not None:
            seen = self.records.catalog.by_id(trashed.id, filter)
            existing = {} if seen is None else {"existing": {"path": seen.path}}
            raise SlugCollision(f"Another note has the id '{trashed.id}' by now.", **existing)

    def _trashed(self, library: Library, entry: Entry, agent: str) -> Trashed:
        return Trashed(
            key=uuid.uuid4().hex,
            library=library.name,
            id=entry.id,
            path=entry.path,
            title=entry.metadata.title,
            deleted_at=self.records.clock.now(),
            deleted_by=agent,
        )
