"""The shapes in which LoomBrain shows nodes and PARA items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trilith.dialects.moments import iso
from trilith.dialects.schema import STRING, STRINGS, nullable
from trilith.model.note import Entry
from trilith.model.para import ParaItem
from trilith.para.belonging import items_of

Json = dict[str, Any]

LONGEST_SUMMARY = 300
"""Characters, in lists."""

BRIEF = {"id": STRING, "title": STRING, "summary": nullable("A brief summary"), "tags": STRINGS}

NODE = {
    **BRIEF,
    "body_markdown": STRING,
    "para_item_ids": STRINGS,
    "why": nullable("Why the node was added"),
    "status": {**STRING, "description": "raw, validated, dismissed or archived."},
    "created_at": STRING,
    "updated_at": STRING,
    "path": STRING,
    "library": STRING,
}

ITEM = {
    "id": STRING,
    "category": {**STRING, "description": "projects, areas or resources."},
    "slug": STRING,
    "label": STRING,
    "description": nullable("What it is about"),
    "deadline": nullable("An ISO 8601 date"),
    "status": {**STRING, "description": "active or archived."},
    "created_at": nullable("When it began"),
    "library": STRING,
}


def brief(entry: Entry) -> Json:
    """A node in a list."""
    known = entry.metadata
    return {"id": entry.id, "title": known.title, "summary": _short(known.summary), "tags": list(known.tags)}


def node(entry: Entry, body: str, items: Iterable[ParaItem]) -> Json:
    """A node with its body, or as much of it as is given."""
    known = entry.metadata
    why = known.extra.get("why")
    return {
        **brief(entry),
        "summary": known.summary,
        "body_markdown": body,
        "para_item_ids": [item.id for item in items_of(entry, items)],
        "why": None if why is None else str(why),
        "status": known.status.value,
        "created_at": iso(entry.created_at),
        "updated_at": iso(entry.updated_at),
        "path": entry.path,
        "library": entry.library,
    }


def item(shown: ParaItem) -> Json:
    return {
        "id": shown.id,
        "category": shown.category.value,
        "slug": shown.slug,
        "label": shown.label,
        "description": shown.description,
        "deadline": shown.deadline,
        "status": shown.status.value,
        "created_at": iso(shown.created_at),
        "library": shown.library,
    }


def _short(summary: str | None) -> str | None:
    if summary is None or len(summary) <= LONGEST_SUMMARY:
        return summary
    return f"{summary[:LONGEST_SUMMARY].rstrip()}…"
