"""Why a note stands where it does among the results, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trilith.model.explanation import Calibration, Explanation

FEATURES = {
    "cosine": "how near its best passage is in meaning",
    "coverage": "how much of the query stands in that passage",
    "cosine_lead": "its lead over the others in meaning",
    "bm25_lead": "its lead over the others in words",
    "firsts": "being first for words or meaning",
}
LONGEST = 240
"""Characters of a passage."""


@dataclass(frozen=True, slots=True)
class Reason:
    name: str
    said: str


def reasons(found: Explanation) -> tuple[Reason, ...]:
    """What tells most comes first."""
    return tuple(Reason(name, said) for name, said in _reasons(found))


def _reasons(found: Explanation) -> Iterator[tuple[str, str]]:
    if found.named:
        yield "Name", f"The query is its {found.named}" + (", which alone raises its score" if found.raised else "")
    if found.terms:
        yield "Words", "; ".join(f"{term.text} in {', '.join(term.fields)}" for term in found.terms)
    if found.missing:
        yield "Without", ", ".join(found.missing)
    if found.chunk is not None:
        text = " ".join(found.chunk.text.split())
        under = f"{' › '.join(found.chunk.headings)}: " if found.chunk.headings else ""
        yield "Passage", f"{under}{text[:LONGEST]}{'…' if len(text) > LONGEST else ''}"
    if found.reranked is not None:
        yield "Reranked", f"From place {found.reranked.rank}, by a score of {found.reranked.score:.2f}"
    if found.calibration is not None:
        yield "Score", _score(found.calibration, lowered=found.lowered)


def _score(found: Calibration, *, lowered: bool) -> str:
    """The features that moved the score, the strongest first."""
    moved = sorted(found.contributions, key=lambda each: -abs(each.logit))
    parts = [f"{FEATURES.get(each.feature, each.feature)} {each.logit:+.1f}" for each in moved if each.logit]
    shown = "; shown as that of the note above" if lowered else ""
    return f"{round(100 * found.probability)} by itself{shown}. What moved it: {', '.join(parts)}"
