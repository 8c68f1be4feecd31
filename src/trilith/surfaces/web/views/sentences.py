"""The sentence in which a link stands. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trilith.surfaces.web.views.readable import readable

AROUND = 140
"""Characters on either side, at most."""
NEAR = 3 * AROUND
"""Characters on either side that are looked at: a line may be as long as its file."""
_END = re.compile(r"[.!?][\"')\]]*\s+|\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)]) )")
"""Of a sentence, a paragraph or an item."""
_MARKS = re.compile(r"\s*(?:[>|]\s*|#{1,6} |[-*+] (?:\[[ xX]\] )?|\d+[.)] )*")

_INTO = re.compile(r"#\^?")
_LONGEST = 2_000
"""Characters of a link that are looked at."""


@dataclass(frozen=True, slots=True)
class Sentence:
    before: str
    link: str
    after: str


def sentence(body: str, start: int, end: int) -> Sentence:
    """What stands around `body[start:end]`, without markup."""
    since, until = max(start - NEAR, 0), min(end + NEAR, len(body))
    first = max((match.end() for match in _END.finditer(body, since, start)), default=since)
    following = _END.search(body, end, until)
    last = following.start() + 1 if following else until
    before, after = body[first:start], body[end:last].rstrip()
    before = before[_MARKS.match(before).end() :]  # type: ignore[union-attr]
    return Sentence(
        _cut_left(_line(before)),
        _INTO.sub(" > ", _cut_right(readable(body[start : min(end, start + _LONGEST)]))) or "this",
        _cut_right(_line(after)),
    )


def _line(text: str) -> str:
    """Blanks at the ends matter: they part the link from the words beside it."""
    joined = " ".join(text.split())
    return f"{' ' if text[:1].isspace() else ''}{readable(joined)}{' ' if joined and text[-1:].isspace() else ''}"


def _cut_left(text: str) -> str:
    return text if len(text) <= AROUND else f"…{text[-AROUND:].partition(' ')[2]}"


def _cut_right(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND].rpartition(' ')[0]}…"
