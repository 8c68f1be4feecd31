"""What has become of the notes since a moment? Sequence numbers are moments: see `libraries.Counters`."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import from_microseconds, hides_path, library_numbers, passes, to_microseconds
from trilith.index.catalog.reading import entries
from trilith.model.ids import NoteId, Num
from trilith.model.query import Filter
from trilith.model.shortid import Kin
from trilith.ports.catalog import Delta, Gone

_END = "g"
"""Sorts behind every hexadecimal digit."""


def kin(connection: Connection, starts: Collection[str], libraries: Collection[str]) -> tuple[Kin, ...]:
    names = {lib: name for name, lib in library_numbers(connection, libraries).items()}
    rows = connection.execute(
        "SELECT n.num, n.id, n.lib, n.created FROM json_each(?) k"
        " CROSS JOIN notes n ON n.id_digest >= k.value AND n.id_digest < k.value || ?",
        (json.dumps(sorted(set(starts))), _END),
    )
    return tuple(
        Kin(Num(num), NoteId(note_id), names[lib], from_microseconds(created))
        for num, note_id, lib, created in rows
        if lib in names
    )


def delta(connection: Connection, filter: Filter, after: datetime, limit: int) -> Delta:
    start = to_microseconds(after)
    found = [*_changed(connection, filter, start, limit), *_gone(connection, filter, start, limit)]
    found.sort(key=lambda change: change[0])
    if not found:
        return Delta()
    last = found[: max(limit, 1)][-1][0]
    told = [what for at, what in found if at <= last]
    known = entries(connection, [what for what in told if not isinstance(what, Gone)])
    return Delta(
        changed=tuple(known[what] for what in told if not isinstance(what, Gone)),
        gone=tuple(what for what in told if isinstance(what, Gone)),
        upto=from_microseconds(last),
        more=len(told) < len(found),
    )


def _changed(connection: Connection, filter: Filter, start: int, limit: int) -> list[tuple[int, Num | Gone]]:
    condition = passes(connection, filter)
    rows = connection.execute(
        f"SELECT n.seq, n.num FROM notes n WHERE n.seq > ? AND {condition.sql} ORDER BY n.seq LIMIT ?",
        (start, *condition.params, limit + 1),
    )
    return [(seq, Num(num)) for seq, num in rows]


def _gone(connection: Connection, filter: Filter, start: int, limit: int) -> list[tuple[int, Num | Gone]]:
    """Deleted notes that have not come back, and dismissed ones."""
    seen_whole = {scope.library for scope in filter.scopes if scope.reader is None}
    names = {lib: name for name, lib in library_numbers(connection, seen_whole).items()}
    rows = connection.execute(
        "SELECT t.seq, t.id, t.lib, t.path FROM json_each(?) j CROSS JOIN tombstones t ON t.lib = j.value AND t.seq > ?"
        " WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.id = t.id AND n.lib = t.lib)"
        " UNION ALL SELECT n.seq, n.id, n.lib, n.path FROM json_each(?) j CROSS JOIN notes n ON n.lib = j.value"
        " AND n.live = 0 AND n.seq > ? ORDER BY 1 LIMIT ?",
        (json.dumps(list(names)), start, json.dumps(list(names)), start, limit + 1),
    ).fetchall()
    last = {note_id: seq for seq, note_id, _, _ in rows}
    return [
        (seq, Gone(NoteId(note_id), names[lib]))
        for seq, note_id, lib, path in rows
        if last[note_id] == seq and not hides_path(filter, names[lib], path)
    ]
