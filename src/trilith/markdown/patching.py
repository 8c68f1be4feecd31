"""A text with some spans replaced, and where its other places are afterwards. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True, order=True)
class Patch:
    """`text[start:end]` gives way to `new`."""

    start: int
    end: int
    new: str


class Patched:
    """A text with patches made, which must not overlap.

    `text` is the new text; `after(offset)` where a place of the old one is in it. A place inside of a patch has none.
    """

    def __init__(self, text: str, patches: Iterable[Patch]) -> None:
        ordered = sorted(patches)
        self._ends = [patch.end for patch in ordered]
        grown = (len(patch.new) - (patch.end - patch.start) for patch in ordered)
        self._shifts = list(accumulate(grown, initial=0))
        self.text = _joined(text, ordered)

    def after(self, offset: int) -> int:
        return offset + self._shifts[bisect_right(self._ends, offset)]


def _joined(text: str, patches: list[Patch]) -> str:
    parts: list[str] = []
    at = 0
    for patch in patches:
        parts += (text[at : patch.start], patch.new)
        at = patch.end
    return "".join((*parts, text[at:]))
