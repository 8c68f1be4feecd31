"""What is answered: hits, what each engine said of them, and what did not work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from trilith.model.explanation import Explanation
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import Match


class EngineState(StrEnum):
    OK = "ok"
    LOADING = "loading"
    DEGRADED = "degraded"
    OFF = "off"


class Interpretation(StrEnum):
    SYNTAX = "syntax"
    LITERAL = "literal"


class Candidate(NamedTuple):
    """A note as one engine sees it. `raw` is the engine's own score (BM25, cosine); `chunk` its best chunk's ordinal; `alike`
    the cosine that the usual model would have given, where another one was asked."""

    num: Num
    raw: float
    chunk: int | None = None
    alike: float | None = None

    @property
    def evidence(self) -> float:
        """The score, comparable with those of other models."""
        return self.raw if self.alike is None else self.alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One engine's answer, best first, each note once.

    `total` counts every match of the query under the filter where the engine was asked to count. `bound` is the most
    this query could score on any note, `weights` the inverse document frequency of each of its words; 0 and empty where
    none of its words was found.
    """

    candidates: tuple[Candidate, ...] = ()
    total: int | None = None
    bound: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    interpretation: Interpretation = Interpretation.LITERAL
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineMatch:
    """Why a hit is where it is, for one engine. `rank` is from 1."""

    rank: int
    raw: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    entry: Entry
    score: float
    snippet: str
    chunk: int | None = None
    fulltext: EngineMatch | None = None
    semantic: EngineMatch | None = None
    depth: int | None = None
    """Hops from the start, for graph answers."""
    explanation: Explanation | None = None
    """Where it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """How well the parts worked for one answer."""

    semantic: EngineState = EngineState.OK
    reason: str | None = None
    pending: int = 0
    """Chunks in scope that have no vector yet."""
    fulltext: EngineState = EngineState.OK
    """`loading` while notes are still being read for the first time."""
    similar: bool = False
    """Full text has found no word of the query, and taken words that differ by one letter."""
    reranker: EngineState | None = None
    """None where none was asked; otherwise, unless it is ok, the order before it stands."""
    reranker_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything a dialect needs to render an answer."""

    hits: tuple[Hit, ...]
    diagnostics: Diagnostics
    interpretation: Interpretation = Interpretation.LITERAL
    interpretation_reason: str | None = None
    total: int | None = None
    """Notes in the served set."""
    total_matches: int | None = None
    """Notes that match lexically, counted exactly, where that was asked for."""
    match: Match = Match.ANY
    """How many of the query's words the notes that match lexically have."""

    @property
    def is_cut(self) -> bool:
        """Whether more was found than is shown."""
        return self.total is not None and self.total > len(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredChunk:
    """A chunk's own text, and its score."""

    text: str
    section: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkedHit:
    """A note with its best chunks, best first; `count` is how many of its chunks made its score."""

    entry: Entry
    score: float
    count: int
    chunks: tuple[ScoredChunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkedOutcome:
    """What a search over chunks came to; the search by meaning failed where `diagnostics.semantic` is not ok."""

    hits: tuple[ChunkedHit, ...]
    diagnostics: Diagnostics
