"""Writes the documents of a judged set as a vault of Markdown notes."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path

from trilith.evaluation.sets import Document

OPENING_WORDS = 8
"""Words of its text that a document without a title is called after."""
TITLE_CHARACTERS = 120
FOLDERS = 20


def write_notes(name: str, documents: Sequence[Document], vault: Path) -> dict[str, str]:
    """One note for each document of the set called `name`; note id -> document id.

    Files that are right already are left as they are, so that a kept index need not read them again.
    """
    ids: dict[str, str] = {}
    for number, document in enumerate(documents):
        note_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name}/{document.id}"))
        ids[note_id] = document.id
        _write(vault / _path(number, document), _note(note_id, number, document))
    return ids


def title_of(number: int, document: Document) -> str:
    """Its title, else its first words, on one line."""
    words = document.title.split() or document.text.split()[:OPENING_WORDS]
    return " ".join(words)[:TITLE_CHARACTERS] or f"Document {number}"


def _path(number: int, document: Document) -> Path:
    slug = re.sub(r"[\W_]+", "-", title_of(number, document).lower()).strip("-")[:50]
    return Path(f"part-{number % FOLDERS:02d}") / f"{slug or 'note'}-{number}.md"


def _note(note_id: str, number: int, document: Document) -> str:
    title = json.dumps(title_of(number, document), ensure_ascii=False)  # a JSON string is a YAML string
    return f"---\nid: {note_id}\ntitle: {title}\n---\n{document.text}\n"


def _write(path: Path, text: str) -> None:
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
