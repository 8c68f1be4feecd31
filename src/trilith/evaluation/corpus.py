"""Writes the documents of a judged set as a vault of Markdown notes."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path

from trilith.evaluation.sets import Document

FOLDERS = 20


def write_notes(name: str, documents: Sequence[Document], vault: Path) -> dict[str, str]:
    """One note for each document of the set called `name`; note id -> document id.

    Files that are right already are left as they are, so that a kept index need not read them again.
    """
    ids: dict[str, str] = {}
    for number, document in enumerate(documents):
        note_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name}/{document.id}"))
        ids[note_id] = document.id
        _write(vault / _path(number, document), _note(note_id, document))
    return ids


def _path(number: int, document: Document) -> Path:
    """A document without a title is not given one: its file has a number for a name."""
    slug = re.sub(r"[\W_]+", "-", document.title.lower()).strip("-")[:50].strip("-")
    return Path(f"part-{number % FOLDERS:02d}") / (f"{slug}-{number}.md" if slug else f"{number}.md")


def _note(note_id: str, document: Document) -> str:
    title = " ".join(document.title.split())
    line = f"title: {json.dumps(title, ensure_ascii=False)}\n" if title else ""  # a JSON string is a YAML string
    return f"---\nid: {note_id}\n{line}---\n{document.text}\n"


def _write(path: Path, text: str) -> None:
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
