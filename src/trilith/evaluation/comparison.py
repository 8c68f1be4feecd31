"""Is one run better than another, or is that chance? The paired bootstrap over queries.

Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13 (percentile intervals).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

DRAWS = 2_000
SHARE = 0.95
SEED = 1
"""The same two runs always give the same interval."""


def difference(now: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float] | None:
    """How much better a measure is now, over the queries that both runs have: `difference`, and `low` and `high`, between which
    it lies with 95 %; None when they have no query in common. Takes query id -> measure."""
    shared = [query for query in now if query in before]
    if not shared:
        return None
    changes = [now[query] - before[query] for query in shared]
    low, high = interval(changes)
    return {
        "difference": round(fmean(changes), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "queries": len(shared),
    }


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Between what the mean of such values lies with 95 %. At least one value."""
    given = np.asarray(values)
    drawn = np.random.default_rng(SEED).integers(0, len(given), (DRAWS, len(given)))
    low, high = np.quantile(given[drawn].mean(axis=1), ((1 - SHARE) / 2, (1 + SHARE) / 2))
    return float(low), float(high)
