"""Changes to frontmatter that leave every other character of the file as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Fields
from collections.abc import Sequence as Items
from dataclasses import dataclass

from trilith.errors import Refused
from trilith.markdown.frontmatter import Block, find_block, read_frontmatter
from trilith.markdown.text import BOM, LINE_END
from trilith.markdown.yamltree import Mapping, Node, Scalar, Sequence, YamlFailure, read_tree

Value = str | int | float | bool | Items[str] | Fields[str, Items[str]]
"""What a known field can hold. None, an empty list or an empty map takes the field away."""

_PLAIN = re.compile(r"[A-Za-z_À-ɏ](?:[\w .,/()+-]*[\w.)/+-])?")
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What YAML 1.2, section 5.1, does not allow unescaped, of what JSON does."""
_TRAILING = re.compile(r"(?:(?:\r\n?|\n)[ \t]*(?:#[^\r\n]*)?)+\Z")
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UUID_OR_DATE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a key stands: `source[start:value]` is its name and colon, `source[start:end]` the whole of it with its last
    line end."""

    start: int
    value: int
    end: int
    node: Node


def set_fields(text: str, changes: Fields[str, Value | None]) -> str:
    """`text` with these frontmatter fields set, in place where they stand, else at the end of the block.

    A block is made where there is none. Nothing but the lines of the fields changes, and line ends keep their kind.
    Raises `Refused` for frontmatter that cannot be read, or that is written so that one field has no lines of its own.
    """
    bom, rest = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    block = _block(rest)
    if block is None:
        edited = f"{bom}{_new_block(changes, _line_end(rest))}{rest}"
        _verify(text, edited, changes)
        return edited
    source = rest[block.start : block.end]
    places = _places(source)
    for key, value in sorted(
        changes.items(), key=lambda change: -places[change[0]].start if change[0] in places else 1
    ):
        source = _set(source, key, value, places.get(key), _line_end(rest))
    edited = bom + rest[: block.start] + source + rest[block.end :]
    _verify(text, edited, changes)
    return edited


def _new_block(changes: Fields[str, Value | None], line_end: str) -> str:
    fields = "".join(_field(key, value, None, line_end) for key, value in changes.items() if not _empty(value))
    return f"---{line_end}{fields}---{line_end}" if fields else ""


def _block(text: str) -> Block | None:
    """The block to edit. Raises `Refused` when there is one that cannot be read."""
    front = read_frontmatter(text)
    if front.problems:
        problem = front.problems[0]
        raise Refused(
            f"The note's frontmatter is not edited: line {problem.line}: {problem.message}.", line=problem.line
        )
    return find_block(text) if front.body else None


def _places(source: str) -> dict[str, _Place]:
    try:
        root = read_tree(source).root
    except YamlFailure as failure:
        raise Refused(f"The note's frontmatter cannot be read: {failure.reason}.") from failure
    if root is None or (isinstance(root, Scalar) and root.is_null):
        return {}
    if not isinstance(root, Mapping) or root.flow:
        raise Refused("The note's frontmatter is written in braces and is not edited.")
    places: dict[str, _Place] = {}
    at = 0
    for key, node in root.items.items():
        match = re.compile(rf"""^["']?{re.escape(key)}["']?[ \t]*:""", re.MULTILINE).search(source, at)
        if match is None:
            raise Refused(f"The field '{key}' of the note's frontmatter has no line of its own; it is not edited.")
        places[key] = _Place(match.start(), match.end(), _end(source, node, match.end()), node)
        at = places[key].end
    return places


def _end(source: str, node: Node, after_colon: int) -> int:
    """The end of the last line that belongs to a value; blank lines and comments below it are not its own."""
    missing = isinstance(node, Scalar) and node.start == node.end  # the parser places it at whatever comes next
    value = source[after_colon : after_colon if missing else min(node.end, len(source))]
    if not isinstance(node, Scalar):
        value = _TRAILING.sub("", value)
    line_end = LINE_END.search(source, after_colon + len(value.rstrip("\r\n")))
    return len(source) if line_end is None else line_end.end()


def _set(source: str, key: str, value: Value | None, place: _Place | None, line_end: str) -> str:
    if place is None:
        if _empty(value):
            return source
        joint = "" if not source or source.endswith(("\n", "\r")) else line_end
        return f"{source}{joint}{_field(key, value, None, line_end)}"
    if _empty(value):
        return source[: place.start] + source[place.end :]
    node = place.node
    if (
        isinstance(node, Scalar)
        and node.start < node.end
        and not isinstance(value, Fields)
        and _on_one_line(source, place)
    ):
        return source[: node.start] + _inline(value) + source[node.end :]
    return source[: place.start] + _field(key, value, node, line_end) + source[place.end :]


def _on_one_line(source: str, place: _Place) -> bool:
    """A value on the line of its key, whose trailing comment must stay."""
    return LINE_END.search(source, place.start, place.node.end) is None and place.node.start >= place.value


def _field(key: str, value: Value | None, like: Node | None, line_end: str) -> str:
    """A field's lines; a list that was written with dashes stays so."""
    if isinstance(value, Fields):
        rows = "".join(f"  {_scalar(name)}: {_inline(items)}{line_end}" for name, items in value.items() if items)
        return f"{key}:{line_end}{rows}"
    if isinstance(value, Items) and not isinstance(value, str) and isinstance(like, Sequence) and not like.flow:
        return f"{key}:{line_end}" + "".join(f"  - {_scalar(item)}{line_end}" for item in value)
    return f"{key}: {_inline(value)}{line_end}"


def _inline(value: Value | None) -> str:
    if isinstance(value, Items) and not isinstance(value, str):
        return f"[{', '.join(_scalar(item, in_list=True) for item in value)}]"
    return _scalar(value)


def _scalar(value: object, *, in_list: bool = False) -> str:
    """A scalar that YAML 1.1 and 1.2 readers alike take for what it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    plain = _PLAIN.fullmatch(text) is not None and not (in_list and "," in text)
    if _UUID_OR_DATE.fullmatch(text) or (plain and text.lower() not in _RESERVED):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """Any text as a double-quoted scalar on one line."""
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def _empty(value: object) -> bool:
    return value is None or (not isinstance(value, str | int | float) and not value) or value == ""


def _line_end(text: str) -> str:
    first = LINE_END.search(text)
    return first.group() if first else "\n"


def _verify(before: str, after: str, changes: Fields[str, Value | None]) -> None:
    """An edit that would change the meaning of another field is not made."""
    old, new = read_frontmatter(before.removeprefix(BOM)), read_frontmatter(after.removeprefix(BOM))
    if new.problems or _meaning(old.fields, old.source, changes) != _meaning(new.fields, new.source, changes):
        raise Refused("The note's frontmatter is written in a way that cannot be edited safely; it is left alone.")


def _meaning(fields: Mapping, source: str, but: Fields[str, object]) -> dict[str, str]:
    return {key: _written(node, source) for key, node in fields.items.items() if key not in but}


def _written(node: Node, source: str) -> str:
    return node.text if isinstance(node, Scalar) else source[node.start : node.end].strip()
