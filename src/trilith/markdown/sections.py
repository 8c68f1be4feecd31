"""What lies under a heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from trilith.markdown.structure import plain_text, read_blocks
from trilith.markdown.text import LINE_END
from trilith.model.note import Heading

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t\r\n]|\Z)")
_CLOSING_MARKS = re.compile(r"(?:\A|[ \t]+)#+[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """`body[start:end]` is a section with its heading, `body[content:end]` without; sub-sections belong to it.

    It ends where the next heading of the same or a higher level begins, or with the body.
    """

    heading: Heading
    start: int
    content: int
    end: int


def section_spans(body: str, headings: Sequence[Heading]) -> tuple[SectionSpan, ...]:
    """The section of each heading, in order. Takes a body and its own headings."""
    ends = [len(body)] * len(headings)
    unfinished: list[int] = []
    for number, heading in enumerate(headings):
        while unfinished and headings[unfinished[-1]].level >= heading.level:
            ends[unfinished.pop()] = heading.start
        unfinished.append(number)
    return tuple(
        SectionSpan(heading, heading.start, _content_start(body, heading.start, end), end)
        for heading, end in zip(headings, ends, strict=True)
    )


def find_sections(body: str, headings: Sequence[Heading], wanted: str) -> tuple[SectionSpan, ...]:
    """The sections whose heading is `wanted`: none, one, or several of the same name.

    `wanted` is a heading's whole text, with or without its markup; with `#` marks in front its level must agree too.
    Nothing is guessed: `Open items` is not `Open items #work` (see `near_headings`).
    """
    level, text = _wanted(wanted)
    return tuple(
        span
        for span in section_spans(body, headings)
        if _same(span.heading.text, text) and level in (0, span.heading.level)
    )


def without_heading(text: str, heading: Heading) -> str:
    """What a text says below a heading that it opens with, if that has the words of `heading`, at whatever level."""
    headings = read_blocks(text).headings
    if not headings or not _same(headings[0].text, heading.text) or text[: headings[0].start].strip():
        return text
    return text[section_spans(text, headings)[0].content :]


def near_headings(headings: Sequence[Heading], wanted: str, *, limit: int = 5) -> tuple[str, ...]:
    """Headings that may have been meant by a `wanted` that is not there, as Markdown (`## Open items`), nearest first."""
    _, text = _wanted(wanted)
    by_text = {heading.text.casefold(): heading for heading in reversed(headings)}
    near = get_close_matches(text.casefold(), list(by_text), n=limit, cutoff=0.4)
    return tuple(f"{'#' * by_text[name].level} {by_text[name].text}" for name in near)


def _wanted(wanted: str) -> tuple[int, str]:
    """Level (0 when not given) and plain text of a heading as a caller writes it."""
    wanted = wanted.strip()
    marks = _ATX.match(wanted)
    if marks is None:
        return 0, plain_text(wanted)
    return len(marks[1]), plain_text(_CLOSING_MARKS.sub("", wanted[marks.end() :]))


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def _content_start(body: str, start: int, end: int) -> int:
    """The offset after a heading's last line: its own line, or the line of `===` or `---` below its text."""
    first = True
    while start < end:
        match = LINE_END.search(body, start, end)
        line_end, after = match.span() if match else (end, end)
        if (first and _ATX.match(body, start, end)) or (not first and _UNDERLINE.match(body[start:line_end])):
            return after
        start, first = after, False
    return end
