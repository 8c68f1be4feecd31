"""Where the links of a note lead, as its page shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trilith.model.note import Link


class State(StrEnum):
    NOTE = "note"
    FILE = "file"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """`href` is None for what is not there; `title` is said when one points at the link."""

    state: State
    href: str | None = None
    title: str = ""


MISSING = Destination(state=State.MISSING, title="No note answers to this")


@dataclass(frozen=True, slots=True)
class Embedded:
    """A note, or a part of it, shown within another."""

    title: str
    href: str
    html: str


Embeds = Callable[[Link], Embedded | None]
"""The note that an embed shows; None for what is no note."""


def nothing(_link: Link) -> Embedded | None:
    return None


@dataclass(frozen=True, slots=True)
class Destinations:
    """By the target of a link as written: it leads to the same place wherever it stands in a note."""

    by_target: Mapping[str, Destination] = field(default_factory=dict)
    embeds: Embeds = nothing

    def of(self, link: Link) -> Destination:
        return self.by_target.get(link.target, MISSING)
