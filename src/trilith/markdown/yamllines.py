"""The frontmatter that nearly everybody writes, read without a parser of YAML, which takes twenty times as long.

A key a line at the left edge, and after it one plain or simply quoted value, a list of those in brackets, or a list with a
dash a line. Whatever else stands in a text, it is left to `yamltree`; where this module answers, it gives the same tree.
"""

from __future__ import annotations

import re

from trilith.markdown.yamltree import Mapping, Node, Scalar, Sequence

_LETTERS = "\u00c0-\u02af\u0370-\u03ff\u0400-\u052f\u4e00-\u9fff\u3041-\u30fa\uac00-\ud7a3"
_CHAR = r"[^\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff:#]"
"""Neither a blank, nor what YAML forbids or takes for a line end, nor what can end a plain value."""
_WORD = rf"(?:{_CHAR}|:(?![\s]))"
_PLAIN = rf"(?P<plain>[A-Za-z0-9_/(+{_LETTERS}]{_WORD}*+(?:\ ++{_WORD}++)*+)"
_LISTED = rf"[A-Za-z0-9_/{_LETTERS}][\w./{_LETTERS}-]*+(?:\ ++[\w./{_LETTERS}-]++)*+"
_DOUBLE = r'"(?:(?![\\"])[^\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff])*+"'
_SINGLE = r"'(?:(?!')[^\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff])*+'"
_QUOTED = rf"(?P<quoted>{_DOUBLE}|{_SINGLE})"
_MEMBER = rf"(?:{_LISTED}|{_DOUBLE}|{_SINGLE})"
_FLOW = rf"(?P<flow>\[\ *+(?:{_MEMBER}\ *+(?:,\ *+{_MEMBER}\ *+)*+)?\])"

_ENTRY = re.compile(
    rf"(?P<key>[A-Za-z_][\w-]{{0,99}}(?:\ [\w-]{{1,50}}){{0,4}}):(?:\ ++(?:{_PLAIN}|{_QUOTED}|{_FLOW}))?\ *+\n",
    re.ASCII,
)
_ITEM = re.compile(rf"(?P<indent>\ {{0,8}})-\ ++(?:{_PLAIN}|{_QUOTED})\ *+\n", re.ASCII)
_INNER = re.compile(_MEMBER, re.ASCII)


def read_lines(source: str) -> Mapping | None:
    """What `read_tree` gives as the root of a text; None for one that is not so simple."""
    items: dict[str, Node] = {}
    keys: dict[str, tuple[int, int]] = {}
    at, line = 0, 0
    while at < len(source):
        entry = _ENTRY.match(source, at)
        if entry is None or entry["key"] in items:
            return None
        at, line, first = entry.end(), line + 1, line
        value: Node | None
        if entry.lastgroup == "key":
            value, at, line = _dashed(source, at, line)
        elif entry.lastgroup == "flow":
            value = _bracketed(source, entry, first)
        else:
            value = _scalar(entry, first)
        items[entry["key"]] = value
        keys[entry["key"]] = entry.span("key")
    size = 1 + sum(1 + value.size for value in items.values())
    return Mapping(items, False, 0, 0, len(source), size, keys) if items else None


def _scalar(match: re.Match[str], line: int) -> Scalar:
    if (text := match["plain"]) is not None:
        return Scalar(text, True, line, *match.span("plain"))
    return Scalar(match["quoted"][1:-1], False, line, *match.span("quoted"))


def _bracketed(source: str, entry: re.Match[str], line: int) -> Sequence:
    start, end = entry.span("flow")
    members = tuple(_member(found, line) for found in _INNER.finditer(source, start + 1, end - 1))
    return Sequence(members, True, line, start, end, 1 + len(members))


def _member(found: re.Match[str], line: int) -> Scalar:
    text = found[0]
    plain = text[0] not in "\"'"
    return Scalar(text if plain else text[1:-1], plain, line, *found.span())


def _dashed(source: str, at: int, line: int) -> tuple[Node, int, int]:
    """The list below a key, or nothing: the value, and the place and line after it. What stands there otherwise, the next
    key is looked for at."""
    start, first = at, line
    items: list[Scalar] = []
    indent = None
    while (match := _ITEM.match(source, at)) and indent in (None, match["indent"]):
        indent = match["indent"]
        items.append(_scalar(match, line))
        at, line = match.end(), line + 1
    if not items:
        return Scalar("", True, line, at, at), at, line
    return Sequence(tuple(items), False, first, start + len(indent or ""), at, 1 + len(items)), at, line
