"""YAML to a small tree in which every scalar is kept as written.

Built from the parser's events instead of a loader's values, because a loader turns `2026-03-01`, `yes` and `1.10` into
something else before anybody can ask which key they belong to. Nothing is constructed from tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

MAX_DEPTH = 50
MAX_NODES = 20_000
"""Nodes of a tree once its aliases are written out: the guard against a few lines that stand for billions of nodes."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class YamlFailure(Exception):
    """The text is not YAML, or more than we are ready to read. `line` is from 0."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Scalar:
    """`text` is what was written for a plain scalar, and what was meant for a quoted or block one."""

    text: str
    plain: bool
    line: int
    start: int
    end: int
    size: int = 1

    @property
    def is_null(self) -> bool:
        return self.plain and self.text in _NULLS


@dataclass(frozen=True, slots=True)
class Sequence:
    """`source[start:end]` is its text; `flow` when written with brackets."""

    items: tuple[Node, ...]
    flow: bool
    line: int
    start: int
    end: int
    size: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys as written, in order. Of a key written twice the last value counts, as with most YAML readers.

    `source[slice(*keys[name])]` is how a key is spelled.
    """

    items: dict[str, Node]
    flow: bool
    line: int
    start: int
    end: int
    size: int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class Tree:
    """`root` is None for a text without content. `duplicates` are (key, line from 0)."""

    root: Node | None
    duplicates: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    mapping: bool
    flow: bool
    anchor: str | None
    line: int
    start: int
    children: list[Node] = field(default_factory=list)


@lru_cache(maxsize=8)  # a write reads the same block up to five times
def read_tree(source: str) -> Tree:
    """The first document of `source`. Raises `YamlFailure`."""
    builder = _Builder(source)
    for event in _events(source):
        builder.take(event)
    return Tree(builder.root, tuple(builder.duplicates))


def _events(source: str) -> Iterator[Any]:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        yield from _yaml()(typ="safe", pure=True).parse(source)
    except ReaderError as error:
        line = source.count("\n", 0, error.position)
        raise YamlFailure("a control character that YAML does not allow", line) from error
    except MarkedYAMLError as error:
        raise YamlFailure(_reason(error), _line(error, source)) from error
    except YAMLError as error:
        raise YamlFailure(str(error), 0) from error
    except (ValueError, OverflowError) as error:
        # The scanner hands numbers in escapes (`"\\U00ffffff"`) to `chr` unchecked.
        raise YamlFailure(f"a malformed escape: {error}", 0) from error


@lru_cache(maxsize=1)
def _yaml() -> Any:
    """A class, for a reader of YAML holds the text that it reads."""
    from ruamel.yaml import YAML

    class WithoutPlugIns(YAML):
        def official_plug_ins(self) -> list[str]:
            return []  # else each reader looks for them on the disk, for a quarter of its time

    return WithoutPlugIns


def _reason(error: Any) -> str:
    return ", ".join(part for part in (error.context, error.problem) if part)


def _line(error: Any, source: str) -> int:
    """Where to look: an unclosed quote or bracket is noticed at the end of the text, yet lies where it was opened, or
    else on the last line that says anything."""
    problem, context = error.problem_mark, error.context_mark
    marks = [mark for mark in (problem, context) if mark is not None and source[mark.index :].strip()]
    return int(marks[0].line) if marks else source.rstrip().count("\n")


class _Builder:
    def __init__(self, source: str) -> None:
        self.root: Node | None = None
        self.duplicates: list[tuple[str, int]] = []
        self._source = source
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._documents = 0

    def take(self, event: Any) -> None:
        name = type(event).__name__
        if name == "ScalarEvent":
            self._add(self._scalar(event), event.anchor)
        elif name == "AliasEvent":
            self._add(self._aliased(event), None)
        elif name in ("SequenceStartEvent", "MappingStartEvent"):
            self._open(event, mapping=name == "MappingStartEvent")
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            opened = self._stack.pop()
            self._add(self._closed(opened, event.end_mark.index), opened.anchor)
        elif name == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                raise YamlFailure("more than one YAML document", event.start_mark.line)

    def _scalar(self, event: Any) -> Scalar:
        mark = event.start_mark
        plain = event.style is None and event.tag is None
        return Scalar(whole(event.value), plain, mark.line, mark.index, event.end_mark.index)

    def _aliased(self, event: Any) -> Node:
        node = self._anchors.get(event.anchor)
        if node is None:
            raise YamlFailure(f"undefined alias *{event.anchor}", event.start_mark.line)
        return node

    def _open(self, event: Any, *, mapping: bool) -> None:
        mark = event.start_mark
        if len(self._stack) >= MAX_DEPTH:
            raise YamlFailure(f"nested more than {MAX_DEPTH} deep", mark.line)
        self._stack.append(_Open(mapping, bool(event.flow_style), event.anchor, mark.line, mark.index))

    def _closed(self, opened: _Open, end: int) -> Node:
        size = 1 + sum(child.size for child in opened.children)
        if size > MAX_NODES:
            raise YamlFailure(f"more than {MAX_NODES} values once aliases are written out", opened.line)
        if opened.mapping:
            return self._mapping(opened, end, size)
        return Sequence(tuple(opened.children), opened.flow, opened.line, opened.start, end, size)

    def _mapping(self, opened: _Open, end: int, size: int) -> Mapping:
        pairs: dict[str, Node] = {}
        keys: dict[str, tuple[int, int]] = {}
        for key, value in zip(opened.children[::2], opened.children[1::2], strict=True):
            name = key.text if isinstance(key, Scalar) else self._source[key.start : key.end].strip()
            if name in pairs:
                self.duplicates.append((name, key.line))
            pairs[name] = value
            keys[name] = (key.start, key.end)
        return Mapping(pairs, opened.flow, opened.line, opened.start, end, size, keys)

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if self._stack:
            self._stack[-1].children.append(node)
        else:
            self.root = node


def whole(text: str) -> str:
    """The text without half characters: escapes such as `"\\ud83d"` can write surrogates, which no UTF-8 can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
