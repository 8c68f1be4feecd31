"""When inverted lists are made and used, and how far they are looked through: rules without I/O.

The figures behind the numbers are in `bench/README.md` (600,000 rows of 384 numbers).
"""

from __future__ import annotations

import math
from enum import Enum

LARGE = 200_000
"""Live rows from which on a library has inverted lists; to scan fewer takes less than 10 ms."""
GATHERED_SHARE = 0.06
"""Up to this share of the rows it costs less to gather and compare them than to look for them in the lists."""
PROBED_SHARE = 1 / 32
FEWEST_PROBES = 32
"""Of the lists, the part that a search without a filter looks into at first."""
FARTHEST_SHARE = 1 / 8
"""Of the lists, the part that a question far from all rows may look into."""
SLACK = 0.15
"""How much nearer to a query than its centroid the rows of a list are, seldom more: in nine of ten cases for questions that
are far from everything, where lists differ least."""
SURE = 10
"""Rows by which it is told how far there is to look."""
TAIL_SHARE = 1 / 8
"""Rows that are not in the lists, to those that are, before they are made anew. Until then they are scanned."""

MOST_LISTS = 4_096
SAMPLE_PER_LIST = 32
SAMPLE_BYTES = 96 << 20
"""Of float32 rows that the centroids are trained with, at most."""

FEWEST_CANDIDATES = 256
MOST_CANDIDATES = 16_384
"""Rows compared exactly after a look into the lists. Whoever needs more is better off with the scan."""
CANDIDATES_PER_RESULT = 3
LOOKS = 3
"""After the last one only the scan is left."""


class Work(Enum):
    """What is to be done about the lists of a library."""

    NOTHING = "nothing"
    BUILD = "build"
    DISCARD = "discard"


def work(live: int, rows: int, covered: int | None, large: int) -> Work:
    """`live` of a library's `rows` belong to notes; the lists cover the first `covered` ones, None without usable lists."""
    if live < large or live == 0:
        return Work.NOTHING if covered is None else Work.DISCARD
    if covered is None or rows - covered > TAIL_SHARE * covered:
        return Work.BUILD
    return Work.NOTHING


def outgrown(live: int, trained: int) -> bool:
    """Whether centroids that were trained when there were `trained` rows are to be trained anew: at twice, or half, of it."""
    return not trained / 2 < live < trained * 2


def list_count(live: int, width: int) -> int:
    """Twice the square root of the rows, as far as the sample allows for."""
    most_sampled = max(1, SAMPLE_BYTES // (4 * width))
    return max(1, min(2 * math.isqrt(live), MOST_LISTS, most_sampled // SAMPLE_PER_LIST, live))


def worthwhile(wanted: int, rows: int) -> bool:
    """Whether to look into the lists for `wanted` of all rows, rather than at each of the wanted."""
    return wanted > GATHERED_SHARE * rows


def first_look(depth: int, lists: int, share: float) -> tuple[int, int]:
    """How many rows to fetch, from how many lists, for the best `depth` notes or chunks when only a share of the rows may be
    found: the fewer, the farther away are the best of them."""
    probes = math.ceil(max(lists * PROBED_SHARE, FEWEST_PROBES) / share)
    return max(FEWEST_CANDIDATES, CANDIDATES_PER_RESULT * depth), max(1, min(lists, probes))


def reach(within: int, probes: int, lists: int) -> int:
    """How many lists to look into when so many of their centroids are near enough to hold a better row (`SLACK`) and `probes`
    were looked into at first. Not a few more: the second look begins from the start."""
    far = min(within, math.ceil(lists * FARTHEST_SHARE))
    return far if far >= 1.5 * probes else probes


def next_look(candidates: int, probes: int, *, cut: bool) -> tuple[int, int]:
    """After a look that has found too little: more rows where some were `cut` off, else more lists."""
    return (4 * candidates, probes) if cut else (candidates, 4 * probes)
