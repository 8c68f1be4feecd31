"""A note and those one link away as a drawing: the note in the middle, the others beside it with their names. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trilith.model.ids import Num

WIDTH = 340
"""Units of the drawing, which is about as many pixels wide."""
NEAREST, BULGE = 14, 28
"""How far from the middle the names at the ends of a side begin, and how much further that in its middle."""
MOST = 16
LONGEST = 18
"""Characters of a name."""
STEP = 32
"""Units between two names of a side."""
LEAST = 4
"""Steps that a drawing is high."""


@dataclass(frozen=True, slots=True)
class Dot:
    """`side` says where the name stands: `start` right of the dot, `end` left of it."""

    x: float
    y: float
    num: Num
    label: str
    side: str

    @property
    def text_x(self) -> float:
        return self.x + (10 if self.side == "start" else -10)


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """`left` is how many notes one link away are not drawn."""

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    left: int
    height: int


def drawing(centre: Num, near: Mapping[Num, Sequence[Num]], titles: Mapping[Num, str]) -> Drawing | None:
    """None for a note without links.

    Args:
        near: for the note and those around it, the notes one link away.
        titles: of all of them.
    """
    first = [num for num in near.get(centre, ()) if num in titles]
    shown = first[:MOST]
    if not shown:
        return None
    height = STEP * max(LEAST, (len(shown) + 1) // 2 + 1)
    dots = [*_side(shown[0::2], titles, height, +1), *_side(shown[1::2], titles, height, -1)]
    places = {dot.num: (dot.x, dot.y) for dot in dots} | {centre: (WIDTH / 2, height / 2)}
    pairs = {(min(one, other), max(one, other)) for one in places for other in near.get(one, ()) if other in places}
    lines = [Line(*places[one], *places[other]) for one, other in sorted(pairs)]
    return Drawing(tuple(dots), tuple(lines), len(first) - len(shown), height)


def _side(nums: Sequence[Num], titles: Mapping[Num, str], height: int, direction: int) -> list[Dot]:
    top = (height - STEP * (len(nums) - 1)) / 2
    return [_dot(num, titles[num], top + STEP * place, height, direction) for place, num in enumerate(nums)]


def _dot(num: Num, title: str, y: float, height: int, direction: int) -> Dot:
    bulge = math.sqrt(max(0.0, 1 - (2 * y / height - 1) ** 2))
    x = WIDTH / 2 + direction * (NEAREST + BULGE * bulge)
    return Dot(round(x, 1), round(y, 1), num, _label(title), "start" if direction > 0 else "end")


def _label(title: str) -> str:
    return title if len(title) <= LONGEST else f"{title[: LONGEST - 1].rstrip()}…"
