"""Identities: the permanent id of a note, and the short number the indexes use for it."""

from __future__ import annotations

import uuid
from typing import NewType

NoteId = NewType("NoteId", str)
"""Canonical lower-case UUID text; permanent."""

Num = NewType("Num", int)
"""The catalog's number for a note: small, never reused, meaningless after a rebuild."""


def parse_id(text: object) -> NoteId | None:
    """The canonical form of a UUID, or None when `text` is not one (any non-string included)."""
    if not isinstance(text, str) or len(text) not in (32, 36):
        return None
    try:
        return NoteId(str(uuid.UUID(text)))
    except ValueError:
        return None


def derive_id(library: str, path: str, attempt: int = 0) -> NoteId:
    """The id of a file that has none: UUIDv5 of its library's name and its path when first seen.

    `attempt` above 0 gives further ids for a path whose first id has moved on with a renamed note.
    """
    namespace = uuid.uuid5(uuid.NAMESPACE_URL, f"trilith:library:{library}")
    return NoteId(str(uuid.uuid5(namespace, path if attempt == 0 else f"{path}\0{attempt}")))
