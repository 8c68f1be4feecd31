"""The link graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from trilith.model.ids import NoteId, Num
from trilith.model.note import Link
from trilith.model.query import Filter
from trilith.ports.catalog import NameKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedLink:
    link: Link
    target: Num | None
    """None while no note answers, for an attachment, and for a link to a note outside the filter."""
    via: NameKind | None = None
    candidates: tuple[Num, ...] = ()
    """More than one when the link is ambiguous; the first is `target`."""
    attachment: str | None = None
    """The path of the file that an attachment link leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphans:
    """Notes without links, by path. Only links between two different notes count, those that lead somewhere."""

    no_inbound: tuple[Num, ...] = ()
    """No other note links here."""
    no_outbound: tuple[Num, ...] = ()
    """Links to no other note."""
    neither: tuple[Num, ...] = ()
    """In both of the above."""
    links: int = 0
    """How many pairs of a note and another that it links to there are."""


class Graph(Protocol):
    """The link graph. Notes outside the filter do not exist in any answer."""

    def outgoing(self, num: Num, filter: Filter) -> tuple[ResolvedLink, ...]:
        """In order of appearance, frontmatter last."""
        ...

    def between(self, source: Num, target: Num, filter: Filter) -> tuple[Link, ...]:
        """The links of one note that lead to another, in order as those of `outgoing`."""
        ...

    def resolved(self, num: Num, links: Sequence[Link], filter: Filter) -> tuple[ResolvedLink, ...]:
        """Where links would lead if they stood in the note, in the order given."""
        ...

    def incoming(self, num: Num, filter: Filter) -> tuple[Num, ...]:
        """Notes that link here, each once, without itself, by path."""
        ...

    def neighbours(self, nums: Sequence[Num], filter: Filter) -> dict[Num, tuple[Num, ...]]:
        """For each, the notes one link away in either direction, without itself."""
        ...

    def derived(self, note_id: NoteId, filter: Filter) -> tuple[Num, ...]:
        """Notes that name this id among their `derived_from_ids`."""
        ...

    def orphans(self, filter: Filter) -> Orphans: ...
