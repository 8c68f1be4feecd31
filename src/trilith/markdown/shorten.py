"""The start of a text, cut where a paragraph or a sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sentencex import segment  # type: ignore[import-untyped]

from trilith.markdown.structure import Blocks, Code, Kind, Region, read_blocks
from trilith.markdown.text import LINE_END, whole_characters

_AHEAD = 1_000
"""Characters beyond the cut that are read too: only they tell whether `1.` ends a sentence or begins `1.5`."""

_WINDOW = 5_000
"""Characters of a paragraph in which the end of a sentence is looked for at once, from the cut backwards."""

_PREFIX = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|\[.\][ \t])*+")
_LETTER_OR_DIGIT = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Edge:
    """A place to cut at: `end` characters are kept, and `close` is added to close a code fence."""

    end: int
    close: str = ""


def shorten(content: str, max_length: int) -> tuple[str, bool]:
    """At most `max_length` characters of `content`, and whether that is less than all.

    The cut is at the last end of a paragraph (list item, heading, table row) or of a sentence within `max_length`;
    inside code at a line end, and a fence that would stay open is closed within `max_length`. Only where there is no
    such place is the text cut at `max_length` itself, though never inside a character and its marks.
    `max_length` is at least 0.
    """
    if len(content) <= max_length:
        return content, False
    head = content[: max_length + _AHEAD]
    blocks = read_blocks(head)
    edge = _last_edge(head, blocks, max_length) or _hard_edge(head, blocks, max_length)
    return head[: edge.end] + edge.close, True


def _last_edge(head: str, blocks: Blocks, limit: int) -> Edge | None:
    edges = [Edge(_trimmed_end(head, block), close) for block, close in _closed_blocks(head, blocks)]
    edges = [edge for edge in edges if edge.end + len(edge.close) <= limit]
    for region in blocks.regions:
        if region.start < limit < region.end and region.kind is not Kind.HEADING:
            edges.extend(_sentence_edge(head, region, limit))
    for code in blocks.code:
        if code.start < limit < code.end:
            edges.extend(_code_edge(head, code, limit))
    return max(edges, key=lambda edge: edge.end, default=None)


def _closed_blocks(head: str, blocks: Blocks) -> Iterator[tuple[Region | Code, str]]:
    """Each block, and what closes it where it is a fence that ends with its list item or quote instead of a line."""
    for region in blocks.regions:
        yield region, ""
    for code in blocks.code:
        yield code, "" if not code.fence or _closing_line(head, code) else _close(head, code)


def _sentence_edge(head: str, region: Region, limit: int) -> list[Edge]:
    """The last end of a sentence in a paragraph that goes on beyond the limit, if it has one."""
    prefix = _PREFIX.match(head, region.start, region.end)
    begin = prefix.end() if prefix else region.start
    while limit > begin:
        start = _window_start(head, begin, limit)
        if end := _sentence_end(head, start, region.end, limit):
            return [Edge(end)]
        limit = start
    return []


def _window_start(head: str, begin: int, limit: int) -> int:
    """Where to begin to look: not in the middle of a word, whose rest might look like the end of a sentence."""
    start = max(begin, limit - _WINDOW)
    if start == begin:
        return begin
    return head.find(" ", start, start + _WINDOW // 2) + 1 or start


def _sentence_end(head: str, start: int, stop: int, limit: int) -> int | None:
    """The last offset up to `limit` where a sentence of `head[start:stop]` ends and another follows."""
    found = None
    stop = min(stop, limit + _AHEAD)
    for sentence in segment("en", head[start:stop]):
        end = start + len(sentence.rstrip())
        start += len(sentence)
        if end > limit or start >= stop:
            break
        if _LETTER_OR_DIGIT.search(sentence):
            found = end
    return found


def _code_edge(head: str, code: Code, limit: int) -> list[Edge]:
    """The last line end in code that goes on beyond the limit, with room left for closing its fence. The opening line
    alone is not worth keeping."""
    ends = [match.start() for match in LINE_END.finditer(head, code.start, code.end)]
    if not code.fence:
        return [Edge(end) for end in ends if end <= limit][-1:]
    close = _close(head, code)
    return [Edge(end, close) for end in ends[1:] if end + len(close) <= limit][-1:]


def _hard_edge(head: str, blocks: Blocks, limit: int) -> Edge:
    """The limit itself, or nothing where that would leave a fence open."""
    code = next((code for code in blocks.code if code.fence and code.start < limit < code.end), None)
    if code is None:
        return Edge(whole_characters(head, limit))
    close = _close(head, code)
    opened = LINE_END.search(head, code.start, code.end)
    end = whole_characters(head, max(0, limit - len(close)))
    if opened is None or end <= opened.end():
        return Edge(0)
    return Edge(end, close)


def _close(head: str, code: Code) -> str:
    """What closes a fence after a line of its code: a line with the same prefix and marker."""
    opener = head[code.start : head.index(code.fence, code.start)]
    return "\n" + re.sub(r"[^\s>]", " ", opener) + code.fence


def _closing_line(head: str, code: Code) -> bool:
    """Whether a fence is closed by a line of its own; one within a list or quote may just end with it."""
    lines = LINE_END.split(head[code.start : code.end].rstrip())
    last = lines[-1].lstrip(" \t>").rstrip() if len(lines) > 1 else ""
    return len(last) >= len(code.fence) and not last.strip(code.fence[0])


def _trimmed_end(head: str, block: Region | Code) -> int:
    return block.start + len(head[block.start : block.end].rstrip())
