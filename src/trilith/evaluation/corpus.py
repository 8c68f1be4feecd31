"""Makes a vault of Markdown notes of the documents of a judged set."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

from trilith.evaluation.sets import Document, JudgedSet

FOLDERS = 20

File = tuple[str, str | None, bytes]
"""Path in the vault, id of the document if it is one, content."""


def write_notes(judged: JudgedSet, vault: Path) -> dict[str, str]:
    """One note for each document of the set; path of the note -> document id.

    Files that are right already are left as they are, so that a kept index need not read them again.
    """
    files = _copied(judged.vault) if judged.vault else _made(judged)
    ids: dict[str, str] = {}
    for path, document_id, data in files:
        _write(vault / path, data)
        if document_id is not None:
            ids[path] = document_id
    return ids


def _made(judged: JudgedSet) -> Iterator[File]:
    for number, document in enumerate(judged.documents):
        note_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{judged.name}/{document.id}"))
        yield _path(number, document), document.id, _note(note_id, document).encode()


def _copied(vault: Path) -> Iterator[File]:
    for file in sorted(vault.rglob("*")):
        if file.is_file():
            path = file.relative_to(vault).as_posix()
            yield path, path.removesuffix(".md") if path.endswith(".md") else None, file.read_bytes()


def _path(number: int, document: Document) -> str:
    """A document without a title is not given one: its file has a number for a name."""
    slug = re.sub(r"[\W_]+", "-", document.title.lower()).strip("-")[:50].strip("-")
    name = f"{slug}-{number}.md" if slug else f"{number}.md"
    return f"part-{number % FOLDERS:02d}/{name}"


def _note(note_id: str, document: Document) -> str:
    title = " ".join(document.title.split())
    line = f"title: {json.dumps(title, ensure_ascii=False)}\n" if title else ""  # a JSON string is a YAML string
    return f"---\nid: {note_id}\n{line}---\n{document.text}\n"


def _write(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
