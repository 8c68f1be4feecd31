"""Dresses the chosen notes: the text of their best chunk, the snippet, the engines' words on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trilith.language.excerpt import excerpt
from trilith.model.hits import EngineMatch, Ranked
from trilith.model.ids import Num
from trilith.ports import Catalog


class Wardrobe:
    """The texts behind the hits of one query."""

    def __init__(self, catalog: Catalog, nums: Sequence[Num], semantic: Ranked) -> None:
        self.best = {c.num: c.chunk for c in semantic.candidates if c.chunk is not None and c.num in set(nums)}
        self._chunks = catalog.chunk_texts(list(self.best.items()))
        self._catalog = catalog

    def text(self, num: Num) -> str:
        """The best chunk's text; the whole body for a note that has none."""
        ordinal = self.best.get(num)
        chunk = None if ordinal is None else self._chunks.get((num, ordinal))
        return self._catalog.body(num) if chunk is None else chunk.text

    def snippet(self, num: Num, words: Sequence[str]) -> str:
        return excerpt(self.text(num), words)


def matches(ranked: Ranked) -> Mapping[Num, EngineMatch]:
    """Rank and raw score of each note in one engine's list."""
    return {c.num: EngineMatch(rank=rank, raw=c.raw) for rank, c in enumerate(ranked.candidates, start=1)}
