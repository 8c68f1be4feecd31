"""Fusion: several orders of notes become one. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from trilith.model.hits import Candidate
from trilith.model.ids import Num

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009: a list contributes 1 / (k + rank), rank from 1."""


def reciprocal_rank(lists: Sequence[Sequence[Num]], k: int = RRF_K) -> dict[Num, float]:
    """The fused score of every note that stands in any list."""
    fused: dict[Num, float] = {}
    for ranking in lists:
        for rank, num in enumerate(ranking, start=1):
            fused[num] = fused.get(num, 0.0) + 1.0 / (k + rank)
    return fused


def imputed(fused: Mapping[Num, float], wordless: Collection[Num], voices: int) -> dict[Num, float]:
    """The fused scores, with the full-text rank of a note without text standing in for the ranks it cannot have.

    A note that is nothing but a name and properties has no chunk, so that `voices` - 1 lists could never hold it, and any
    note that all lists hold would pass it however well its name fits.
    """
    return {num: score * voices if num in wordless else score for num, score in fused.items()}


def agreement(fulltext: Sequence[Candidate], semantic: Sequence[Candidate]) -> list[Num]:
    """The notes that both engines found, by cosine times BM25: a list of its own for a third voice in the fusion.

    Both factors are positive evidence for the same note, so their product orders the notes on which the engines agree
    better than either rank does; cosines below zero count as zero. Equal ones stand as in the full-text list.
    """
    cosine: Mapping[Num, float] = {candidate.num: max(candidate.raw, 0.0) for candidate in semantic}
    both = [(candidate.raw * cosine[candidate.num], candidate.num) for candidate in fulltext if candidate.num in cosine]
    return [num for _, num in sorted(both, key=lambda pair: -pair[0])]
