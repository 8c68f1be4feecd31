"""Metadata as JSON and back, exactly; what has its default value is left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from trilith.index.catalog.names import storable
from trilith.model.note import Metadata, Status, Visibility

_PLAIN = ("author", "summary", "confidence", "version", "source", "source_url", "collaborator_notes")
_LISTS = ("contributors", "tags", "aliases", "derived_from_ids", "para", "collaborators")
_MOMENTS = ("created_at", "updated_at", "expires_at")
_DEFAULTS = Metadata(title="")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def as_json(metadata: Metadata) -> dict[str, Any]:
    """The metadata as plain values; moments in ISO 8601."""
    data: dict[str, Any] = {"title": metadata.title}
    for name in (*_PLAIN, *_LISTS, "status", "visibility"):
        value = getattr(metadata, name)
        if value != getattr(_DEFAULTS, name):
            data[name] = value
    for name in _MOMENTS:
        moment: datetime | None = getattr(metadata, name)
        if moment is not None:
            data[name] = moment.isoformat()
    if metadata.typed_links:
        data["typed_links"] = dict(metadata.typed_links)
    if metadata.extra:
        data["extra"] = dict(metadata.extra)
    return data


def encode(metadata: Metadata) -> str:
    return dump(as_json(metadata))


def decode(text: str) -> Metadata:
    data: dict[str, Any] = json.loads(text)
    for name in _LISTS:
        if name in data:
            data[name] = tuple(data[name])
    for name in _MOMENTS:
        if name in data:
            data[name] = datetime.fromisoformat(data[name])
    if "status" in data:
        data["status"] = Status(data["status"])
    if "visibility" in data:
        data["visibility"] = Visibility(data["visibility"])
    links: Mapping[str, list[str]] = data.get("typed_links", {})
    if links:
        data["typed_links"] = {relation: tuple(ids) for relation, ids in links.items()}
    return Metadata(**data)


def dump(value: object) -> str:
    """JSON that SQLite takes: half characters (lone surrogates) are escaped."""
    text = _ENCODER.encode(value)
    return text if storable(text) == text else json.dumps(value)
