"""A note: what one Markdown file says, once read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from trilith.model.ids import NoteId, Num


class Status(StrEnum):
    RAW = "raw"
    VALIDATED = "validated"
    DISMISSED = "dismissed"
    ARCHIVED = "archived"


class Visibility(StrEnum):
    PRIVATE = "private"
    HIDDEN = "hidden"
    LINK = "link"
    PUBLIC = "public"


class LinkKind(StrEnum):
    WIKI = "wiki"
    EMBED = "embed"
    MARKDOWN = "markdown"
    TYPED = "typed"


class Section(StrEnum):
    """Which part of the note a chunk is from."""

    BODY = "body"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a file, for `doctor`: never a reason not to serve the note."""

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A reference as written.

    `target` has no fragment and no text; empty for a link within the note (`[[#Here]]`). `start` and `end` are
    character offsets of the whole link in the body, both -1 for links from frontmatter.
    """

    kind: LinkKind
    target: str
    fragment: str | None = None
    text: str | None = None
    start: int = -1
    end: int = -1
    relation: str | None = None
    """The type of a typed link, for `LinkKind.TYPED`."""


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    start: int
    """Character offset of the heading's first line in the body."""
    line: int
    """Line number in the file, from 1."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the body (`text = body[start:end]`) or of the collaborator notes, within the embedder's window."""

    ordinal: int
    start: int
    end: int
    headings: tuple[str, ...] = ()
    section: Section = Section.BODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The known frontmatter, typed; whatever else stands there is in `extra`, as plain JSON values."""

    title: str
    author: str | None = None
    contributors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Frontmatter and inline tags, without `#`, as written, no two alike but for case."""
    aliases: tuple[str, ...] = ()
    summary: str | None = None
    confidence: float = 1.0
    created_at: datetime | None = None
    updated_at: datetime | None = None
    """Aware, UTC. None in a parsed note that names no date; a catalog entry always has both."""
    version: int = 1
    source: str | None = None
    source_url: str | None = None
    derived_from_ids: tuple[NoteId, ...] = ()
    expires_at: datetime | None = None
    para: tuple[str, ...] = ()
    typed_links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    status: Status = Status.RAW
    visibility: Visibility = Visibility.PRIVATE
    collaborators: tuple[str, ...] = ()
    collaborator_notes: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def is_stale(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One file, parsed. `body` is everything after the frontmatter, exactly as decoded."""

    metadata: Metadata
    body: str
    declared_id: NoteId | None = None
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the catalog remembers of a note: its identity and metadata, without its text."""

    num: Num
    id: NoteId
    library: str
    path: str
    """Relative to the vault, `/` between segments, spelled as on disk."""
    checksum: str
    """SHA-256 of the file's bytes, hex."""
    size: int
    metadata: Metadata
    created_at: datetime
    updated_at: datetime
