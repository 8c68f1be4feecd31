"""A file that was read becomes what the catalog records of it. Pure."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

from trilith.markdown.chunks import embed_texts
from trilith.model.ids import NoteId, Num
from trilith.model.note import Note
from trilith.ports.catalog import Recorded
from trilith.ports.vault import RawFile


def recorded(num: Num | None, note_id: NoteId, path: str, raw: RawFile, note: Note) -> Recorded:
    """`num` is None for a note that the catalog does not know. Dates that the note does not name are the file's."""
    return Recorded(
        num=num,
        id=note_id,
        path=path,
        stamp=raw.stamp,
        checksum=raw.checksum,
        created_at=note.metadata.created_at or _moment(raw.created_ns),
        updated_at=note.metadata.updated_at or _moment(raw.stamp.mtime_ns),
        note=note,
        embed_texts=embed_texts(note),
    )


def stepped(note: Note, steps: int) -> Note:
    """The note at the version in force: its file's, and one more for each change from outside."""
    if not steps:
        return note
    metadata = dataclasses.replace(note.metadata, version=note.metadata.version + steps)
    return dataclasses.replace(note, metadata=metadata)


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
