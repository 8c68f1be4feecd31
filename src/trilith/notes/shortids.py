"""Short ids of notes, and the notes that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from trilith.access.policy import reason
from trilith.errors import Ambiguous, NotFound
from trilith.model.ids import NoteId, Num, parse_id
from trilith.model.note import Entry
from trilith.model.principal import AccessReason, Library
from trilith.model.query import Filter
from trilith.model.shortid import SHORTEST, Kin, ShortId, digest_of, meant, parse_short, shortened
from trilith.ports.catalog import Catalog, Gone


@dataclass(frozen=True, slots=True)
class ShortIds:
    """`libraries` tells which libraries this process serves."""

    catalog: Catalog
    libraries: Callable[[], tuple[Library, ...]]

    def of(self, entries: Iterable[Entry]) -> dict[Num, ShortId]:
        """The short id of each note."""
        owners = self._owners()
        by_owner: dict[str, list[Entry]] = {}
        for entry in entries:
            by_owner.setdefault(owners[entry.library], []).append(entry)
        return {
            num: ShortId(owner, hex)
            for owner, theirs in by_owner.items()
            for num, hex in self._shortened(owner, [entry.id for entry in theirs]).items()
            if num in {entry.num for entry in theirs}
        }

    def of_gone(self, gone: Iterable[Gone]) -> dict[Gone, ShortId]:
        """The short ids of notes that are no more: never one that another note has by now."""
        owners = self._owners()
        return {each: ShortId(owners[each.library], self._free(owners[each.library], each.id)) for each in gone}

    def find(self, text: str, filter: Filter) -> Entry:
        """The note with this short id, or with this whole id, as far as the filter lets it be read.

        Notes that can be read by their whole id alone have no short one: it could be guessed. Raises `NotFound`, and
        `Ambiguous` for a short id that several notes have had.
        """
        note_id, short = parse_id(text.strip()), parse_short(text)
        if note_id is not None:
            return _there(self.catalog.by_id(note_id, filter), text)
        if short is None:
            raise NotFound(f"No memo has the id '{text[:80]}'; ids look like `name-3f9c0b`.")
        allowed = self._readable(meant(short.hex, self._kin(short.owner, [short.hex])), filter)
        if len(allowed) > 1:
            raise Ambiguous(f"Several memos have had the id '{text[:80]}'; search for the one you mean.")
        return _there(next(iter(allowed.values()), None), text)

    def _readable(self, kin: Collection[Kin], filter: Filter) -> Mapping[NoteId, Entry]:
        found = {note.id: self.catalog.by_id(note.id, filter) for note in kin}
        scopes = {scope.library: scope for scope in filter.scopes}
        return {
            note_id: entry
            for note_id, entry in found.items()
            if entry is not None and reason(scopes[entry.library], entry.metadata) is not AccessReason.LINK
        }

    def _free(self, owner: str, note_id: NoteId) -> str:
        digest = digest_of(note_id)
        others = [digest_of(note.id) for note in self._kin(owner, [digest]) if note.id != note_id]
        return next(digest[:n] for n in range(SHORTEST, 65) if not any(each.startswith(digest[:n]) for each in others))

    def _shortened(self, owner: str, ids: Iterable[NoteId]) -> dict[Num, str]:
        families: dict[str, list[Kin]] = {}
        for note in self._kin(owner, map(digest_of, ids)):
            families.setdefault(digest_of(note.id)[:SHORTEST], []).append(note)
        return {num: hex for family in families.values() for num, hex in shortened(family).items()}

    def _kin(self, owner: str, digests: Iterable[str]) -> tuple[Kin, ...]:
        names = [library.name for library in self.libraries() if library.owner == owner]
        return self.catalog.kin({digest[:SHORTEST] for digest in digests}, names)

    def _owners(self) -> dict[str, str]:
        return {library.name: library.owner for library in self.libraries()}


def _there(entry: Entry | None, asked: str) -> Entry:
    if entry is None:
        raise NotFound(f"No memo has the id '{asked[:80]}'.")
    return entry
