"""Which few lines of a text show why it was found?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

from trilith.language.forms import Span, forms
from trilith.language.normal import fold
from trilith.language.scripts import INNER, LONE, SYMBOL

ELLIPSIS = "…"

_ATTACHED = re.compile(f"[{INNER}\U0001f3fb-\U0001f3ff]")
_FLAG_HALVES = re.compile("[\U0001f1e6-\U0001f1ff]+$")
_OWN_WORD = re.compile(f"[{LONE}{SYMBOL}\u3000-\u303f\uff00-\uff0f]")
_LONGEST_WORD = 40
"""Where there is no better place within so many characters, a word is cut."""


def excerpt(text: str, query_words: Iterable[str], limit: int = 300) -> str:
    """The part of a text that has the most of a query's words, blanks collapsed, at most `limit` characters long.

    `query_words` are words in normal form; `word*` stands for all that begin with it. Other forms of a word count as
    that word. `…` stands where the text goes on. Without a match: the text's start.
    """
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    first, last = _best_window(forms(tuple(query_words)).find(line), limit - 2)
    start = _start(line, first, last, limit)
    end = _end(line, start, last, limit)
    return f"{ELLIPSIS if start else ''}{line[start:end].strip()}{ELLIPSIS if end < len(line) else ''}"


def excerpt_around(text: str, part: str, limit: int = 300) -> str:
    """As `excerpt`, around the first place where `part` stands; case and accents do not matter. Without one: the text's
    start."""
    line, wanted = " ".join(text.split()), fold(" ".join(part.split()))
    if len(line) <= limit:
        return line
    first, last = _place(line, wanted)
    start = _start(line, first, min(last, first + limit - 2), limit)
    end = _end(line, start, last, limit)
    return f"{ELLIPSIS if start else ''}{line[start:end].strip()}{ELLIPSIS if end < len(line) else ''}"


def _place(line: str, wanted: str) -> tuple[int, int]:
    """Start and end of a folded text in a line. Folding may change lengths, so that the place is found by halving."""
    folded = fold(line)
    at = folded.find(wanted)
    if at < 0:
        return 0, 0
    if len(folded) == len(line):
        return at, at + len(wanted)
    end = bisect_left(range(len(line)), True, key=lambda cut: wanted in fold(line[:cut]))
    start = bisect_left(range(end), True, key=lambda cut: wanted not in fold(line[cut:end])) - 1
    return max(start, 0), end


def _start(line: str, first: int, last: int, limit: int) -> int:
    """A quarter of the room to spare goes in front, more where the text ends."""
    spare = max(0, limit - 2 - (last - first))
    wished = min(first - spare // 4, len(line) - limit + 1)
    if wished <= 0:
        return 0
    start = _cut(line, wished, +1)
    return start if start <= first else _cut(line, first, -1)


def _end(line: str, start: int, last: int, limit: int) -> int:
    room = limit - (1 if start else 0)
    if len(line) - start <= room:
        return len(line)
    wished = start + room - 1
    end = _cut(line, wished, -1)
    return end if end >= min(last, wished) else _whole_character(line, wished)


def _best_window(matches: Sequence[Span], room: int) -> tuple[int, int]:
    """Start and end of the matches that lie within `room` characters and name the most words; the first of several."""
    best, best_worth = (0, 0), (0, 0)
    inside: Counter[str] = Counter()
    left = 0
    for right, (_, end, word) in enumerate(matches):
        inside[word] += 1
        while left < right and end - matches[left][0] > room:
            former = matches[left][2]
            inside[former] -= 1
            if not inside[former]:
                del inside[former]
            left += 1
        worth = len(inside), right - left
        if worth > best_worth:
            best, best_worth = (matches[left][0], end), worth
    return best


def _cut(line: str, place: int, step: int) -> int:
    """The nearest place, going by `step`, where the line may be cut."""
    for distance in range(_LONGEST_WORD):
        if not _within_word(line, place + step * distance):
            return place + step * distance
    return _whole_character(line, place, step)


def _whole_character(line: str, place: int, step: int = -1) -> int:
    while _within_character(line, place):
        place += step
    return place


def _within_word(line: str, place: int) -> bool:
    """Whether no blank, and no character that is a word of its own, is on either side."""
    if place <= 0 or place >= len(line):
        return False
    pair = line[place - 1 : place + 1]
    return _within_character(line, place) or not (" " in pair or _OWN_WORD.search(pair))


def _within_character(line: str, place: int) -> bool:
    """Whether a character and its marks, an emoji's pieces or a flag's two halves would be parted."""
    if place <= 0 or place >= len(line) or line[place - 1 : place + 1].isascii():
        return False
    if line[place - 1] == "\u200d" or _ATTACHED.match(line, place):
        return True
    halves = _FLAG_HALVES.search(line, max(0, place - 64), place)
    return halves is not None and len(halves[0]) % 2 == 1 and _FLAG_HALVES.match(line[place]) is not None
