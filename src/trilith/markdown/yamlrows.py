"""Lists and maps with one entry below the other: where their lines end, and new lines in which those that stay are kept. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

from trilith.markdown.text import LINE_END
from trilith.markdown.values import texts_of
from trilith.markdown.yamltext import inline, scalar
from trilith.markdown.yamltree import Mapping as MappingNode
from trilith.markdown.yamltree import Node, Scalar
from trilith.markdown.yamltree import Sequence as SequenceNode

_DASH = re.compile(r"[ \t]*-[ \t]+")


def line_start(source: str, at: int) -> int:
    """The offset where the line of `at` begins."""
    return max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1


def line_after(source: str, at: int) -> int:
    """The offset where the line below that of `at` begins."""
    match = LINE_END.search(source, at)
    return match.end() if match else len(source)


def end_of_value(source: str, node: Node, colon: int) -> int:
    """The offset after the last line of a key's value. Blank lines and comments below are not its own.

    `colon` is the offset after the key's colon.
    """
    end = line_after(source, max(colon, _end_of_text(source, node)))
    below = end if isinstance(node, Scalar) or node.flow else node.end
    at = end
    while at < below:  # what is left of a block: entries that say nothing, aliases, comments
        line, at = source[at : line_after(source, at)].strip(), line_after(source, at)
        if line and not line.startswith("#"):
            end = at
    return end


def list_rows(source: str, node: SequenceNode, end: int, items: Sequence[str], line_end: str) -> str:
    """The lines of a list with dashes, which now end at `end`, once it holds `items`."""
    starts = [line_start(source, item.start) for item in node.items]
    dashes = [_DASH.fullmatch(source, start, item.start) for start, item in zip(starts, node.items, strict=True)]
    texts = [item.text if isinstance(item, Scalar) else None for item in node.items]
    kept = _Lines(source, texts, starts, end) if all(dashes) else None
    dash = dashes[0][0] if dashes[0] else f"{source[line_start(source, node.start) : node.start]}- "
    return "".join((kept and kept.take(item)) or f"{dash}{scalar(item)}{line_end}" for item in items)


def map_rows(source: str, node: MappingNode, end: int, fields: Mapping[str, Sequence[str]], line_end: str) -> str:
    """The lines of a map of lists, which now end at `end`, once it holds `fields`."""
    starts = [line_start(source, start) for start, _ in node.keys.values()]
    says = [(key, texts_of(value)) for key, value in node.items.items()]
    kept = _Lines(source, says, starts, end)
    indent = source[line_start(source, node.start) : node.start]
    return "".join(
        kept.take((key, tuple(items))) or f"{indent}{scalar(key)}: {inline(items)}{line_end}"
        for key, items in fields.items()
        if items
    )


class _Lines:
    """The lines of a block's entries, by what they say; empty unless each entry begins on a line of its own."""

    def __init__(self, source: str, says: Sequence[Hashable], starts: Sequence[int], end: int) -> None:
        self._lines: dict[Hashable, list[str]] = {}
        spans = list(pairwise([*starts, end]))
        if all(start < after for start, after in spans):
            for said, (start, after) in zip(says, spans, strict=True):
                self._lines.setdefault(said, []).append(source[start:after])

    def take(self, said: Hashable) -> str:
        """The lines of an entry that says this, once for each that there is; empty when there is none (left)."""
        lines = self._lines.get(said)
        return lines.pop(0) if lines else ""


def _end_of_text(source: str, node: Node) -> int:
    """The end of the last text in a node, but for entries that say nothing: their nodes stand at whatever comes next."""
    if isinstance(node, Scalar):
        return node.start + len(source[node.start : node.end].rstrip("\r\n")) if node.start < node.end else 0
    if node.flow:
        return node.end
    children = node.items if isinstance(node, SequenceNode) else node.items.values()
    return max((_end_of_text(source, child) for child in children), default=node.start)
