"""The blocks that nearly all of a note is made of, told without a parser, which takes six times as long.

Paragraphs, lists without anything below their items, headings, fenced code and rules, as long as they begin at the left
edge. What is anything else, and what such a thing may reach into, is a stretch that is left to the parser. Nothing at the
left edge after a blank line belongs to a block before it, unless that is fenced code or HTML of the kinds that end with a
mark of their own (CommonMark 0.31, sections 4.5 and 4.6); so a stretch can be read by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_END = r"(?:\r\n|\n|\Z)"
_REST = rf"[^\r\n]*+{_END}"
_WRITING = r"(?:[^\s0-9#\-+*_=>`~<|:]|[0-9]++(?![.)])|\*{1,2}(?=[^\s*])|_{1,2}(?=[^\s_])|`{1,2}(?!`)|\#(?=[^\s#]))"
"""What a line begins with that can be nothing but text: no mark of a block, and not what is below a heading or a table's
head."""
_BULLET = rf"[-*+]\ (?={_WRITING})"
_HEADING = r"\#{1,6}[ \t]"
_FENCE = r"(?:`{3,}+(?=[^`\r\n]*+(?:\r\n|\n|\Z))|~{3,}+)"

_NO_TABLE = rf"(?:[^|\r\n]*+{_END}|{_REST}(?!\ {{0,3}}[|:-]))"
"""The rest of a line that is not the head of a table, for which the parser looks before all else."""

_BLOCK = re.compile(
    rf"""
      (?P<blank>[ \t]*+(?:\r\n|\n)|[ \t]++\Z)
    | (?P<text>(?:{_WRITING}{_REST})++(?=[ \t]*+{_END}|{_HEADING}|{_FENCE}|{_BULLET}))
    | (?P<item>(?:{_BULLET}|[0-9]{{1,9}}[.)]\ (?={_WRITING})){_REST}(?:{_WRITING}{_REST})*+)
    | (?P<marks>\#{{1,6}})[ \t]{_NO_TABLE}
    | (?P<rule>(?:-{{3,}}+|\*{{3,}}+|_{{3,}}+)[ \t]*+{_END})
    | (?P<fence>{_FENCE}){_NO_TABLE}
    """,
    re.VERBOSE,
)
_KINDS = {"text": "text", "item": "text", "rule": "text", "marks": "heading", "fence": "code"}
_SAFE = re.compile(rf"(?<=\n)[ \t]*+(?:\r\n|\n)(?={_WRITING}|{_HEADING}|{_FENCE})")
"""A blank line and a block that begins anew."""
_REACHING = re.compile(r"^\ {0,3}(?:<(?:[!?]|script|pre|style|textarea)|`{3}|~{3})", re.IGNORECASE | re.MULTILINE)
"""What may go on after a blank line, whatever follows."""
_LAST_BLANKS = re.compile(r"(?:(?<=\n)[ \t]+)?\Z")
"""Of a last line without an end, which the parser does not count."""
_ODD = re.compile("\r(?!\n)|\0")


class Piece(NamedTuple):
    """Whole lines `text[start:end]`. `kind` is `text`, `heading`, `code`, or `stretch` for what is to be parsed; `mark` the
    number signs of a heading or the marker of a fence."""

    kind: str
    start: int
    end: int
    mark: str = ""


def pieces(text: str) -> list[Piece]:
    """The blocks of a Markdown text, in order; blank lines between them are left out."""
    if _ODD.search(text):
        return [Piece("stretch", 0, len(text))]
    found: list[Piece] = []
    for piece in _pieces(text):
        if piece.kind == "stretch":  # it takes the place of what it reaches back to
            while found and found[-1].start >= piece.start:
                found.pop()
        found.append(piece)
    return found


def heading_text(line: str, marks: str) -> str:
    """What a heading of number signs says, closing signs left out (section 4.2)."""
    inner = line.rstrip("\r\n").rstrip(" \t")[len(marks) :]
    open_end = inner.rstrip("#")
    return (open_end if open_end[-1:] in (" ", "\t") else inner).strip()


def _pieces(text: str) -> Iterator[Piece]:
    at = told = 0
    listed, kind = None, ""
    while at < len(text):
        match = _BLOCK.match(text, at)
        former, kind = kind, (match and match.lastgroup) or ""
        if match is None or (kind == "rule" and former == "item"):
            # A list goes on with what is indented, so that what cannot be told begins where the list does.
            start = told if listed is None else listed
            at = told = _stretch_end(text, at, start)
            listed, kind = None, ""
            yield Piece("stretch", start, at)
            continue
        start, at = at, match.end()
        if kind == "blank":
            continue
        if kind == "fence":
            at = _code_end(text, at, match["fence"])
        listed = None if kind != "item" else told if listed is None else listed
        told = at
        yield Piece(_KINDS[kind], start, at, match["marks"] or match["fence"] or "")


def _code_end(text: str, at: int, fence: str) -> int:
    closing = re.compile(rf"^\ {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*+{_END}", re.MULTILINE)
    match = closing.search(text, at)
    return match.end() if match else len(text) - len(_LAST_BLANKS.findall(text, at)[0])


def _stretch_end(text: str, at: int, start: int) -> int:
    safe = _SAFE.search(text, at)
    end = safe.end() if safe else len(text)
    return len(text) if _REACHING.search(text, start, end) else end
