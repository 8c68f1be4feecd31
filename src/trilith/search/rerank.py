"""Puts the best of a fusion into a better order, where the owner has given a model for that and it is quick enough.

What fails on the way is a value: the order before it stands, and the answer says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.model.ids import Num
from trilith.ports.reranking import Reranker

LOADING_SECONDS = 2.0
"""How long a search waits for a model that is still loading: as long as for vectors."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """An order, the one `before` it, and how it came about: `scores` of the notes that were compared, none where that
    failed."""

    order: tuple[Num, ...]
    before: tuple[Num, ...] = ()
    scores: Mapping[Num, float] = field(default_factory=dict)
    state: EngineState = EngineState.OK
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reranking:
    """What the owner has chosen: to compare the best `top` notes, within so many `seconds`."""

    reranker: Reranker
    top: int
    seconds: float

    def apply(self, query: str, order: Sequence[Num], first: Sequence[Num], texts: Mapping[Num, str]) -> Reranked:
        """The best `top` notes by how well their texts answer; `first` stay first, and the rest where they are."""
        led = frozenset(first)
        judged = [num for num in order[: self.top] if num not in led]
        if len(judged) < 2:
            return Reranked(tuple(order))
        status = self.reranker.wait(LOADING_SECONDS)
        if status.state is not EngineState.OK:
            return Reranked(tuple(order), state=status.state, reason=status.reason or "the reranker is still loading")
        try:
            found = self.reranker.scores(query, [texts[num] for num in judged], self.seconds)
        except Unavailable as failure:
            return Reranked(tuple(order), state=EngineState.DEGRADED, reason=failure.message.rstrip("."))
        scores = dict(zip(judged, found, strict=True))
        return Reranked(tuple(reordered(order, scores)), tuple(order), scores)


def reordered(order: Sequence[Num], scores: Mapping[Num, float]) -> list[Num]:
    """The notes that have a score change places among themselves, the best first, equals as they stood. Pure."""
    best = iter(sorted((num for num in order if num in scores), key=lambda num: -scores[num]))
    return [next(best) if num in scores else num for num in order]
