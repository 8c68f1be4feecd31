"""What cannot be derived, and does not belong in the user's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from trilith.model.ids import NoteId
from trilith.model.note import LinkKind
from trilith.model.principal import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenId:
    """The id that a file without one was given when it was first seen."""

    path: str
    id: NoteId
    inode: int
    checksum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trashed:
    """A deleted note that can be restored. Its bytes lie in the trash of home under its key."""

    key: str
    library: str
    id: NoteId
    path: str
    title: str
    deleted_at: datetime
    deleted_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Links that are written alike, and the path of what they lead to, before a move and after it."""

    kind: LinkKind
    target: str
    was: str
    now: str
    certain: bool
    """No link of the rewritten note is written like this: where one is met, it has not been rewritten yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A file whose links follow a move: where it is once that is done, and its checksums before and after."""

    path: str
    before: str
    after: str
    links: tuple[Following, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveUnderWay:
    """A move as it was planned, until it has come to its end. It is *done* once the file is at `now`; what follows can
    only go forward.

    `checksum` is the file's before anything was touched, `shared` are the names that more than one note or file would
    have answered to.
    """

    key: str
    library: str
    id: NoteId
    was: str
    now: str
    checksum: str
    shared: tuple[str, ...]
    rewritings: tuple[Rewriting, ...]


class Ledger(Protocol):
    """What cannot be derived and does not belong in the user's files."""

    def libraries(self) -> tuple[Library, ...]: ...

    def add_library(self, library: Library) -> bool:
        """False, and nothing done, when there is a library of that name."""
        ...

    def set_folders(self, name: str, hidden: Sequence[str], protected: Sequence[str]) -> None:
        """Which folders of a library are hidden, and which may only be read, from now on."""
        ...

    def set_root(self, name: str, root: str) -> None:
        """Where the vault of a library is from now on."""
        ...

    def remove_library(self, name: str) -> None:
        """And whatever was granted for it."""
        ...

    def outside_changes(self, library: str, ids: Sequence[NoteId] | None = None) -> dict[NoteId, int]:
        """By how much the version in force is above the one in the note's file, which others have changed since Trilith
        last wrote it; notes whose file holds their version are left out. Of all notes, or of these."""
        ...

    def set_outside_changes(self, library: str, counts: Mapping[NoteId, int]) -> None:
        """0 for a note whose file holds its version."""
        ...

    def first_times(self, library: str, ids: Sequence[NoteId]) -> dict[NoteId, datetime]:
        """The earliest time that the file of each of these notes ever had, of those for which one is remembered."""
        ...

    def set_first_times(self, library: str, times: Mapping[NoteId, datetime]) -> None:
        """Remember these; they outlive notes and libraries."""
        ...

    def add_trashed(self, trashed: Trashed) -> None: ...

    def trashed(self, library: str) -> tuple[Trashed, ...]:
        """Newest first."""
        ...

    def remove_trashed(self, key: str) -> None: ...

    def put_move(self, move: MoveUnderWay) -> None:
        """Remember it; a former one of that key is replaced."""
        ...

    def moves(self, library: str) -> tuple[MoveUnderWay, ...]:
        """In the order in which they were begun."""
        ...

    def remove_move(self, key: str) -> None: ...

    def given_ids(self, library: str) -> dict[str, GivenId]:
        """By current path."""
        ...

    def give_ids(self, library: str, given: Sequence[GivenId]) -> None:
        """Remember these; a path's or id's former row is replaced."""
        ...
