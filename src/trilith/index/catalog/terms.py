"""What can a note be filtered by? Pure.

A term is a field and a value. `#` holds the tags, folded, each with its ancestors (`a/b` is under `a` too); `#=` the
tags as written; `@` the author, folded; `.key` a frontmatter property, dotted where nested, as JSON: so `"0"` is not `0`. A list counts both as
a whole and by its members. Dates that Trilith knows are columns and no terms; collaborator notes are never compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from trilith.index.catalog.names import folded, storable
from trilith.markdown.urls import normalize_url
from trilith.model.note import Metadata

TAG = "#"
TAG_AS_WRITTEN = "#="
AUTHOR = "@"
SOURCE_URL = ".source_url"
DERIVED = ".derived_from_ids"

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_SECRET = "collaborator_notes"
_LONGEST = 200
"""Characters of a value that are kept as they are; longer ones are compared by their digest."""


class Term(NamedTuple):
    field: str
    value: str


def terms_of(metadata: Metadata) -> frozenset[Term]:
    """Every term of a note."""
    terms = {Term(TAG, tag) for written in metadata.tags for tag in _lineage(written)}
    terms |= {Term(TAG_AS_WRITTEN, storable(written)) for written in metadata.tags}
    if metadata.author is not None:
        terms.add(author(metadata.author))
    terms.update(_properties("", _known(metadata) | dict(metadata.extra)))
    return frozenset(terms)


def tag(text: str) -> Term:
    """The term of a tag asked for, with or without `#`."""
    return Term(TAG, folded(text.strip().removeprefix("#").strip("/")))


def author(name: str) -> Term:
    return Term(AUTHOR, folded(name.strip()))


def equals(key: str, value: Any) -> Term:
    """The term of a property that equals `value`, or has it as a member."""
    field = f".{storable(key)}"
    if field == SOURCE_URL and isinstance(value, str):
        value = normalize_url(value)
    return Term(field, _comparable(value))


def _known(metadata: Metadata) -> dict[str, Any]:
    """Typed fields under their frontmatter names."""
    scalars = ("title", "author", "summary", "confidence", "version", "source", "status", "visibility")
    lists = ("contributors", "tags", "aliases", "derived_from_ids", "para", "collaborators")
    known: dict[str, Any] = {name: getattr(metadata, name) for name in scalars}
    known |= {name: list(getattr(metadata, name)) for name in lists}
    known |= {"links": {relation: list(ids) for relation, ids in metadata.typed_links.items()}}
    known["source_url"] = normalize_url(metadata.source_url) if metadata.source_url is not None else None
    return {name: value for name, value in known.items() if value is not None and value not in ([], {})}


def _properties(prefix: str, values: Mapping[str, Any]) -> Iterator[Term]:
    for key, value in values.items():
        if not prefix and key == _SECRET:
            continue
        yield from _property(f"{prefix}.{storable(key)}", value)


def _property(field: str, value: Any) -> Iterator[Term]:
    yield Term(field, _comparable(value))
    if isinstance(value, Mapping):
        yield from _properties(field, value)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _property(field, member)


def _comparable(value: Any) -> str:
    """Equal texts for equal values: 1 is 1.0, but neither `true` nor `"1"`; the order of keys does not matter."""
    is_short = isinstance(value, str) and len(value) <= _LONGEST
    return _comparable_text(value) if is_short else _encoded(_plain(value))


@lru_cache(maxsize=1 << 12)
def _comparable_text(value: str) -> str:
    """The same for the same: tags, authors and kinds come again in every note."""
    return _encoded(value)


def _encoded(value: Any) -> str:
    text = _ENCODER.encode(value)
    if len(text) > _LONGEST:
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return storable(text)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return value


def _lineage(written: str) -> Iterator[str]:
    """A tag and its ancestors."""
    segments = folded(written).split("/")
    for end in range(1, len(segments) + 1):
        yield "/".join(segments[:end])
