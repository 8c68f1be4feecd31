"""What is embedded of each note: its chunks, and the texts that wait for a vector.

A text is known by its digest. Its words are not kept twice: a chunk keeps what stands before and after its own text.
The backlog lists, for each library, the texts without a vector of the embedder that last stored one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.libraries import Counters
from trilith.index.catalog.metadata import dump
from trilith.index.catalog.names import storable
from trilith.model.note import Chunk, Section
from trilith.ports.catalog import Recorded


def digest(text: str) -> int:
    """64 bits of SHA-256, signed: that two of a million texts share one has a chance of one in 40 million."""
    return int.from_bytes(hashlib.sha256(storable(text).encode()).digest()[:8], "big", signed=True)


def chunk_text(body: str, notes: str | None, section: str, start: int, stop: int) -> str:
    """A chunk's own text."""
    return (notes or "" if section == Section.NOTES else body)[start:stop]


WRITE = "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def rows(num: int, note: Recorded, digests: Sequence[int]) -> list[tuple[object, ...]]:
    """The rows of `WRITE` for a note's chunks; `digests` of what is to be embedded of them."""
    body, notes = note.note.body, note.note.metadata.collaborator_notes
    made: list[tuple[object, ...]] = []
    for chunk, text, value in zip(note.note.chunks, note.embed_texts, digests, strict=True):
        own = chunk_text(body, notes, chunk.section, chunk.start, chunk.end)
        made.append((*_plain(num, chunk), *_around(own, text), value))
    return made


def want(connection: Connection, row: Counters, texts: Mapping[int, int]) -> None:
    """Let texts without a vector join the backlog: digest -> sequence number of the newest note that has it."""
    connection.executemany(
        "UPDATE backlog SET seq = ? WHERE lib = ? AND digest = ?",
        [(seq, row.lib, value) for value, seq in texts.items()],
    )
    row.pending += connection.execute(
        "INSERT INTO backlog SELECT ?, json_extract(p.value, '$[0]'), json_extract(p.value, '$[1]')"
        " FROM json_each(?) p WHERE NOT EXISTS (SELECT 1 FROM embeddings e"
        " WHERE e.digest = json_extract(p.value, '$[0]') AND e.embedder = ?) ON CONFLICT DO NOTHING",
        (row.lib, json.dumps(list(texts.items())), row.embedder),
    ).rowcount


def remove(connection: Connection, row: Counters, nums: Sequence[int]) -> None:
    """Let go of the chunks of notes; texts that no chunk has any more leave the backlog."""
    found = connection.execute(
        "SELECT DISTINCT digest FROM chunks WHERE num IN (SELECT value FROM json_each(?) j)", (json.dumps(nums),)
    )
    lost = json.dumps([value for (value,) in found])
    connection.executemany("DELETE FROM chunks WHERE num = ?", [(num,) for num in nums])
    row.pending -= connection.execute(
        "DELETE FROM backlog WHERE lib = ? AND digest IN (SELECT j.value FROM json_each(?) j WHERE NOT EXISTS"
        " (SELECT 1 FROM chunks c CROSS JOIN notes n ON n.num = c.num WHERE c.digest = j.value AND n.lib = ?))",
        (row.lib, lost, row.lib),
    ).rowcount
    connection.execute("INSERT INTO unused SELECT value FROM json_each(?) j WHERE true ON CONFLICT DO NOTHING", (lost,))


def _plain(num: int, chunk: Chunk) -> tuple[object, ...]:
    return (num, chunk.ordinal, chunk.start, chunk.end, chunk.section.value, dump(chunk.headings))


def _around(own: str, text: str) -> tuple[str, str | None]:
    """What stands before and after a chunk's own text in `text`; all of it and None where its own text is not there."""
    place = text.find(own) if own else -1
    if place < 0:
        return storable(text), None
    return storable(text[:place]), storable(text[place + len(own) :])
