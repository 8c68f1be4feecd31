"""Who asks, and where they may look."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class AccessReason(StrEnum):
    """Why a principal may see a note, strongest first."""

    OWNER = "owner"
    GRANT = "grant"
    COLLABORATOR = "collaborator"
    PUBLIC = "public"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller. `owner` may do everything with every library in scope."""

    name: str = "owner"
    is_owner: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A named vault with an owner."""

    name: str
    root: str
    """Absolute path of the vault."""
    owner: str = "owner"
    read_only: bool = False


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
