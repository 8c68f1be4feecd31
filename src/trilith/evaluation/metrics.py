"""Measures of one ranked list against judgements. Pure.

`ranked` are document ids, best first, each once; `relevance` holds the judged documents of the query, a grade above 0
means relevant. The definitions are those of trec_eval but for the gain of nDCG, which is exponential: Burges et al.,
"Learning to Rank using Gradient Descent", ICML 2005.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

DEPTH = 10
"""How far down a list is looked at."""


def ndcg(ranked: Sequence[str], relevance: Mapping[str, float], depth: int = DEPTH) -> float:
    """Discounted cumulative gain, gain 2^grade - 1, discount log2(rank + 1), over that of the ideal order; 0..1."""
    ideal = _discounted(sorted(relevance.values(), reverse=True)[:depth])
    return _discounted([relevance.get(document, 0.0) for document in ranked[:depth]]) / ideal if ideal else 0.0


def recall(ranked: Sequence[str], relevance: Mapping[str, float], depth: int = DEPTH) -> float:
    """Share of all relevant documents that stand among the first `depth`; 0..1."""
    relevant = _relevant(relevance)
    return len(relevant.intersection(ranked[:depth])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevance: Mapping[str, float], depth: int = DEPTH) -> float:
    """1 / rank of the first relevant document, 0 when none is among the first `depth`."""
    relevant = _relevant(relevance)
    return next((1.0 / rank for rank, document in enumerate(ranked[:depth], start=1) if document in relevant), 0.0)


def success(ranked: Sequence[str], relevance: Mapping[str, float], depth: int = 1) -> float:
    """1 when a relevant document is among the first `depth`, else 0."""
    return 1.0 if _relevant(relevance).intersection(ranked[:depth]) else 0.0


MEASURES = {"ndcg10": ndcg, "recall10": recall, "mrr": reciprocal_rank, "success1": success}


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least `share` (0..1) of the values do not exceed (nearest rank). 0 for no values."""
    if not values:
        return 0.0
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def _discounted(grades: Sequence[float]) -> float:
    return math.fsum((math.pow(2.0, grade) - 1.0) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def _relevant(relevance: Mapping[str, float]) -> frozenset[str]:
    return frozenset(document for document, grade in relevance.items() if grade > 0)
