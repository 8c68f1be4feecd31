"""What a note says of itself before its text. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from trilith.markdown.inline import WIKI_LINK, wiki_span
from trilith.markdown.links import wiki_link
from trilith.model.note import Entry, Status
from trilith.surfaces.web.rendering.destinations import Destinations

MOST = 30
"""Values of one property."""
LONGEST = 300
"""Characters of a value."""
STANDING_ELSEWHERE = frozenset({"title", "id", "version"})


@dataclass(frozen=True, slots=True)
class Value:
    text: str
    href: str | None = None
    missing: bool = False
    external: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    values: tuple[Value, ...]


def properties(
    entry: Entry, destinations: Destinations, base: str, sources: Mapping[str, Entry], *, confided: bool
) -> tuple[Property, ...]:
    """Those that say anything.

    Args:
        sources: notes that this one was derived from, by id, as far as the reader may see them.
        confided: whether the reader may know of the note's collaborators.
    """
    named = list(_known(entry, base, sources, confided=confided))
    named += [(name, list(_values(value, destinations))) for name, value in entry.metadata.extra.items()]
    return tuple(
        Property(name, tuple(values[:MOST])) for name, values in named if values and name not in STANDING_ELSEWHERE
    )


def _known(
    entry: Entry, base: str, sources: Mapping[str, Entry], *, confided: bool
) -> Iterator[tuple[str, list[Value]]]:
    note = entry.metadata
    yield "tags", [Value(tag, f"{base}/?tags={quote(tag, safe='')}") for tag in note.tags]
    if note.author:
        yield "author", [Value(note.author, f"{base}/?author={quote(note.author, safe='')}")]
    yield "contributors", list(map(Value, note.contributors))
    yield "aliases", list(map(Value, note.aliases))
    yield "created", [Value(_day(entry.created_at))]
    yield "updated", [Value(_day(entry.updated_at))]
    yield "expires", [Value(_day(note.expires_at))] if note.expires_at else []
    yield "confidence", [Value(f"{note.confidence:g}")] if note.confidence != 1.0 else []
    yield "status", [Value(note.status.value)] if note.status is not Status.RAW else []
    yield "visibility", [Value(note.visibility.value)]
    yield "source", [Value(note.source)] if note.source else []
    yield "source url", [_url(note.source_url)] if note.source_url else []
    yield "derived from", [_source(each, sources.get(each), base) for each in note.derived_from_ids]
    yield "para", list(map(Value, note.para))
    yield "collaborators", list(map(Value, note.collaborators)) if confided else []


def _values(value: Any, destinations: Destinations) -> Iterator[Value]:
    if isinstance(value, list):
        for each in value:
            yield from _values(each, destinations)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from (
                Value(f"{name}: {inner.text}", inner.href, inner.missing) for inner in _values(each, destinations)
            )
    elif value is not None:
        yield _linked(str(value).strip(), destinations)


def _linked(text: str, destinations: Destinations) -> Value:
    match = WIKI_LINK.fullmatch(text)
    link = wiki_link(wiki_span(match)) if match else None
    if link is not None:
        found = destinations.of(link)
        return Value(link.text or link.target or text, found.href, missing=found.href is None)
    return _url(text) if text.startswith(("http://", "https://")) else Value(_short(text))


def _source(note_id: str, source: Entry | None, base: str) -> Value:
    if source is None:
        return Value(note_id, missing=True)
    return Value(source.metadata.title, f"{base}/note/{source.id}")


def _url(text: str) -> Value:
    safe = text.startswith(("http://", "https://"))
    return Value(_short(text), text if safe else None, external=safe)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _day(moment: datetime) -> str:
    """`2026-03-18`, with the minute unless that is midnight; UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}".removesuffix(" 00:00")
