"""Cosines of different models on one scale: that of the usual one, for which scores are calibrated. Pure."""

from __future__ import annotations

from dataclasses import replace

from trilith.model.hits import Ranked
from trilith.ports.embedding import Likeness

USUAL = Likeness(unrelated=0.050, related=0.434)
"""Of the model that comes with the program, by the same texts by which others are measured."""
LEAST_DIFFERENCE = 0.05
"""Between related and unrelated texts, below which a model's cosines are no evidence of anything."""


def comparable(ranked: Ranked, likeness: Likeness | None) -> Ranked:
    """The same candidates, each with the cosine that the usual model would have given; as they are for that itself."""
    if likeness is None:
        return ranked
    found = [candidate._replace(alike=on_usual_scale(candidate.raw, likeness)) for candidate in ranked.candidates]
    return replace(ranked, candidates=tuple(found))


def on_usual_scale(cosine: float, likeness: Likeness) -> float:
    """Unrelated texts are as far apart as with the usual model, related ones as near; at most 1."""
    difference = likeness.related - likeness.unrelated
    if difference < LEAST_DIFFERENCE:
        return USUAL.unrelated
    share = (cosine - likeness.unrelated) / difference
    return min(USUAL.unrelated + share * (USUAL.related - USUAL.unrelated), 1.0)
