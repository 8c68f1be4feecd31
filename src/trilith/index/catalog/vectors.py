"""The vectors of the texts: what waits for one, and where it goes. Keyed by text and model, so that no text is
embedded twice, whichever note has it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import passes
from trilith.index.catalog.libraries import Counters, counters
from trilith.index.catalog.metadata import decode
from trilith.index.catalog.texts import chunk_text, digest
from trilith.model.query import Filter

_WAITING = "NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.digest = {digest} AND e.embedder = ?)"


def pending_texts(connection: Connection, library: str, model: str, limit: int) -> list[str]:
    """Texts of a library without a vector of `model`, freshest first."""
    lib, backlog, params = _backlog(connection, library, model)
    rows = connection.execute(f"SELECT digest FROM ({backlog}) ORDER BY seq DESC LIMIT ?", (*params, limit))
    digests = [value for (value,) in rows]
    texts = _texts(connection, lib, digests)
    return [texts[value] for value in digests]


def pending_count(connection: Connection, library: str, model: str) -> int:
    row = connection.execute("SELECT embedder, pending FROM libraries WHERE name = ?", (library,)).fetchone()
    if row is not None and row[0] == find_embedder(connection, model)[0]:
        return int(row[1])
    _, backlog, params = _backlog(connection, library, model)
    return int(connection.execute(f"SELECT count(*) FROM ({backlog})", params).fetchone()[0])


def has_any(connection: Connection, filter: Filter, model: str) -> bool:
    """Whether a chunk of the notes that pass has a vector of `model`."""
    embedder, _ = find_embedder(connection, model)
    found = passes(connection, filter)
    sql = (
        "SELECT 1 FROM notes n CROSS JOIN chunks c ON c.num = n.num"
        f" CROSS JOIN embeddings e ON e.digest = c.digest AND e.embedder = ? WHERE {found.sql} LIMIT 1"
    )
    return connection.execute(sql, (embedder, *found.params)).fetchone() is not None


def pending_of(connection: Connection, num: int, model: str) -> int:
    """How many chunks of a note wait for a vector of `model`."""
    embedder, _ = find_embedder(connection, model)
    sql = f"SELECT count(*) FROM chunks c WHERE c.num = ? AND {_WAITING.format(digest='c.digest')}"
    return int(connection.execute(sql, (num, embedder)).fetchone()[0])


def stale_count(connection: Connection, filter: Filter, model: str) -> int:
    """How many notes that pass have a chunk that waits for a vector of `model`."""
    if not any(pending_count(connection, library, model) for library in filter.libraries):
        return 0
    embedder, _ = find_embedder(connection, model)
    condition = passes(connection, filter)
    sql = (
        "SELECT count(*) FROM notes n WHERE EXISTS (SELECT 1 FROM chunks c WHERE c.num = n.num AND"
        f" {_WAITING.format(digest='c.digest')}) AND {condition.sql}"
    )
    return int(connection.execute(sql, (embedder, *condition.params)).fetchone()[0])


def store(connection: Connection, library: str, model: str, texts: Sequence[str], vectors: NDArray[np.float16]) -> None:
    """Keep these vectors; the notes that have the texts, of whatever library, change for their vector views."""
    if len(texts) != len(vectors):
        raise ValueError(f"{len(vectors)} vectors for {len(texts)} texts")
    embedder = _embedder(connection, model, vectors.shape[1])
    _follow(connection, library, embedder)
    digests = [digest(text) for text in texts]
    little = np.ascontiguousarray(vectors, dtype="<f2")
    connection.executemany(
        "INSERT INTO embeddings VALUES (?, ?, ?) ON CONFLICT (digest, embedder) DO UPDATE SET vector = excluded.vector",
        [(value, embedder, vector.tobytes()) for value, vector in zip(digests, little, strict=True)],
    )
    asked = json.dumps(digests)
    connection.execute(
        "INSERT INTO unused SELECT value FROM json_each(?) j WHERE true ON CONFLICT DO NOTHING", (asked,)
    )
    for (each,) in connection.execute("SELECT name FROM libraries WHERE embedder = ?", (embedder,)).fetchall():
        row = counters(connection, each)
        row.pending -= connection.execute(
            "DELETE FROM backlog WHERE lib = ? AND digest IN (SELECT value FROM json_each(?) j)", (row.lib, asked)
        ).rowcount
        row.keep(connection)
    _tell_views(connection, asked)


def find_embedder(connection: Connection, model: str) -> tuple[int | None, int]:
    """The catalog's number for a model and the width of its vectors; None and 0 before its first vector."""
    row = connection.execute("SELECT embedder, width FROM embedders WHERE name = ?", (model,)).fetchone()
    return (None, 0) if row is None else (row[0], row[1])


def _embedder(connection: Connection, model: str, width: int) -> int:
    connection.execute(
        "INSERT INTO embedders (name, width) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET width = excluded.width",
        (model, width),
    )
    return int(connection.execute("SELECT embedder FROM embedders WHERE name = ?", (model,)).fetchone()[0])


def _follow(connection: Connection, library: str, embedder: int) -> None:
    """Let the backlog list what waits for this embedder, from now on."""
    row = counters(connection, library)
    if row.embedder == embedder:
        return
    if row.embedder is None:
        waiting = _WAITING.format(digest="backlog.digest")
        row.pending -= connection.execute(
            f"DELETE FROM backlog WHERE lib = ? AND NOT {waiting}", (row.lib, embedder)
        ).rowcount
    else:
        connection.execute("DELETE FROM backlog WHERE lib = ?", (row.lib,))
        row.pending = connection.execute(
            f"INSERT INTO backlog SELECT ?, * FROM ({_ALL})", (row.lib, row.lib, embedder)
        ).rowcount
    row.embedder = embedder
    row.keep(connection)


_ALL = (
    "SELECT c.digest, max(n.seq) AS seq FROM notes n JOIN chunks c ON c.num = n.num"
    f" WHERE n.lib = ? AND {_WAITING.format(digest='c.digest')} GROUP BY c.digest"
)


def _backlog(connection: Connection, library: str, model: str) -> tuple[int, str, tuple[object, ...]]:
    """The library's number, and a query for `digest` and `seq` of what waits for a vector of `model`."""
    row = connection.execute("SELECT lib, embedder FROM libraries WHERE name = ?", (library,)).fetchone()
    lib, followed = row or (0, None)
    embedder, _ = find_embedder(connection, model)
    listed = "SELECT digest, seq FROM backlog WHERE lib = ?"
    if followed == embedder:
        return lib, listed, (lib,)
    if followed is None:
        return lib, f"{listed} AND {_WAITING.format(digest='backlog.digest')}", (lib, embedder)
    return lib, _ALL, (lib, embedder)


def _texts(connection: Connection, lib: int, digests: Sequence[int]) -> dict[int, str]:
    """The words of these texts, put together again from any chunk of the library that has them."""
    rows = connection.execute(
        "SELECT c.digest, c.num, c.section, c.start, c.stop, c.lead, c.tail FROM json_each(?) j"
        " CROSS JOIN chunks c ON c.digest = j.value AND c.num = (SELECT min(o.num) FROM chunks o"
        " CROSS JOIN notes n ON n.num = o.num AND n.lib = ? WHERE o.digest = j.value)",
        (json.dumps(digests), lib),
    ).fetchall()
    nums = json.dumps(sorted({row[1] for row in rows}))
    contents = {
        num: (body, decode(metadata).collaborator_notes)
        for num, body, metadata in connection.execute(
            "SELECT c.num, c.body, c.metadata FROM json_each(?) j CROSS JOIN contents c ON c.num = j.value", (nums,)
        )
    }
    return {
        value: lead if tail is None else f"{lead}{chunk_text(*contents[num], section, start, stop)}{tail}"
        for value, num, section, start, stop, lead, tail in rows
    }


def _tell_views(connection: Connection, digests: str) -> None:
    """Give new vector numbers to the notes that have one of these texts."""
    rows = connection.execute(
        "SELECT DISTINCT l.name, n.num FROM json_each(?) j CROSS JOIN chunks c ON c.digest = j.value"
        " CROSS JOIN notes n ON n.num = c.num CROSS JOIN libraries l ON l.lib = n.lib ORDER BY n.num",
        (digests,),
    ).fetchall()
    changed: dict[str, Counters] = {}
    for library, num in rows:
        if library not in changed:
            changed[library] = counters(connection, library)
        row = changed[library]
        connection.execute("UPDATE notes SET vseq = ? WHERE num = ?", (row.next_vseq(), num))
    for row in changed.values():
        row.keep(connection)
