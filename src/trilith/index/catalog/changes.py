"""What must a view take over to be level with the catalog?

Every change of a note has a sequence number of its own; a note is at the number of its last change, a dropped one leaves
a tombstone at the number of its end. So a view that asks from where it is gets each note once, in a bounded batch, and
knows exactly where it stands after it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

import numpy as np

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import from_microseconds
from trilith.index.catalog.metadata import decode
from trilith.index.catalog.vectors import find_embedder
from trilith.model.ids import NoteId, Num
from trilith.model.note import Chunk, Section
from trilith.ports.items import Changes, ChunkedItem, FullTextItem, Item, VectorItem

MOST_BYTES = 8_000_000
"""The size of files after which a batch takes no more: its memory does not go by how large notes are."""


class _Slice(NamedTuple):
    """The changes of a batch: notes to put and to drop."""

    upto: int
    put: list[int]
    drop: list[int]
    anew: bool


def sequence(connection: Connection, library: str, column: str = "seq") -> int:
    """The last number given in a library, for its notes (`seq`) or its notes and vectors (`vseq`)."""
    row = connection.execute(f"SELECT {column} FROM libraries WHERE name = ?", (library,)).fetchone()
    return 0 if row is None else int(row[0])


def changed_since(connection: Connection, library: str, after: int) -> int:
    """How many notes a full-text view at `after` has yet to put or to drop."""
    row = _library(connection, library, "seq", after)
    if row is None:
        return 0
    lib, _, start, _ = row
    counted = 0
    for table in ("notes", "tombstones"):
        if table == "notes" or start:
            sql = f"SELECT count(*) FROM {table} WHERE lib = ? AND seq > ?"
            counted += int(connection.execute(sql, (lib, start)).fetchone()[0])
    return counted


def full_text_changes(connection: Connection, library: str, after: int, limit: int) -> Changes[FullTextItem]:
    part = _slice(connection, library, "seq", after, limit)
    return _changes(part, _full_text_items(connection, part.put))


def chunk_changes(connection: Connection, library: str, after: int, limit: int) -> Changes[ChunkedItem]:
    part = _slice(connection, library, "seq", after, limit)
    rows = connection.execute(
        "SELECT c.num, c.ordinal, c.start, c.stop, c.section FROM json_each(?) j CROSS JOIN chunks c ON c.num = j.value"
        " ORDER BY c.num, c.ordinal",
        (json.dumps(part.put),),
    )
    chunks: dict[int, list[Chunk]] = defaultdict(list)
    for num, ordinal, start, stop, section in rows:
        chunks[num].append(Chunk(ordinal, start, stop, section=Section(section)))
    notes = _full_text_items(connection, part.put)
    return _changes(part, tuple(ChunkedItem(note=note, chunks=tuple(chunks[note.num])) for note in notes))


def vector_changes(connection: Connection, library: str, model: str, after: int, limit: int) -> Changes[VectorItem]:
    """A note is put with what vectors it has, none included; their width is 0 before the model's first vector."""
    part = _slice(connection, library, "vseq", after, limit)
    return _changes(part, _vector_items(connection, model, part.put))


def _changes(part: _Slice, items: tuple[Item, ...]) -> Changes[Item]:
    return Changes(upto=part.upto, put=items, drop=tuple(map(Num, part.drop)), anew=part.anew)


def _library(connection: Connection, library: str, column: str, after: int) -> tuple[int, int, int, bool] | None:
    """A library's number, its last sequence number, from where a view at `after` must go on, and whether that is anew:
    its number was not given by this catalog, or before the library was forgotten."""
    row = connection.execute(f"SELECT lib, {column}, floor FROM libraries WHERE name = ?", (library,)).fetchone()
    if row is None:
        return None
    lib, last, floor = row
    strange = not floor <= after <= last
    return lib, last, 0 if strange else after, strange and after > 0


def _slice(connection: Connection, library: str, column: str, after: int, limit: int) -> _Slice:
    row = _library(connection, library, column, after)
    if row is None:
        return _Slice(0, [], [], after > 0)
    lib, last, start, anew = row
    changes = "SELECT {0} AS at, num, {1} AS size FROM {2} WHERE lib = ? AND {0} > ?"
    sources = [changes.format(column, "size", "notes")]
    if start:
        sources.append(changes.format(column, -1, "tombstones"))
    rows = connection.execute(
        f"{' UNION ALL '.join(sources)} ORDER BY at LIMIT ?", (*((lib, start) * len(sources)), limit + 1)
    ).fetchall()
    before = accumulate((max(size, 0) for _, _, size in rows), initial=0)
    kept = [row for row, bytes_before in zip(rows[:limit], before, strict=False) if bytes_before < MOST_BYTES]
    upto = last if len(kept) == len(rows) else kept[-1][0]
    put = [num for _, num, size in kept if size >= 0]
    return _Slice(upto, put, [num for _, num, size in kept if size < 0], anew)


def _full_text_items(connection: Connection, nums: Sequence[int]) -> tuple[FullTextItem, ...]:
    rows = connection.execute(
        "SELECT n.num, n.id, n.checksum, n.path, n.created, n.updated, c.metadata, c.headings, c.body"
        " FROM json_each(?) j CROSS JOIN notes n ON n.num = j.value CROSS JOIN contents c ON c.num = n.num",
        (json.dumps(nums),),
    )
    return tuple(map(_full_text_item, rows))


def _full_text_item(row: Sequence[Any]) -> FullTextItem:
    num, note_id, checksum, path, created, updated, text, headings, body = row
    metadata = decode(text)
    return FullTextItem(
        num=Num(num),
        id=NoteId(note_id),
        checksum=checksum,
        path=path,
        title=metadata.title,
        aliases=metadata.aliases,
        tags=metadata.tags,
        author=metadata.author,
        summary=metadata.summary,
        headings=tuple(json.loads(headings)),
        body=body,
        status=metadata.status.value,
        visibility=metadata.visibility.value,
        collaborators=metadata.collaborators,
        collaborator_notes=metadata.collaborator_notes,
        para=metadata.para,
        created_at=from_microseconds(created),
        updated_at=from_microseconds(updated),
    )


def _vector_items(connection: Connection, model: str, nums: Sequence[int]) -> tuple[VectorItem, ...]:
    embedder, width = find_embedder(connection, model)
    rows = connection.execute(
        "SELECT n.num, n.checksum, c.ordinal, e.vector FROM json_each(?) j CROSS JOIN notes n ON n.num = j.value"
        " LEFT JOIN chunks c ON c.num = n.num"
        " LEFT JOIN embeddings e ON e.digest = c.digest AND e.embedder = ? ORDER BY j.key, c.ordinal",
        (json.dumps(nums), embedder),
    )
    items = []
    for (num, checksum), found in groupby(rows, key=lambda row: (row[0], row[1])):
        vectors = [(ordinal, vector) for _, _, ordinal, vector in found if vector is not None]
        items.append(
            VectorItem(
                num=Num(num),
                checksum=checksum,
                ordinals=np.array([ordinal for ordinal, _ in vectors], np.int32),
                vectors=np.frombuffer(b"".join(vector for _, vector in vectors), "<f2").reshape(len(vectors), width),
            )
        )
    return tuple(items)
