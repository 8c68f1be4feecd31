"""Bytes to characters, and characters to lines."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate

from trilith.model.note import Problem

BOM = "\ufeff"

LINE_END = re.compile(r"\r\n?|\n")
"""The line ends of CommonMark 0.31, section 2.1. No other character ends a line, so that line numbers are those of an editor."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """`text` has no byte order mark; everything else is as in the file, line ends included."""

    text: str
    problem: Problem | None = None


def decode(data: bytes, *, truncated: bool = False) -> Decoded:
    """UTF-8 to text. Never raises: what is not UTF-8 becomes U+FFFD and is reported with its line.

    Args:
        data: a file's bytes, or its head.
        truncated: `data` is a head, so that a character may be cut off at its end; that one is dropped.
    """
    try:
        text, problem = data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        if truncated and error.end == len(data) and error.reason == "unexpected end of data":
            text, problem = data[: error.start].decode("utf-8"), None
        else:
            text = data.decode("utf-8", errors="replace")
            line = data.count(b"\n", 0, error.start) + 1
            problem = Problem("not_utf8", "the file is not UTF-8 here; it is read with replacement characters", line)
    return Decoded(text.removeprefix(BOM), problem)


def first_line_end(text: str) -> str:
    """The line end that new lines of a text take: that of its first line."""
    first = LINE_END.search(text)
    return first.group() if first else "\n"


def line_starts(text: str) -> list[int]:
    """The offset of each line's first character, and last the length of the text.

    Line `n` (from 0) is `text[starts[n]:starts[n + 1]]`, its line end included. A text that ends in a line end has an
    empty last line; the empty text has one empty line.
    """
    if "\r" in text:
        return [0, *(match.end() for match in LINE_END.finditer(text)), len(text)]
    ends = accumulate(len(line) + 1 for line in text.split("\n"))
    return [0, *list(ends)[:-1], len(text)]


def whole_characters(text: str, at: int, *, floor: int = 0) -> int:
    """The last offset from `floor` to `at` where `text` can be cut without parting what is read as one character: a
    letter and its marks, an emoji and its modifiers, a flag, a CRLF. `floor` when there is none after it."""
    while floor < at < len(text) and _belongs_to_former(text, at):
        at -= 1
    return at


def _belongs_to_former(text: str, at: int) -> bool:
    former, char = text[at - 1], text[at]
    if char in _JOINERS or former == ZERO_WIDTH_JOINER or former + char == "\r\n":
        return True
    if unicodedata.category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if _is_flag_half(char):
        return _flag_halves_before(text, at) % 2 == 1
    return _is_jamo_vowel_or_final(char) and _is_hangul(former)


ZERO_WIDTH_JOINER = "\u200d"
_JOINERS = frozenset({ZERO_WIDTH_JOINER, "\u200c"})


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_halves_before(text: str, at: int) -> int:
    first = at
    while first > 0 and _is_flag_half(text[first - 1]):
        first -= 1
    return at - first


def _is_jamo_vowel_or_final(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff"


def _is_hangul(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\uac00" <= char <= "\ud7a3"
