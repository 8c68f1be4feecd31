"""The blocks of a Markdown text: headings, code, and the regions of running text between them.

Block structure is markdown-it-py's (CommonMark and tables); `plainblocks` tells the blocks that need no parser, and parts
the rest. Its inline parser is not used: it works on text that has lost its container prefixes and escapes, so that no offset
leads back; `inline` reads the source itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from trilith.markdown.plainblocks import Piece, heading_text, pieces
from trilith.markdown.text import LINE_END, line_starts
from trilith.model.note import Heading

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_NESTING = 60
"""Blocks within blocks. What lies deeper is read as plain text."""

MAX_HEADING = 500
"""Characters of a heading's text that are kept."""

_RAW_HTML = re.compile(r"\s*<(?:script|pre|style|textarea)\b", re.IGNORECASE)
_MARKUP = re.compile(r"[\\`*_~=<&\[\]]")
_WIKI_TEXT = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKED = re.compile(r"==(?=\S)(.+?)(?<=\S)==")


class Kind(Enum):
    TEXT = auto()
    HEADING = auto()
    HTML = auto()


@dataclass(frozen=True, slots=True)
class Region:
    """Whole lines `text[start:end]` of one block that are not code. Inline markup never reaches across two regions."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Code:
    """Whole lines of a code block, or of `<script>` and its like. `fence` is the marker of a fenced one (three backticks or tildes, or more)."""

    start: int
    end: int
    fence: str = ""


@dataclass(frozen=True, slots=True)
class Blocks:
    """In order of appearance, without overlap. `lines` are the offsets of all lines (see `line_starts`)."""

    headings: tuple[Heading, ...]
    regions: tuple[Region, ...]
    code: tuple[Code, ...]
    lines: list[int]


def read_blocks(text: str, *, first_line: int = 1) -> Blocks:
    """The blocks of a note's body.

    Args:
        text: the body; offsets in the answer count its characters.
        first_line: the number of the body's first line in its file.

    Headings are those that part the document: one inside a quote or a list is a region, and no heading. The text of a
    heading is plain, without markup.
    """
    lines = line_starts(text)
    walk = _Walk(text, lines, first_line)
    for piece in pieces(text):
        if piece.kind == "stretch":
            walk.parse(piece.start, piece.end)
        elif piece.kind == "heading":
            walk.heading(piece)
        elif piece.kind == "code":
            walk.code.append(Code(piece.start, piece.end, piece.mark))
        else:
            walk.regions.append(Region(piece.start, piece.end, Kind.TEXT))
    return Blocks(tuple(walk.headings), tuple(walk.regions), tuple(walk.code), lines)


def plain_text(source: str) -> str:
    """A line of Markdown without its markup: `**Bold** [[X|y]]` is `Bold y`."""
    source = " ".join(LINE_END.split(source)).strip()
    if not _MARKUP.search(source) or len(source) > MAX_HEADING:
        return source[:MAX_HEADING].strip()
    markdown = _markdown()
    tokens: list[Token] = []
    markdown.inline.parse(source, markdown, {}, tokens)
    text = "".join(_token_text(token) for token in tokens)
    return _MARKED.sub(r"\1", _WIKI_TEXT.sub(r"\1", text)).strip() or source


def _token_text(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return "" if token.type == "html_inline" else token.content


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Built once: it holds rules, and nothing of the texts that it reads."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    markdown.core.ruler.enableOnly(["normalize", "block"])
    # Definitions would be swallowed without a trace of where they were, footnotes (`[^1]: [[Note]]`) among them.
    return markdown.disable("reference")


class _Walk:
    """Turns tokens, which know lines of the stretch that they are from, into spans of characters. `_next` is the first line
    not yet accounted for, `_base` the first of the stretch."""

    def __init__(self, text: str, lines: list[int], first_line: int) -> None:
        self.headings: list[Heading] = []
        self.regions: list[Region] = []
        self.code: list[Code] = []
        self._text = text
        self._lines = lines
        self._first_line = first_line
        self._base = self._next = 0
        self._level = 0
        """Of the heading whose content comes next; 0 outside of headings."""
        self._top = False

    def parse(self, start: int, end: int) -> None:
        """Whole lines that have to be parsed."""
        stretch = self._text[start:end]
        if stretch.isspace():
            return
        self._base = self._next = bisect_left(self._lines, start)
        for token in _markdown().parse(stretch):
            self._take(token)
        self._fill(bisect_left(self._lines, end))

    def heading(self, piece: Piece) -> None:
        """A line that begins with number signs."""
        self.regions.append(Region(piece.start, piece.end, Kind.HEADING))
        text = plain_text(heading_text(self._text[piece.start : piece.end], piece.mark))
        line = self._first_line + bisect_left(self._lines, piece.start)
        self.headings.append(Heading(len(piece.mark), text, piece.start, line))

    def _take(self, token: Token) -> None:
        if token.type == "heading_open":
            self._level, self._top = int(token.tag[1:]), token.level == 0
        elif token.type == "heading_close":
            self._level = 0
        elif token.map and token.type in _LEAVES:
            first, last = (self._base + line for line in token.map)
            if first >= self._next:
                self._fill(first)
                self._leaf(token, first, last)

    def _fill(self, until: int) -> None:
        """Lines before `until` that no token names: blank, below a table's head, or nested too deep."""
        self._add_region(self._next, until, Kind.TEXT)
        self._next = max(self._next, until)

    def _leaf(self, token: Token, first: int, last: int) -> None:
        self._next = last
        start, end = self._lines[first], self._lines[last]
        if token.type in ("fence", "code_block"):
            self.code.append(Code(start, end, token.markup if token.type == "fence" else ""))
        elif token.type == "html_block":
            if _RAW_HTML.match(self._text, start):
                self.code.append(Code(start, end))
            else:
                self._add_region(first, last, Kind.HTML)
        elif self._level:
            self._add_region(first, last, Kind.HEADING)
            if self._top:
                text = plain_text(token.content)
                self.headings.append(Heading(self._level, text, start, self._first_line + first))
        else:
            self._add_region(first, last, Kind.TEXT)

    def _add_region(self, first: int, last: int, kind: Kind) -> None:
        start, end = self._lines[first], self._lines[last]
        if start < end and not self._text[start:end].isspace():
            self.regions.append(Region(start, end, kind))


_LEAVES = frozenset({"inline", "fence", "code_block", "html_block", "hr"})
