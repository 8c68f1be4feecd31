"""Which id does a file have: its own, the one it was given before, or a new one?"""

from __future__ import annotations

from dataclasses import dataclass, field

from trilith.model.ids import NoteId, derive_id
from trilith.model.note import Problem
from trilith.ports.catalog import KnownFile
from trilith.ports.ledger import GivenId
from trilith.ports.vault import SeenFile
from trilith.sync.drift import renamed_from


@dataclass(slots=True)
class Register:
    """Who is who in one library, kept up to date while its files are looked at one by one.

    `known` is what the catalog remembers, by path; `gone` the part of it without a file; `given` the ledger's ids, `steps`
    how often a note was changed by others since Trilith last wrote it.
    """

    library: str
    known: dict[str, KnownFile]
    gone: dict[str, KnownFile]
    given: dict[str, GivenId]
    steps: dict[NoteId, int] = field(default_factory=dict)
    _stepped: set[NoteId] = field(default_factory=set)
    _owners: dict[NoteId, str] = field(init=False)

    def __post_init__(self) -> None:
        self._owners = {file.id: path for path, file in self.known.items()}

    def former(self, file: SeenFile, checksum: str, declared: NoteId | None) -> KnownFile | None:
        """The note that this file was before: at its path, or at one that it was renamed from."""
        if file.path in self.known:
            return self.known[file.path]
        path = renamed_from(file, checksum, declared, self.gone)
        if path is None:
            return None
        if path in self.given:
            self.given[file.path] = self.given.pop(path)
        del self.known[path]
        return self.gone.pop(path)

    def admit(
        self, path: str, checksum: str, declared: NoteId | None, former: KnownFile | None
    ) -> tuple[NoteId, Problem | None]:
        """The id of the file at `path`, and a problem when the id it declares belongs to another note."""
        if former is not None:
            self._owners.pop(former.id, None)
        chosen, problem = self._choose(path, checksum, declared, former)
        self._owners[chosen] = path
        return chosen, problem

    def step(self, note_id: NoteId, declared: int, before: int) -> None:
        """The note was changed: its file says version `declared`, and `before` was in force. The version rises by one, or to
        what the file says: that is above when a process was killed before it could record what it had written."""
        known = self.steps_of(note_id)
        self.steps[note_id] = 0 if declared > before else max(known, before + 1 - declared)
        if self.steps[note_id] != known:
            self._stepped.add(note_id)

    def steps_of(self, note_id: NoteId) -> int:
        """By how much the version in force is above the one in the file."""
        return self.steps.get(note_id, 0)

    def has_stepped(self, note_id: NoteId) -> bool:
        return note_id in self._stepped

    def _choose(
        self, path: str, checksum: str, declared: NoteId | None, former: KnownFile | None
    ) -> tuple[NoteId, Problem | None]:
        given = self.given.get(path)
        if declared is None:
            return (former.id if former else self._spare(path, given)), None
        owner = self._owners.get(declared)
        if owner is None and (given is None or given.checksum != checksum):
            return declared, None
        # A copy of a note keeps the id it was given, also when an index is rebuilt and the copy is met first.
        message = (
            f"declares the id {declared} of '{owner or 'another note'}'; '{path}' is served under an id of its own"
        )
        return self._spare(path, given), Problem("duplicate_id", message)

    def _spare(self, path: str, given: GivenId | None) -> NoteId:
        if given is not None and given.id not in self._owners:
            return given.id
        attempt = 0
        while (candidate := derive_id(self.library, path, attempt)) in self._owners:
            attempt += 1
        return candidate
