"""Calibration: what the engines say of a hit becomes the probability that it answers the query. Pure.

A logistic model of five features, none of which depends on the size of the vault or the length of the query. The
coefficients are fitted by `python -m bench.calibrate`, which prints the tuple below.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num

FOLLOWERS = slice(1, 10)
"""Ranks 2 to 10, against which the best cosine is held."""
CHASERS = slice(1, 5)
"""Ranks 2 to 5, against which the best BM25 is held."""


CALLED_BY_NAME = 0.95
"""The score of the one note that the query calls by its very title, alias, slug or id."""


@dataclass(frozen=True, slots=True)
class Features:
    """Evidence for one hit."""

    cosine: float
    """Of its best chunk."""
    coverage: float
    """Share of the query's words in that chunk, each weighted by its inverse document frequency, 0..1."""
    cosine_lead: float
    """Cosine minus the mean of the followers' cosines."""
    bm25_lead: float
    """BM25 minus the mean of the chasers', divided by the most that the query could reach."""
    firsts: int
    """How many engines rank it first: 0, 1 or 2."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    intercept: float
    cosine: float
    coverage: float
    cosine_lead: float
    bm25_lead: float
    firsts: float


COEFFICIENTS = Coefficients(
    intercept=-7.065, cosine=6.756, coverage=2.776, cosine_lead=0.0, bm25_lead=11.430, firsts=0.324
)


class Evidence:
    """What both engines said of one query, ready to be asked about each hit."""

    def __init__(self, fulltext: Ranked, semantic: Ranked) -> None:
        self._cosine = {candidate.num: candidate.evidence for candidate in semantic.candidates}
        self._bm25 = {candidate.num: candidate.raw for candidate in fulltext.candidates}
        self._followers = _mean(semantic.candidates, FOLLOWERS)
        self._chasers = _mean(fulltext.candidates, CHASERS)
        self._bound = fulltext.bound or 0.0
        self._leaders = [ranked.candidates[0].num for ranked in (fulltext, semantic) if ranked.candidates]

    def about(self, num: Num, coverage: float) -> Features:
        """The features of note `num`; `coverage` comes from the text of its best chunk."""
        cosine, bm25 = self._cosine.get(num), self._bm25.get(num)
        return Features(
            cosine=max(cosine or 0.0, 0.0),
            coverage=coverage,
            cosine_lead=cosine - self._followers if cosine is not None else 0.0,
            bm25_lead=(bm25 - self._chasers) / self._bound if bm25 is not None and self._bound else 0.0,
            firsts=self._leaders.count(num),
        )


def probability(evidence: Features, model: Coefficients = COEFFICIENTS) -> float:
    """0..1; above 0.8 means that an answer is there."""
    logit = (
        model.intercept
        + model.cosine * evidence.cosine
        + model.coverage * evidence.coverage
        + model.cosine_lead * evidence.cosine_lead
        + model.bm25_lead * evidence.bm25_lead
        + model.firsts * evidence.firsts
    )
    return 1.0 / (1.0 + math.exp(-logit))


def running_minimum(scores: Sequence[float]) -> list[float]:
    """Each score, or the least above it, so that a list never rises."""
    lowest = 1.0
    return [lowest := min(lowest, score) for score in scores]


def coverage(present: frozenset[str], weights: Mapping[str, float]) -> float:
    """Share of the weights of the query's words that are `present`; 0 for a query without words."""
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in present) / total if total else 0.0


def _mean(candidates: Sequence[Candidate], ranks: slice) -> float:
    chosen = candidates[ranks]
    return sum(candidate.evidence for candidate in chosen) / len(chosen) if chosen else 0.0
