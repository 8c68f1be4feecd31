"""What is to become of a note: values that dialects parse their arguments into and the writer carries out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from trilith.model.ids import NoteId
from trilith.model.note import Entry

FieldValue = str | int | float | bool | Sequence[str] | Mapping[str, Sequence[str]]
"""What a known frontmatter field can hold. An empty text, list or map takes the field away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A note to be made. `place` is a folder, or the file itself when it ends in `.md`; empty is the vault's top."""

    title: str
    body: str
    agent: str
    place: str = ""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    """Further frontmatter, by field name."""
    note_id: NoteId | None = None
    """The id that it is to have; None: a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A change of a note. What is None, or not among `fields`, stays as it is.

    `expected_version` and `expected_checksum` (SHA-256 of the file, hex) are what the caller believes to change.
    """

    agent: str
    body: str | None = None
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    links: Mapping[str, Sequence[NoteId]] = field(default_factory=dict)
    """Typed links, by type: those of a type named here give way to these, the others stay."""
    expected_version: int | None = None
    expected_checksum: str | None = None


class EditKind(StrEnum):
    APPEND = "append"
    PREPEND = "prepend"
    REPLACE_SECTION = "replace_section"
    FIND_REPLACE = "find_replace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change of a part of a note's body.

    Args:
        section: the heading whose section is replaced, those above it in front where that is needed.
        find: the text to be replaced, as it stands.
        every: replace it wherever it is.
    """

    kind: EditKind
    content: str
    section: tuple[str, ...] = ()
    find: str = ""
    every: bool = False


class Written(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    DUPLICATE = "duplicate"
    """Nothing was written: another note has the same source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """What a write came to. `entry` is the note as it is now: for a duplicate, the one that was there."""

    status: Written
    entry: Entry
    warnings: tuple[str, ...] = ()
    replaced: int | None = None
    """How often a text was replaced."""


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """A note with links that could not be rewritten, and why."""

    id: NoteId
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """What a move came to. `entry` is the note as it is now, `was` the path that it had: the same when it was there
    already."""

    entry: Entry
    was: str
    links: int = 0
    """Links that are written otherwise now."""
    notes: int = 0
    """Files in which links were rewritten, the note's own among them."""
    failed: tuple[Unfollowed, ...] = ()
    warnings: tuple[str, ...] = ()
