"""Changes to frontmatter that leave every other character of the file as it is. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping as Fields
from collections.abc import Sequence as Items
from dataclasses import dataclass

from trilith.errors import Refused
from trilith.markdown.frontmatter import Frontmatter, find_block, read_frontmatter
from trilith.markdown.patching import Patch, Patched
from trilith.markdown.text import BOM, first_line_end
from trilith.markdown.values import to_json
from trilith.markdown.yamlrows import end_of_value, line_start, list_rows, map_rows
from trilith.markdown.yamltext import inline, scalar
from trilith.markdown.yamltree import Mapping, Node, Scalar, Sequence, whole
from trilith.model.change import FieldValue

_BLOCK_SCALAR = re.compile(r"(?:[&!]\S*\s+)*[|>]")
_ALIAS_OR_NOTHING = re.compile(r"[ \t]*\*[^\s,\[\]{}]+|[ \t]*(?=[\r\n]|\Z)|")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a key stands: `source[start:end]` are its lines, `colon` is the offset after its colon."""

    start: int
    end: int
    indent: str
    colon: int
    node: Node


def set_fields(text: str, changes: Fields[str, FieldValue | None]) -> str:
    """`text` with these frontmatter fields set, in place where they stand, else at the end of the block.

    A block is made where there is none. None, an empty text, list or map takes a field away. A field that says what it
    should already stays as it is written, and so do comments, and the lines of those entries of a list that stay in it.
    Raises `Refused` for frontmatter that cannot be read, and for a field that cannot be changed by itself.
    """
    bom, rest = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    front = read_frontmatter(rest)
    if front.problems:
        problem = front.problems[0]
        raise Refused(
            f"The note's frontmatter is not edited: line {problem.line}: {problem.message}.", line=problem.line
        )
    block = find_block(rest) if front.body else None
    line_end = first_line_end(rest)
    if block is not None:
        source = _edited(rest[block.start : block.end], front.fields, changes, line_end)
        edited = rest[: block.start] + source + rest[block.end :]
    else:
        added = _added("", changes, line_end)
        edited = f"---{line_end}{added}---{line_end}{rest}" if added else rest
    _verify(rest, front, edited, changes)
    return bom + edited


def _edited(source: str, root: Mapping, changes: Fields[str, FieldValue | None], line_end: str) -> str:
    if root.flow:
        raise Refused("The note's frontmatter is written in braces and is not edited.")
    patches = [
        _patch(source, _place(source, root, key), value, line_end)
        for key, value in changes.items()
        if key in root.items and not _says(root.items[key], value)
    ]
    indent = source[line_start(source, root.start) : root.start] if root.items else ""
    new = {key: value for key, value in changes.items() if key not in root.items}
    return Patched(source, patches).text + _added(indent, new, line_end)


def _added(indent: str, changes: Fields[str, FieldValue | None], line_end: str) -> str:
    """The lines of new fields."""
    return "".join(
        f"{indent}{scalar(key)}:{_after_colon(value, indent, line_end)}"
        for key, value in changes.items()
        if value is not None and not _empty(value)
    )


def _after_colon(value: FieldValue, indent: str, line_end: str) -> str:
    if isinstance(value, Fields):
        named = (f"{indent}  {scalar(key)}: {inline(items)}{line_end}" for key, items in value.items() if items)
        return f"{line_end}{''.join(named)}"
    return f" {inline(value)}{line_end}"


def _place(source: str, root: Mapping, key: str) -> _Place:
    start, end = root.keys[key]
    line = line_start(source, start)
    if source[line:start].strip():
        raise Refused(f"The field '{key}' of the note's frontmatter has no line of its own; it is not edited.")
    colon = source.index(":", end) + 1
    node = root.items[key]
    return _Place(line, end_of_value(source, node, colon), source[line:start], colon, node)


def _patch(source: str, place: _Place, value: FieldValue | None, line_end: str) -> Patch:
    node, colon = place.node, place.colon
    if value is None or _empty(value):
        return Patch(place.start, place.end, "")
    if node.start < colon or node.start == node.end:
        # An alias, whose node stands at its anchor, or nothing, whose node stands at whatever comes next.
        match = _ALIAS_OR_NOTHING.match(source, colon)
        return Patch(colon, match.end() if match else colon, f" {inline(value)}")
    if not _is_block(source, node):
        return Patch(node.start, node.end, inline(value))
    start = line_start(source, node.start)
    if start > place.start:
        if isinstance(node, Sequence) and isinstance(value, Items) and not isinstance(value, str):
            return Patch(start, place.end, list_rows(source, node, place.end, value, line_end))
        if isinstance(node, Mapping) and isinstance(value, Fields):
            return Patch(start, place.end, map_rows(source, node, place.end, value, line_end))
    return Patch(colon, place.end, _after_colon(value, place.indent, line_end))


def _is_block(source: str, node: Node) -> bool:
    """Whether a value takes up whole lines: a list or map without brackets, or text below a `|` or `>`."""
    if isinstance(node, Scalar):
        return _BLOCK_SCALAR.match(source, node.start, node.end) is not None
    return not node.flow


def _empty(value: object) -> bool:
    """Whether a value takes its field away."""
    if isinstance(value, Fields):
        return not any(value.values())
    return value is None or (not isinstance(value, int | float) and not value)


def _says(node: Node | None, value: FieldValue | None) -> bool:
    """Whether a field reads as this value."""
    if value is None or _empty(value):
        return node is None
    if isinstance(value, Fields):
        wanted = {whole(key): _texts_of(items) for key, items in value.items() if items}
        return isinstance(node, Mapping) and {key: _texts(entry) for key, entry in node.items.items()} == wanted
    if isinstance(value, Items) and not isinstance(value, str):
        return isinstance(node, Sequence) and _texts(node) == _texts_of(value)
    written = whole(value) if isinstance(value, str) else scalar(value)
    return isinstance(node, Scalar) and not node.is_null and node.text == written


def _texts(node: Node) -> tuple[str | None, ...]:
    nodes = node.items if isinstance(node, Sequence) else (node,)
    return tuple(each.text if isinstance(each, Scalar) and not each.is_null else None for each in nodes)


def _texts_of(items: Items[str]) -> tuple[str | None, ...]:
    return tuple(whole(item) for item in items)


def _verify(before: str, old: Frontmatter, after: str, changes: Fields[str, FieldValue | None]) -> None:
    """An edit that would not read as it should, or change the meaning of another field or the body, is not made."""
    new = read_frontmatter(after)
    kept, found = (
        {key: to_json(node) for key, node in front.fields.items.items() if key not in changes} for front in (old, new)
    )
    done = all(_says(new.fields.items.get(key), value) for key, value in changes.items())
    if new.problems or found != kept or not done or before[old.body :] != after[new.body :]:
        raise Refused("The note's frontmatter is written in a way that cannot be edited safely; it is left alone.")
