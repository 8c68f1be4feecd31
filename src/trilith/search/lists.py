"""The lists of a pure fusion: names first, ties settled, cut to the pool. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.search.order import settle

Entries = Callable[[Iterable[Num]], Mapping[Num, Entry]]


def pooled(ranked: Ranked, first: Sequence[Num], pool: int) -> Ranked:
    """One engine's list as it is fused and shown: of its notes those in `first`, in that order, then the others; the best
    `pool` of them."""
    lifted = {num: place for place, num in enumerate(first)}
    ordered = sorted(ranked.candidates, key=lambda candidate: lifted.get(candidate.num, len(lifted)))
    return replace(ranked, candidates=tuple(ordered[:pool]))


def settled(ranked: Ranked, entries: Entries) -> Ranked:
    """The list of an engine that leaves ties as they come: equal scores newest and then least id first. Only the entries
    of notes that share a score are asked for."""
    scores = {candidate.num: candidate.raw for candidate in ranked.candidates}
    tied = {num for pair in pairwise(scores) if scores[pair[0]] == scores[pair[1]] for num in pair}
    if not tied:
        return ranked
    place = {num: place for place, num in enumerate(settle(scores, entries(tied), (), len(tied)))}
    ordered = sorted(ranked.candidates, key=lambda candidate: (-candidate.raw, place.get(candidate.num, 0)))
    return replace(ranked, candidates=tuple(ordered))
