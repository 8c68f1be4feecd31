"""Dresses the chosen notes: the text of their best chunk, the snippet, the engines' words on each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trilith.language.excerpt import excerpt
from trilith.markdown.text import whole_characters
from trilith.model.hits import EngineMatch, Ranked
from trilith.model.ids import Num
from trilith.ports.catalog import Catalog

WINDOW = 1_500
"""Characters."""


class Wardrobe:
    """The texts behind the hits of one query."""

    def __init__(self, catalog: Catalog, nums: Sequence[Num], semantic: Ranked) -> None:
        wanted = frozenset(nums)
        self.best = {c.num: c.chunk for c in semantic.candidates if c.num in wanted and c.chunk is not None}
        chunks = catalog.chunk_texts(list(self.best.items())) if self.best else {}
        self.chunks = {num: chunk for (num, _), chunk in chunks.items()}
        self._texts = {num: chunk.text for num, chunk in self.chunks.items()}
        without = [num for num in nums if num not in self._texts]
        self._texts |= catalog.bodies(without) if without else {}

    def text(self, num: Num) -> str:
        """The best chunk's text; the whole body for a note that has none."""
        return self._texts.get(num, "")

    def snippet(self, num: Num, words: Mapping[str, float]) -> str:
        """The lines that show best why the note was found; `words` are the query's, each with its weight."""
        text = self.text(num)
        start, end = window(text, words)
        shown = excerpt(text[start:end], words)
        before = "…" if start and not shown.startswith("…") else ""
        after = "…" if end < len(text) and not shown.endswith("…") else ""
        return f"{before}{shown}{after}"


def window(text: str, words: Mapping[str, float]) -> tuple[int, int]:
    """The part of a text in which its best lines are looked for: around the query's weightiest word that stands in it as
    it is, else its beginning. To take every word of ten notes apart for three lines each would be most of a search."""
    if len(text) <= WINDOW:
        return 0, len(text)
    lowered = text.lower() if len(text.lower()) == len(text) else text
    ranked = sorted(words, key=lambda word: -words[word])
    place = next((at for word in ranked if (at := lowered.find(word.rstrip("*"))) >= 0), 0)
    start = _boundary(text, max(place - WINDOW // 2, 0))
    return start, _boundary(text, min(start + WINDOW, len(text)))


def _boundary(text: str, at: int) -> int:
    """The last blank at or before a place, or where a character may be parted from the next when none is near."""
    if at in (0, len(text)):
        return at
    blank = max(text.rfind(" ", max(at - 100, 0), at), text.rfind("\n", max(at - 100, 0), at))
    return blank + 1 if blank >= 0 else whole_characters(text, at)


def matches(ranked: Ranked, nums: Iterable[Num]) -> Mapping[Num, EngineMatch]:
    """Rank and raw score that one engine gave these notes, as far as it found them."""
    wanted = frozenset(nums)
    return {
        c.num: EngineMatch(rank=rank, raw=c.raw) for rank, c in enumerate(ranked.candidates, start=1) if c.num in wanted
    }
