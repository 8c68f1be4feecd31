"""Known frontmatter keys, typed. What is not of a key's type belongs to the user and stays with the unknown keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from trilith.markdown.dates import parse_date
from trilith.markdown.frontmatter import Frontmatter
from trilith.markdown.links import typed_targets
from trilith.markdown.tags import distinct_tags, tags_of
from trilith.markdown.values import number_of, text_of, texts_of, to_json
from trilith.markdown.yamltree import Mapping, Node, Scalar
from trilith.model.ids import NoteId, parse_id
from trilith.model.note import Metadata, Problem, Status, Visibility

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

MAX_TITLE = 500
"""Characters of a title; a longer one is cut, so that no list of hits carries a whole text."""

_VERSION = re.compile(r"[1-9][0-9]{0,14}")
_CREATED = ("created_at", "created", "date")
_UPDATED = ("updated_at", "updated", "modified")


@dataclass(frozen=True, slots=True)
class Fields:
    """`declared_id` is the UUID that the file names, if it does."""

    metadata: Metadata
    declared_id: NoteId | None
    problems: tuple[Problem, ...]


def read_fields(front: Frontmatter, *, fallback_title: str, inline_tags: Sequence[str] = ()) -> Fields:
    """Everything that a block says about its note.

    Args:
        front: the block as read.
        fallback_title: the title of a note whose frontmatter names none.
        inline_tags: the tags of the body, in order.
    """
    known = _Known(front)
    declared_id = known.take("id", lambda node: parse_id(text_of(node)))
    author = known.take("author", text_of) or None
    metadata = Metadata(
        title=known.title() or fallback_title,
        author=author,
        contributors=_others(known.take("contributors", texts_of), author),
        tags=distinct_tags([*known.join(("tags", "tag"), tags_of), *front.tags, *inline_tags]),
        aliases=_distinct(known.join(("aliases", "alias"), _names)),
        summary=known.take("summary", text_of) or None,
        confidence=_or(known.take("confidence", _confidence), 1.0),
        created_at=known.date(_CREATED),
        updated_at=known.date(_UPDATED),
        version=_or(known.take("version", _version), 1),
        source=known.take("source", text_of) or None,
        source_url=known.take("source_url", text_of) or None,
        derived_from_ids=known.ids("derived_from_ids"),
        expires_at=known.date(("expires_at",), day_ends=True),
        para=_distinct(known.take("para", _names) or ()),
        typed_links=known.take("links", typed_targets) or {},
        status=_or(known.take("status", lambda node: _one_of(Status, node)), Status.RAW),
        visibility=_or(known.take("visibility", _visibility), Visibility.PRIVATE),
        collaborators=_distinct(known.take("collaborators", _names) or ()),
        collaborator_notes=known.secret("collaborator_notes"),
        extra=known.rest(),
    )
    return Fields(metadata, declared_id, tuple(known.problems))


def extra_names(metadata: Metadata) -> tuple[str, ...]:
    """All names besides path and title under which links find this note: its aliases, and an `id` that is no UUID."""
    other = metadata.extra.get("id")
    if isinstance(other, bool) or not isinstance(other, str | int | float) or other == "":
        return metadata.aliases
    return _distinct((*metadata.aliases, str(other)))


class _Known:
    """The keys of one block. A key is taken once; a value that its conversion answers with None is left where it is."""

    def __init__(self, front: Frontmatter) -> None:
        self.problems: list[Problem] = []
        self._source = front.source
        self._left: dict[str, Node] = dict(front.fields.items)

    def take(self, key: str, convert: Callable[[Node], T | None]) -> T | None:
        node = self._left.get(key)
        if node is None:
            return None
        value = None if isinstance(node, Scalar) and node.is_null else convert(node)
        if value is not None or (isinstance(node, Scalar) and node.is_null):
            del self._left[key]
        return value

    def join(self, keys: Iterable[str], convert: Callable[[Node], tuple[str, ...] | None]) -> tuple[str, ...]:
        return tuple(item for key in keys for item in self.take(key, convert) or ())

    def title(self) -> str | None:
        """The title as written, on one line. A list or map gives its text, and is reported."""
        node = self._left.get("title")
        if node is None or isinstance(node, Scalar):
            return _title_line(self.take("title", text_of) or "")
        self._report("odd_title", "the title is not a text", node)
        if isinstance(node, Mapping) or not all(isinstance(item, Scalar) for item in node.items):
            return _title_line(self._source[node.start : node.end])
        return _title_line(", ".join(texts_of(node) or ()))

    def date(self, keys: Sequence[str], *, day_ends: bool = False) -> datetime | None:
        """The first of the keys that holds a date. A text that is none is reported."""
        for key in keys:
            node = self._left.get(key)
            value = self.take(key, lambda node: parse_date(text_of(node) or "", day_ends=day_ends))
            if value is not None:
                return value
            if isinstance(node, Scalar) and key in self._left:
                self._report("odd_date", f"{key} is not a date", node)
        return None

    def ids(self, key: str) -> tuple[NoteId, ...]:
        """The UUIDs of a list. Other texts in it are reported and left out."""
        node = self._left.get(key)
        texts = self.take(key, texts_of) or ()
        found = [parse_id(text) for text in texts]
        if node is not None and None in found:
            self._report("odd_value", f"{key} holds what is no UUID", node)
        return tuple(dict.fromkeys(note_id for note_id in found if note_id is not None))

    def secret(self, key: str) -> str | None:
        """A text that must not be seen among the unknown keys, whatever its type."""
        value = self.take(key, lambda node: node.text if isinstance(node, Scalar) else None)
        if (node := self._left.pop(key, None)) is not None:
            self._report("odd_value", f"{key} is not a text; it is left out", node)
        return value or None

    def rest(self) -> dict[str, object]:
        return {key: to_json(node) for key, node in self._left.items()}

    def _report(self, code: str, message: str, node: Node) -> None:
        self.problems.append(Problem(code, message, node.line + 2))


def _or(value: T | None, default: T) -> T:
    return default if value is None else value


def _title_line(text: str) -> str | None:
    line = " ".join(text.split()) if "\n" in text or "\r" in text else text.strip()
    return line[:MAX_TITLE].strip() or None


def _names(node: Node) -> tuple[str, ...] | None:
    """A list, or one text parted at its commas, as Obsidian reads aliases."""
    if not isinstance(node, Scalar):
        return texts_of(node)
    return tuple(part.strip() for part in (text_of(node) or "").split(","))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _others(contributors: tuple[str, ...] | None, author: str | None) -> tuple[str, ...]:
    return tuple(name for name in _distinct(contributors or ()) if name != author)


def _confidence(node: Node) -> float | None:
    value = number_of(node)
    return None if value is None else min(1.0, max(0.0, value))


def _version(node: Node) -> int | None:
    text = text_of(node) or ""
    return int(text) if _VERSION.fullmatch(text) else None


def _one_of(kind: type[E], node: Node) -> E | None:
    text = text_of(node)
    return next((member for member in kind if member.value == text), None)


def _visibility(node: Node) -> Visibility | None:
    return Visibility.LINK if text_of(node) == "unlisted" else _one_of(Visibility, node)
