"""Who asks, and where they may look."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

OWNER = "owner"
"""The name of the user who is there from the start."""


class AccessReason(StrEnum):
    """Why a principal may see a note, strongest first."""

    OWNER = "owner"
    GRANT = "grant"
    COLLABORATOR = "collaborator"
    PUBLIC = "public"
    LINK = "link"


class Right(StrEnum):
    """What a key is good for."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    """Seeing how the server itself is doing: metrics and the audit log."""


class Role(StrEnum):
    """What a user was granted for a library of somebody else."""

    READER = "reader"
    WRITER = "writer"


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller. With `is_owner` it acts for the owner of every library in scope: stdio, the command line, and HTTP for
    as long as there is no key. `name` is a user, or "" for somebody without a key.
    """

    name: str = OWNER
    is_owner: bool = True
    rights: frozenset[Right] = frozenset(Right)
    libraries: frozenset[str] | None = None
    """The libraries that exist for this caller; None: all."""
    key: str | None = None
    """The id of the key that was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A named vault with an owner."""

    name: str
    root: str
    """Absolute path of the vault."""
    owner: str = OWNER
    read_only: bool = False
    hidden: tuple[str, ...] = ()
    """Folders that do not exist for anybody who asks Trilith."""
    protected: tuple[str, ...] = ()
    """Folders that may only be read."""


@dataclass(frozen=True, slots=True)
class Grant:
    library: str
    user: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as it is kept: `digest` is the SHA-256 of the secret, hex; the secret itself is nowhere."""

    id: str
    user: str
    digest: str
    rights: frozenset[Right]
    created_at: datetime
    libraries: frozenset[str] | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What of one library a principal may see.

    `reader` None: every note. Otherwise only public notes and those that name `reader` as a collaborator ("" names
    nobody). `denied` are folders that do not exist for this caller.
    """

    library: str
    reader: str | None = None
    denied: tuple[str, ...] = field(default=())
    reason: AccessReason = AccessReason.OWNER
    """Why every note may be seen, where `reader` is None."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the library is kept from this caller."""
        return self.reader is None and not self.denied
