"""What is asked: one query value, one filter value, for every dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from trilith.model.ids import Num
from trilith.model.principal import Scope

POOL = 200
"""How many distinct notes each engine contributes to a fusion (CONTRACT: 200 deep)."""


class Mode(StrEnum):
    FULLTEXT = "fulltext"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class Ranking(StrEnum):
    """What a hybrid answer is ordered and scored by."""

    CALIBRATED = "calibrated"
    """Exact names first, then what the engines found, fused (`Fusion`); the score is the probability of an answer."""
    PURE = "pure"
    """Reciprocal rank fusion of the two lists and nothing else; the score is the fused sum."""


class Fusion(StrEnum):
    """How the calibrated ranking makes one order of two."""

    RRF = "rrf"
    """By reciprocal ranks, of three lists."""
    WEIGHTED = "weighted"
    """By the sum of weighted scores."""


class Match(StrEnum):
    """How many of the words of a literal query a note must have."""

    ANY = "any"
    ALL = "all"
    """All but stop words, the last as a prefix."""
    SIMILAR = "similar"
    """For each a word that differs from it by one letter added, left out or changed, as typing errors do."""


class Sort(StrEnum):
    RELEVANCE = "relevance"
    UPDATED = "updated"
    CREATED = "created"
    TITLE = "title"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Membership:
    """The notes of a PARA item: those that name its slug in their `para` field, and those below its folder."""

    slug: str
    folder: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which notes may be found at all. Every engine applies the whole of it before it ranks or cuts.

    `scopes` empty means nothing may be seen. Dismissed notes are never found, whatever the filter says.
    """

    scopes: tuple[Scope, ...]
    tags: tuple[str, ...] = ()
    """All must be there; `a` matches `a` and its children `a/b`; case does not matter."""
    author: str | None = None
    path_prefix: str | None = None
    """Whole segments, `/` between them, none at the ends; case and Unicode form do not matter."""
    para: Membership | None = None
    without: tuple[Num, ...] = ()
    """Notes that are left out, whatever else they pass: few, as each engine is told of every one."""
    updated_after: datetime | None = None
    updated_before: datetime | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    """`after` is inclusive, `before` exclusive."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Frontmatter properties: dotted key -> value it equals, or has as a member."""

    def whole(self) -> Filter:
        """Everything that the caller may see, whatever else was asked for."""
        return Filter(scopes=self.scopes, without=self.without)

    def parted(self, kind: Callable[[str], str]) -> tuple[Filter, ...]:
        """The same filter in parts: of the libraries that are of one kind each."""
        scopes: dict[str, list[Scope]] = {}
        for scope in self.scopes:
            scopes.setdefault(kind(scope.library), []).append(scope)
        return tuple(replace(self, scopes=tuple(part)) for part in scopes.values())

    @property
    def libraries(self) -> tuple[str, ...]:
        return tuple(scope.library for scope in self.scopes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One search. `lexical_text` and `semantic_text` replace `text` for their engine when given."""

    text: str
    filter: Filter
    mode: Mode = Mode.HYBRID
    limit: int = 10
    pool: int = POOL
    lexical_text: str | None = None
    semantic_text: str | None = None
    matches: tuple[Match, ...] = (Match.ANY, Match.SIMILAR)
    """Tried in turn, until one finds something."""
    ranking: Ranking = Ranking.CALIBRATED
    fusion: Fusion | None = None
    """Of the calibrated ranking; None: as the owner has set it."""
    count: bool = False
    """Whether all notes that match lexically are to be counted."""
    snippets: bool = True
    """Whether hits are to show why they were found; else their snippets are empty."""
    explain: bool = False
    """Whether each hit is to say why it is where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A page of notes without a search."""

    filter: Filter
    title_contains: str | None = None
    content_contains: str | None = None
    contains: str | None = None
    """A text somewhere in title, body or a tag; as above, case and accents do not matter."""
    sort: Sort = Sort.UPDATED
    descending: bool = True
    limit: int = 50
    offset: int = 0
