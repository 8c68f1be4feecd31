"""Dresses the chosen notes: the text of their best chunk, the snippet, the engines' words on each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trilith.language.excerpt import excerpt
from trilith.model.hits import EngineMatch, Ranked
from trilith.model.ids import Num
from trilith.ports import Catalog

LONG = 20_000
"""Characters."""


class Wardrobe:
    """The texts behind the hits of one query."""

    def __init__(self, catalog: Catalog, nums: Sequence[Num], semantic: Ranked) -> None:
        wanted = frozenset(nums)
        self.best = {c.num: c.chunk for c in semantic.candidates if c.num in wanted and c.chunk is not None}
        chunks = catalog.chunk_texts(list(self.best.items())) if self.best else {}
        self._texts = {num: chunk.text for (num, _), chunk in chunks.items()}
        without = [num for num in nums if num not in self._texts]
        self._texts |= catalog.bodies(without) if without else {}

    def text(self, num: Num) -> str:
        """The best chunk's text; the whole body for a note that has none."""
        return self._texts.get(num, "")

    def snippet(self, num: Num, words: Sequence[str]) -> str:
        return excerpt(near(self.text(num), words), words)


def near(text: str, words: Sequence[str]) -> str:
    """The part of a very long text around the first of these words that stands in it as it is, else its beginning: to
    take every word of a book apart for three lines would cost seconds."""
    if len(text) <= LONG:
        return text
    lowered = text.lower()
    places = [place for word in words if (place := lowered.find(word.rstrip("*"))) >= 0]
    start = max(min(places, default=0) - LONG // 2, 0)
    return text[start : start + LONG]


def matches(ranked: Ranked, nums: Iterable[Num]) -> Mapping[Num, EngineMatch]:
    """Rank and raw score that one engine gave these notes, as far as it found them."""
    wanted = frozenset(nums)
    return {
        c.num: EngineMatch(rank=rank, raw=c.raw) for rank, c in enumerate(ranked.candidates, start=1) if c.num in wanted
    }
