"""The lists of a pure fusion: names first, ties settled, cut to the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.search.order import settle

Entries = Callable[[Iterable[Num]], Mapping[Num, Entry]]


def pooled(ranked: Ranked, first: Sequence[Num], entries: Entries, pool: int) -> Ranked:
    """One engine's list as it is fused and shown: of its notes those in `first`, in that order, then the others by score,
    equal ones newest and then least id first; the best `pool` of them."""
    scores = {candidate.num: candidate.raw for candidate in ranked.candidates}
    places = {num: place for place, num in enumerate(_untied(scores, entries))}
    lifted = {num: place for place, num in enumerate(first)}
    ordered = sorted(ranked.candidates, key=lambda c: (lifted.get(c.num, len(lifted)), places[c.num]))
    return replace(ranked, candidates=tuple(ordered[:pool]))


def _untied(scores: Mapping[Num, float], entries: Entries) -> list[Num]:
    """The notes in order of their scores, the entries of those fetched that share one."""
    tied = {num for pair in pairwise(scores) if scores[pair[0]] == scores[pair[1]] for num in pair}
    if not tied:
        return list(scores)
    settled = iter(settle(scores, entries(tied), (), len(tied)))
    return [next(settled, num) if num in tied else num for num in scores]
