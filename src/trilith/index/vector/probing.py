"""The search of a large library: its inverted lists are looked into, the best of what they name is compared exactly, and so
is whatever is newer than the lists. Small libraries, small selections and searches that find too little are scanned.

Notes and chunks that must not be found are never seen: they are masked inside the lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.lists import Lists
from trilith.index.vector.plan import looks, worthwhile
from trilith.index.vector.rows import Snapshot
from trilith.index.vector.scan import Best, Scores, best_chunks, best_notes, dot, hidden_rows, select
from trilith.index.vector.table import Ints, Ranges
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats

BLUR = 0.005
"""How far the cosine of a code may be from that of its row."""

NO_CHUNKS = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class Look:
    """What a look into the lists has found: rows and their exact cosines. All rows better than `sure` are among them, of
    those in the lists that it looked into."""

    rows: Ints
    scores: Scores
    sure: float
    everywhere: bool
    """Whether it looked into every list."""

    def is_enough(self, scores: Scores, wanted: int) -> bool:
        """Whether the best `wanted` of these scores are the best there are."""
        complete = self.everywhere and self.sure == -np.inf
        return complete or int((scores > self.sure).sum()) >= wanted


def near_notes(snapshot: Snapshot, lists: Lists | None, query: Floats, allowed: Allowed, depth: int) -> list[Best]:
    """As `scan.best_notes`: notes among which are the `depth` best of the allowed ones."""
    wanted = select(snapshot, allowed)
    if lists is not None and worthwhile(wanted.rows, snapshot.header.rows):
        old, new = wanted.split(lists.label.rows)
        for look in _looks(snapshot, lists, query, old, allowed, depth=depth):
            best = _by_note(snapshot, old, look)
            if look.is_enough(best.scores, depth):
                return [best, best_notes(snapshot, query, new, allowed.hidden, depth)]
    return [best_notes(snapshot, query, wanted, allowed.hidden, depth)]


def near_chunks(
    snapshot: Snapshot, lists: Lists | None, query: Floats, allowed: Allowed, *, depth: int, also: Ints
) -> dict[tuple[int, int], float]:
    """As `scan.best_chunks`: chunks among which are the `depth` best of the allowed notes, and those in `also`."""
    wanted = select(snapshot, allowed)
    if lists is not None and worthwhile(wanted.rows, snapshot.header.rows):
        old, new = wanted.split(lists.label.rows)
        for look in _looks(snapshot, lists, query, old, allowed, depth=depth):
            if look.is_enough(look.scores, depth):
                asked = wanted[np.isin(wanted.nums, also[:, 0])]
                return {
                    **_by_chunk(snapshot, old, look),
                    **best_chunks(snapshot, query, new, allowed.hidden, depth=depth, also=NO_CHUNKS),
                    **best_chunks(snapshot, query, asked, allowed.hidden, depth=0, also=also),
                }
    return best_chunks(snapshot, query, wanted, allowed.hidden, depth=depth, also=also)


def _looks(
    snapshot: Snapshot, lists: Lists, query: Floats, old: Ranges, allowed: Allowed, *, depth: int
) -> Iterator[Look]:
    if depth <= 0:
        yield Look(np.empty(0, np.int64), np.empty(0, np.float64), -np.inf, everywhere=True)
        return
    passing = _passing(snapshot, old, allowed)
    for candidates, probes in looks(depth, lists.count, old.rows / lists.label.rows):
        scores, rows = lists.nearest(query, passing, probes, candidates)
        # The last candidate may be one of many that are as good.
        sure = float(scores[-1]) + BLUR if len(rows) == candidates else -np.inf
        rows = np.sort(rows)
        yield Look(rows, dot(snapshot.vectors[rows], query)[:-1], sure, everywhere=probes == lists.count)


def _passing(snapshot: Snapshot, old: Ranges, allowed: Allowed) -> NDArray[np.uint8]:
    """The bits of the rows that may be found."""
    if allowed.nums is None and not len(allowed.hidden):
        return snapshot.live_bits
    flags = old.flags(snapshot.header.rows)
    flags[hidden_rows(snapshot, old, allowed.hidden)] = False
    return np.packbits(flags, bitorder="little")


def _by_note(snapshot: Snapshot, old: Ranges, look: Look) -> Best:
    places = old.places(look.rows)
    order = np.lexsort((look.rows, -look.scores, places))
    _, first = np.unique(places[order], return_index=True)
    best = order[first]
    return Best(
        nums=old.nums[places[best]],
        scores=look.scores[best],
        chunks=snapshot.ordinals[look.rows[best]],
    )


def _by_chunk(snapshot: Snapshot, old: Ranges, look: Look) -> dict[tuple[int, int], float]:
    nums, ordinals = old.nums[old.places(look.rows)], snapshot.ordinals[look.rows]
    shown = np.clip(look.scores, -1.0, 1.0).tolist()
    return dict(zip(zip(nums.tolist(), ordinals.tolist(), strict=True), shown, strict=True))
