"""The exact search: the cosine of the query with every row that counts, in one pass.

float16 rows need no second, finer pass: 35,000 rows of 384 numbers take 1.5 ms on one core, and the scores are within
1e-4 of float32. int8 rows would take 0.6 ms, and then need the float16 rows beside them to be put in the right order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.batches import row_indices
from trilith.index.vector.rows import Snapshot
from trilith.index.vector.table import Ints, Ranges
from trilith.model.hits import Candidate
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats

GATHER_SHARE = 0.1
"""Up to this share of the rows it is cheaper to copy the wanted ones together than to look at all of them."""

_ORDINALS = 1 << 24
"""More than the chunks of any note."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """Notes, best first unless said otherwise, each with the score and the chunk of its best row; or so of chunks."""

    nums: Ints
    scores: Scores
    chunks: NDArray[np.int32]

    def by_chunk(self) -> dict[tuple[int, int], float]:
        """Note and ordinal -> cosine."""
        shown = np.clip(self.scores, -1.0, 1.0).tolist()
        return dict(zip(zip(self.nums.tolist(), self.chunks.tolist(), strict=True), shown, strict=True))


def best_notes(snapshot: Snapshot, query: Floats, wanted: Ranges, hidden: Ints, depth: int) -> Best:
    """The `depth` best of the wanted notes; ties by number.

    `query` is float32 [width], L2-normalised; `hidden`, int64 [n, 2], the chunks that are not there.
    """
    scores, start = _score(snapshot, query, wanted)
    if len(hidden):
        rows = row_indices(start, wanted.count)
        scores[rows[np.isin(_keys(snapshot, wanted), _key(*hidden.T))]] = -np.inf
    best = _maxima(scores, start, wanted.count)
    top = _top(best, wanted.nums, depth)
    top = top[best[top] > -np.inf]
    rows = wanted.first[top] + _places(scores, start[top], wanted.count[top], best[top])
    return Best(nums=wanted.nums[top], scores=best[top], chunks=snapshot.ordinals[rows])


def best_chunks(
    snapshot: Snapshot, query: Floats, wanted: Ranges, hidden: Ints, *, depth: int, also: Ints
) -> dict[tuple[int, int], float]:
    """Note and ordinal -> score, of the `depth` best chunks of the wanted notes (ties by note, then ordinal) and of those
    in `also`, int64 [n, 2], that are among them."""
    scores, start = _score(snapshot, query, wanted)
    keys, scores = _keys(snapshot, wanted), scores[row_indices(start, wanted.count)]
    if len(hidden):
        seen = ~np.isin(keys, _key(*hidden.T))
        keys, scores = keys[seen], scores[seen]
    chosen = np.union1d(_top(scores, keys, depth), np.flatnonzero(np.isin(keys, _key(*also.T))))
    chosen = chosen[np.lexsort((keys[chosen], -scores[chosen]))]
    nums, ordinals = np.divmod(keys[chosen], _ORDINALS)
    return Best(nums=nums, scores=scores[chosen], chunks=ordinals.astype(np.int32)).by_chunk()


def merge(parts: Sequence[Best], depth: int) -> tuple[Candidate, ...]:
    """The best of several libraries, as one list."""
    if not parts:
        return ()
    nums = np.concatenate([part.nums for part in parts])
    scores = np.clip(np.concatenate([part.scores for part in parts]), -1.0, 1.0)
    chunks = np.concatenate([part.chunks for part in parts])
    order = np.lexsort((nums, -scores))[:depth]
    rows = zip(nums[order].tolist(), scores[order].tolist(), chunks[order].tolist(), strict=True)
    return tuple(starmap(Candidate, rows))


def select(snapshot: Snapshot, allowed: Allowed) -> Ranges:
    """The allowed notes that have vectors."""
    ranges = snapshot.ranges
    return ranges if allowed.nums is None else ranges[np.isin(ranges.nums, allowed.nums)]


def hidden_rows(snapshot: Snapshot, wanted: Ranges, hidden: Ints) -> Ints:
    """The rows of wanted notes that hold hidden chunks, int64 [n, 2]."""
    theirs = wanted[np.isin(wanted.nums, hidden[:, 0])]
    rows = row_indices(theirs.first, theirs.count)
    return rows[np.isin(_keys(snapshot, theirs), _key(*hidden.T))]


def _keys(snapshot: Snapshot, wanted: Ranges) -> Ints:
    """One number for each wanted row that tells its chunk from all others, and sorts by note and ordinal."""
    rows = row_indices(wanted.first, wanted.count)
    return _key(np.repeat(wanted.nums, wanted.count), snapshot.ordinals[rows])


def _key(nums: Ints, ordinals: NDArray[np.int32] | Ints) -> Ints:
    return nums * _ORDINALS + ordinals


def _score(snapshot: Snapshot, query: Floats, wanted: Ranges) -> tuple[Scores, Ints]:
    """Scores of at least the wanted rows, minus infinity behind them, and where among them each range starts."""
    if wanted.rows > GATHER_SHARE * len(snapshot.vectors):
        return dot(snapshot.vectors, query), wanted.first
    rows = row_indices(wanted.first, wanted.count)
    return dot(snapshot.vectors[rows], query), np.cumsum(wanted.count) - wanted.count


def dot(vectors: NDArray[np.float16], query: Floats) -> Scores:
    """The cosines, and minus infinity behind them."""
    # Loaded here: a process that never searches by meaning does not pay for it.
    import numkong

    # float64, because any other type makes the kernel convert score by score, 20 times slower.
    scores = np.empty(len(vectors) + 1, np.float64)
    scores[-1] = -np.inf
    if len(vectors):
        numkong.cdist(query.astype(np.float16)[np.newaxis], vectors, "dot", out=scores[np.newaxis, :-1])
    return scores


def _maxima(scores: Scores, start: Ints, count: Ints) -> Scores:
    """The best score of each range; the ranges rise, do not overlap, and none is empty."""
    # `reduceat` gives the maxima between neighbouring edges: every second one is a range, the others are the gaps.
    edges = np.stack([start, start + count], axis=1).ravel()
    return np.maximum.reduceat(scores, edges)[::2] if edges.size else np.empty(0, np.float64)


def _top(scores: Scores, nums: Ints, depth: int) -> Ints:
    """Places of the `depth` best scores, best first, ties by number."""
    places = np.arange(len(scores))
    if 0 < depth < len(scores):
        # All that tie with the last one stay in, so that the number decides and not the partition.
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        places = np.flatnonzero(scores >= last)
    return places[np.lexsort((nums[places], -scores[places]))][: max(depth, 0)]


def _places(scores: Scores, start: Ints, count: Ints, best: Scores) -> Ints:
    """Where in each range its best score stands first."""
    equal = scores[row_indices(start, count)] == np.repeat(best, count)
    ranges = np.repeat(np.arange(len(start)), count)
    within = row_indices(np.zeros_like(count), count)
    _, first = np.unique(ranges[equal], return_index=True)
    places: Ints = within[equal][first]
    return places
