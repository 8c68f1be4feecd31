"""Fusion: several orders of notes become one. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat

from trilith.model.hits import Candidate
from trilith.model.ids import Num

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009: a list contributes 1 / (k + rank), rank from 1."""

BY_MEANING = 0.7
BY_WORDS = 0.3


def reciprocal_rank(
    lists: Iterable[Sequence[Num]], times: Iterable[int] = repeat(1), k: int = RRF_K
) -> dict[Num, float]:
    """The fused score of every note that stands in any list; each list counts so many `times`."""
    fused: dict[Num, float] = {}
    for ranking, count in zip(lists, times, strict=False):
        for rank, num in enumerate(ranking, start=k + 1):
            fused[num] = fused.get(num, 0.0) + count / rank
    return fused


def imputed(
    fused: Mapping[Num, float], fulltext: Sequence[Num], wordless: Collection[Num], voices: int
) -> dict[Num, float]:
    """The fused scores, with the full-text rank of a note without text standing in for all `voices`.

    A note that is nothing but a name and properties has no chunk, so that only one list can judge it, and any note that all
    lists hold would pass it however well its name fits.
    """
    alone = {num: voices / (RRF_K + rank) for rank, num in enumerate(fulltext, start=1) if num in wordless}
    return {**fused, **alone}


def weighted(
    fulltext: Sequence[Candidate], semantic: Sequence[Candidate], wordless: Collection[Num] = ()
) -> dict[Num, float]:
    """0.7 of the cosine + 0.3 of BM25 divided by the best of the list; what a list does not hold counts 0 there, and so does
    a cosine below it. For a note without text BM25 counts in full. The usual weighted fusion: it keeps what ranks lose, how
    far apart the scores are."""
    most = max((candidate.raw for candidate in fulltext), default=0.0) or 1.0
    fused = {num: (1.0 if num in wordless else BY_WORDS) * raw / most for num, raw, _, _ in fulltext}
    for num, raw, _, alike in semantic:
        fused[num] = fused.get(num, 0.0) + BY_MEANING * max(raw if alike is None else alike, 0.0)
    return fused


def third(fulltext: Sequence[Candidate], semantic: Sequence[Candidate]) -> list[Num]:
    """The order of `weighted`: a list of its own, for a third voice in the fusion by ranks. Equals stand as in the full-text
    list, then as in the other."""
    fused = weighted(fulltext, semantic)
    return sorted(fused, key=fused.__getitem__, reverse=True)  # stable all the same
