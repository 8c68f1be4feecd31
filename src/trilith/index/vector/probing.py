"""The search of a large library: its inverted lists are looked into, the best of what they name is compared exactly, and so
is whatever is newer than the lists. Small libraries, small selections and searches that find too little are scanned.

Notes and chunks that must not be found are never seen: they are masked inside the lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.lists import Lists
from trilith.index.vector.plan import LOOKS, MOST_CANDIDATES, SLACK, SURE, first_look, next_look, reach, worthwhile
from trilith.index.vector.rows import Snapshot
from trilith.index.vector.scan import Best, Scores, best_chunks, best_notes, dot, hidden_rows, select
from trilith.index.vector.table import Ints, Ranges
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats

BLUR = 0.002
"""How far the cosine of a code may be from that of its row: four times the standard deviation."""

NO_CHUNKS = np.empty((0, 2), np.int64)


Shape = Callable[[Snapshot, Ranges, "Look"], Best]
"""What is made of the rows that a look has found: notes or chunks."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look into the lists has found: rows and their exact cosines. No row of those lists that is better than `sure` is
    missing; the others were cut off."""

    rows: Ints
    scores: Scores
    sure: float


def near_notes(snapshot: Snapshot, lists: Lists | None, query: Floats, allowed: Allowed, depth: int) -> list[Best]:
    """As `scan.best_notes`: notes among which are the `depth` best of the allowed ones."""
    wanted = select(snapshot, allowed)
    if lists is not None and worthwhile(wanted.rows, snapshot.header.rows):
        old, new = wanted.split(lists.label.rows)
        near = _look(snapshot, lists, query, old, allowed, depth=depth, shape=_by_note)
        if near is not None:
            return [near, best_notes(snapshot, query, new, allowed.hidden, depth)]
    return [best_notes(snapshot, query, wanted, allowed.hidden, depth)]


def near_chunks(
    snapshot: Snapshot, lists: Lists | None, query: Floats, allowed: Allowed, *, depth: int, also: Ints
) -> dict[tuple[int, int], float]:
    """As `scan.best_chunks`: chunks among which are the `depth` best of the allowed notes, and those in `also`."""
    wanted = select(snapshot, allowed)
    if lists is not None and worthwhile(wanted.rows, snapshot.header.rows):
        old, new = wanted.split(lists.label.rows)
        near = _look(snapshot, lists, query, old, allowed, depth=depth, shape=_by_chunk)
        if near is not None:
            asked = wanted[np.isin(wanted.nums, also[:, 0])]
            return {
                **near.by_chunk(),
                **best_chunks(snapshot, query, new, allowed.hidden, depth=depth, also=NO_CHUNKS),
                **best_chunks(snapshot, query, asked, allowed.hidden, depth=0, also=also),
            }
    return best_chunks(snapshot, query, wanted, allowed.hidden, depth=depth, also=also)


def _look(
    snapshot: Snapshot, lists: Lists, query: Floats, old: Ranges, allowed: Allowed, *, depth: int, shape: Shape
) -> Best | None:
    """What the first look finds that finds enough: `depth` of this shape that no cut can have hidden a better one of, out of all
    lists that are likely to hold any. None when it takes the scan."""
    if depth <= 0 or not old.rows:
        return shape(snapshot, old, Look(np.empty(0, np.int64), np.empty(0, np.float64), -np.inf))
    passing = _passing(snapshot, old, allowed)
    candidates, probes = first_look(depth, lists.count, old.rows / lists.label.rows)
    for _ in range(LOOKS):
        if candidates > MOST_CANDIDATES:
            return None
        look = _once(snapshot, lists, query, passing, candidates=candidates, probes=probes)
        is_cut, found = look.sure > -np.inf, shape(snapshot, old, look)
        if (probes >= lists.count and not is_cut) or int((found.scores > look.sure).sum()) >= depth:
            within = lists.within(query, _kth(look.scores, min(depth, SURE)) - SLACK)
            if probes >= reach(within, probes, lists.count):
                return found
            probes = reach(within, probes, lists.count)
        else:
            candidates, probes = next_look(candidates, probes, cut=is_cut)
    return None


def _once(
    snapshot: Snapshot, lists: Lists, query: Floats, passing: NDArray[np.uint8], *, candidates: int, probes: int
) -> Look:
    scores, rows = lists.nearest(query, passing, min(probes, lists.count), candidates)
    # The last candidate may be one of many that are as good.
    sure = float(scores[-1]) + BLUR if len(rows) == candidates else -np.inf
    rows = np.sort(rows)
    return Look(rows, dot(snapshot.vectors[rows], query)[:-1], sure)


def _kth(scores: Scores, k: int) -> float:
    """The k-th best score; minus infinity when there are fewer."""
    return float(np.partition(scores, len(scores) - k)[len(scores) - k]) if len(scores) >= k else -np.inf


def _passing(snapshot: Snapshot, old: Ranges, allowed: Allowed) -> NDArray[np.uint8]:
    """The bits of the rows that may be found."""
    if allowed.nums is None and not len(allowed.hidden):
        return snapshot.live_bits
    flags = old.flags(snapshot.header.rows)
    flags[hidden_rows(snapshot, old, allowed.hidden)] = False
    return np.packbits(flags, bitorder="little")


def _by_note(snapshot: Snapshot, old: Ranges, look: Look) -> Best:
    """Each note once, with its best row."""
    places = old.places(look.rows)
    order = np.lexsort((look.rows, -look.scores, places))
    _, first = np.unique(places[order], return_index=True)
    best = order[first]
    return Best(nums=old.nums[places[best]], scores=look.scores[best], chunks=snapshot.ordinals[look.rows[best]])


def _by_chunk(snapshot: Snapshot, old: Ranges, look: Look) -> Best:
    return Best(nums=old.nums[old.places(look.rows)], scores=look.scores, chunks=snapshot.ordinals[look.rows])
