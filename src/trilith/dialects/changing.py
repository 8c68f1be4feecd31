"""Arguments become changes of notes, and what came of a change becomes an answer: the same in every dialect."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from trilith.dialects import shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.moments import iso
from trilith.errors import InvalidInput
from trilith.markdown.dates import parse_date
from trilith.markdown.tags import distinct_tags
from trilith.model.change import Edit, EditKind, FieldValue, MoveResult, WriteResult, Written
from trilith.model.ids import parse_id
from trilith.model.note import Status, Visibility
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App

Json = dict[str, Any]

VECTOR_PATIENCE = 30.0
"""Seconds that a write with `wait` waits for its vectors."""
LATE = "The vectors are not ready yet; full text finds the document already."
MAX_TTL_HOURS = 24.0 * 366 * 1000
_DAY = 10
"""Characters of `2026-03-01`."""


def frontmatter(arguments: Arguments, now: datetime) -> dict[str, FieldValue]:
    """The fields that were given, as they are to stand in the file; an empty one is to be taken away. Raises
    `InvalidInput` naming the field."""
    return {name: read(arguments, name) for name, read in _READERS.items() if arguments.has(name)} | _expiry(
        arguments, now
    )


def part(arguments: Arguments) -> Edit:
    """The edit of a part of a body. Raises `InvalidInput`."""
    operation = arguments.required_text("operation")
    if operation not in set(EditKind):
        raise InvalidInput(f"'operation' must be one of {', '.join(EditKind)}.", field="operation")
    return Edit(
        kind=EditKind(operation),
        content=arguments.text("content") or "",
        section=arguments.strings("section", commas=False),
        find=arguments.text("find") or "",
        every=arguments.boolean("all"),
    )


def date_text(arguments: Arguments, name: str) -> str:
    """A date or time as it is to stand in a file: a day stays a day, a time becomes UTC. Raises `InvalidInput`."""
    text = _text(arguments, name)
    moment = parse_date(text)
    if text and moment is None:
        raise InvalidInput(f"'{name}' must be an ISO 8601 date or time, not '{text[:80]}'.", field=name)
    return text if len(text) <= _DAY else iso(moment) or ""


def expected_version(arguments: Arguments) -> int | None:
    return arguments.optional_integer("expected_version", least=1)


def written(app: App, filter: Filter, result: WriteResult, *, wait: bool) -> Json:
    """What a write came to. With `wait`, once the note's vectors are there."""
    entry = result.entry
    answer: Json = {
        "status": result.status.value,
        "id": entry.id,
        "path": entry.path,
        "version": entry.metadata.version,
        "library": entry.library,
        "warnings": list(result.warnings),
    }
    if result.status is Written.DUPLICATE:
        return {**answer, "duplicate_of": {**shapes.reference(entry), "source_url": entry.metadata.source_url}}
    answer["warnings"] += [
        f"No document has the id '{source}' of derived_from_ids."
        for source in entry.metadata.derived_from_ids
        if app.catalog.by_id(source, filter) is None
    ]
    if wait and not app.indexer.await_vectors(entry, VECTOR_PATIENCE):
        answer["warnings"].append(LATE)
    return answer if result.replaced is None else {**answer, "replaced": result.replaced}


def moved(app: App, result: MoveResult, *, wait: bool) -> Json:
    """What a move came to. With `wait`, once the note's vectors are there."""
    entry, warnings = result.entry, list(result.warnings)
    if wait and not app.indexer.await_vectors(entry, VECTOR_PATIENCE):
        warnings.append(LATE)
    return {
        "status": "unchanged" if entry.path == result.was else "moved",
        "id": entry.id,
        "path": entry.path,
        "old_path": result.was,
        "version": entry.metadata.version,
        "library": entry.library,
        "links_updated": result.links,
        "notes_changed": result.notes,
        "failed": [{"id": each.id, "path": each.path, "reason": each.reason} for each in result.failed],
        "warnings": warnings,
    }


def _text(arguments: Arguments, name: str) -> str:
    return (arguments.text(name) or "").strip()


def _markdown(arguments: Arguments, name: str) -> str:
    return arguments.text(name) or ""


def _tags(arguments: Arguments, name: str) -> tuple[str, ...]:
    return distinct_tags(arguments.strings(name))


def _names(arguments: Arguments, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arguments.strings(name)))


def _ids(arguments: Arguments, name: str) -> tuple[str, ...]:
    ids = [parse_id(text) for text in arguments.strings(name)]
    if None in ids:
        raise InvalidInput(f"'{name}' must be a list of UUIDs.", field=name)
    return tuple(dict.fromkeys(note_id for note_id in ids if note_id is not None))


def _share(arguments: Arguments, name: str) -> float:
    return arguments.number(name, least=0.0, most=1.0)


def _one_of(kind: type[StrEnum]) -> Callable[[Arguments, str], str]:
    def read(arguments: Arguments, name: str) -> str:
        text = _text(arguments, name)
        if text and text not in set(kind):
            raise InvalidInput(f"'{name}' must be one of {', '.join(kind)}, not '{text}'.", field=name)
        return text

    return read


def _expiry(arguments: Arguments, now: datetime) -> dict[str, FieldValue]:
    """`expires_at` as it is to stand in the file. A day stays a day: it means that day's end."""
    if arguments.has("ttl_hours") and arguments.has("expires_at"):
        raise InvalidInput("Give 'ttl_hours' or 'expires_at', not both.", field="ttl_hours")
    if arguments.has("ttl_hours"):
        hours = arguments.number("ttl_hours", least=0.0, most=MAX_TTL_HOURS)
        return {"expires_at": iso(now + timedelta(hours=hours)) or ""}
    return {"expires_at": date_text(arguments, "expires_at")} if arguments.has("expires_at") else {}


def _visibility(arguments: Arguments, name: str) -> str:
    """`unlisted` is another word for `link`, here as in files."""
    return Visibility.LINK if _text(arguments, name) == "unlisted" else _one_of(Visibility)(arguments, name)


_READERS: dict[str, Callable[[Arguments, str], FieldValue]] = {
    "title": _text,
    "tags": _tags,
    "aliases": _names,
    "summary": _text,
    "confidence": _share,
    "source": _text,
    "source_url": _text,
    "derived_from_ids": _ids,
    "para": _names,
    "status": _one_of(Status),
    "visibility": _visibility,
    "collaborators": _names,
    "collaborator_notes": _markdown,
}
