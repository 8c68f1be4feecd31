"""The shapes in which LoomBrain shows nodes."""

from __future__ import annotations

from typing import Any

from trilith.dialects.schema import STRING, STRINGS, nullable
from trilith.model.note import Entry

Json = dict[str, Any]

LONGEST_SUMMARY = 300
"""Characters, in lists."""

BRIEF = {"id": STRING, "title": STRING, "summary": nullable("A brief summary"), "tags": STRINGS}


def brief(entry: Entry) -> Json:
    """A node in a list."""
    summary = entry.metadata.summary
    if summary is not None and len(summary) > LONGEST_SUMMARY:
        summary = f"{summary[:LONGEST_SUMMARY].rstrip()}…"
    return {"id": entry.id, "title": entry.metadata.title, "summary": summary, "tags": list(entry.metadata.tags)}
