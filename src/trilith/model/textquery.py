"""A full-text query once parsed: a small tree that each full-text engine translates into its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trilith.model.hits import Interpretation


class Field(StrEnum):
    """What a query may name before a colon."""

    TITLE = "title"
    ALIASES = "aliases"
    TAGS = "tags"
    AUTHOR = "author"
    PATH = "path"
    HEADINGS = "headings"
    BODY = "body"
    CREATED = "created"
    UPDATED = "updated"


class Occurs(StrEnum):
    PLAIN = "plain"
    """No operator: may be there, or must when the query is asked to match all."""
    MUST = "must"
    SHOULD = "should"
    MUST_NOT = "must_not"


@dataclass(frozen=True, slots=True)
class Words:
    """Text to be analysed: its words, any or all of them. `field` None: every text field."""

    text: str
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order, at most `slop` places apart; the last one a prefix when `prefix`."""

    text: str
    field: Field | None = None
    slop: int = 0
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Prefix:
    text: str
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class Fuzzy:
    text: str
    distance: int
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds as written (ISO dates for `created` and `updated`); None is open."""

    field: Field
    lower: str | None
    upper: str | None
    include_lower: bool = True
    include_upper: bool = True


@dataclass(frozen=True, slots=True)
class Everything:
    """`*`"""


@dataclass(frozen=True, slots=True)
class Boolean:
    clauses: tuple[tuple[Occurs, Node], ...]


@dataclass(frozen=True, slots=True)
class Boost:
    node: Node
    factor: float


Node = Words | Phrase | Prefix | Fuzzy | Range | Everything | Boolean | Boost


@dataclass(frozen=True, slots=True, kw_only=True)
class TextQuery:
    """A parsed query. Literal: `root` is one `Words` of the whole text, and `reason` says why syntax was not meant."""

    root: Node
    interpretation: Interpretation
    reason: str | None = None
