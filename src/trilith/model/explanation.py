"""Why a hit is where it is, for whoever asks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Voice(StrEnum):
    """A list of notes that takes part in a fusion."""

    FULLTEXT = "fulltext"
    SEMANTIC = "semantic"
    SCORES = "scores"
    """All of these notes, by 0.7 of the cosine + 0.3 of BM25; counts three times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the query that stands in the note, in some form. `word*` stands for all that begin with it."""

    text: str
    fields: tuple[str, ...]
    """Where: title, aliases, tags, summary, headings, body, notes."""
    weight: float | None
    """Its inverse document frequency. None where the caller sees only a part of what that was counted over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestChunk:
    """The piece of the note that is nearest to the query; `position` counts the note's chunks from 0."""

    position: int
    headings: tuple[str, ...]
    section: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one list adds to the fused sum: `times` / (60 + `rank`)."""

    voice: Voice
    rank: int
    times: int
    """How often the list counts; as often as all together where the note has no text, so that only one can judge it."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """A feature of the calibrated score: what it was, and by how much it moved the log-odds."""

    feature: str
    value: float
    logit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How the score came about: 1 / (1 + exp(-(`intercept` + the sum of the contributions)))."""

    intercept: float
    contributions: tuple[Contribution, ...]
    probability: float
    """Before names and the hits above had their say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the reranker said of the note; `rank` is the one that the note had before."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    terms: tuple[Term, ...] = ()
    missing: tuple[str, ...] = ()
    """Words of the query that the note has not."""
    chunk: BestChunk | None = None
    shares: tuple[Share, ...] = ()
    fused: float | None = None
    """The sum that a hybrid answer is ordered by."""
    calibration: Calibration | None = None
    """None where nothing is calibrated, and for a caller who sees only a part of what its features rest on."""
    reranked: Comparison | None = None
    named: str | None = None
    """The query is the note's title, alias, stem (the file's name) or id, which is why it stands first."""
    raised: bool = False
    """That alone has raised the score."""
    lowered: bool = False
    """The score is that of a hit above, for a list never rises."""
