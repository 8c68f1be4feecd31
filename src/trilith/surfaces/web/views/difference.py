"""Two texts line by line: what only one of them says, with a few lines around it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

AROUND = 3
"""Lines alike that are shown before and after a difference."""
MOST = 4_000
"""Lines of either text that are compared; comparing takes the square of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """`kind` is `same`, `theirs`, `yours` or `gap` (lines alike that are left out). Numbers are of lines, from 1."""

    kind: str
    text: str = ""
    theirs: int | None = None
    yours: int | None = None


def difference(theirs: str, yours: str) -> tuple[Row, ...] | None:
    """None for texts too long to be compared."""
    one, other = theirs.splitlines(), yours.splitlines()
    if max(len(one), len(other)) > MOST:
        return None
    return tuple(_rows(one, other))


def _rows(theirs: Sequence[str], yours: Sequence[str]) -> Iterator[Row]:
    groups = SequenceMatcher(None, theirs, yours, autojunk=False).get_grouped_opcodes(AROUND)
    for place, group in enumerate(groups):
        if place:
            yield Row("gap")
        for kind, first, last, begin, end in group:
            if kind == "equal":
                for step in range(last - first):
                    yield Row("same", theirs[first + step], first + step + 1, begin + step + 1)
                continue
            yield from (Row("theirs", theirs[at], theirs=at + 1) for at in range(first, last))
            yield from (Row("yours", yours[at], yours=at + 1) for at in range(begin, end))
