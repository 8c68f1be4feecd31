"""The order of hits. Pure: exact names first, then score, ties by date and id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.ports.catalog import Named, NameKind

NAME_ORDER = (NameKind.TITLE, NameKind.ALIAS, NameKind.STEM, NameKind.ID)
"""Kinds of names that lift a note to the top when they equal the query, in this order. A stem is a note's slug."""


def named_first(named: Iterable[Named]) -> list[Num]:
    """Notes whose title, alias, slug or id equals the query, each once."""
    best: dict[Num, int] = {}
    for name in named:
        if name.kind in NAME_ORDER:
            place = NAME_ORDER.index(name.kind)
            best[name.num] = min(place, best.get(name.num, place))
    return sorted(best, key=lambda num: best[num])


def contenders(scores: Mapping[Num, float], limit: int) -> list[Num]:
    """Every note that could be among the best `limit`, ties at the edge included, best first."""
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)  # stable all the same
    if len(ranked) <= limit:
        return ranked
    edge = scores[ranked[limit - 1]]
    return [num for num in ranked if scores[num] >= edge]


def settle(scores: Mapping[Num, float], entries: Mapping[Num, Entry], first: Sequence[Num], limit: int) -> list[Num]:
    """The final order of the notes in `entries`: `first`, then by score, newest and then least id among equals."""
    place = {num: index for index, num in enumerate(first)}

    def key(num: Num) -> tuple[int, float, float, str]:
        entry = entries[num]
        return (place.get(num, len(place)), -scores.get(num, 0.0), -entry.updated_at.timestamp(), entry.id)

    return sorted(entries, key=key)[:limit]
