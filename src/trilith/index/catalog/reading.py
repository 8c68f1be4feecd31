"""Entries and texts: which notes there are, by id, path, name or filter, and what they say."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import (
    Asked,
    Condition,
    from_microseconds,
    is_plain,
    library_numbers,
    passes,
)
from trilith.index.catalog.metadata import decode
from trilith.index.catalog.names import KINDS, key_of, path_key, storable
from trilith.index.catalog.terms import TAG_AS_WRITTEN
from trilith.index.catalog.texts import chunk_text
from trilith.language.normal import fold
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Section
from trilith.model.query import Filter, Listing, Sort
from trilith.ports.catalog import ChunkText, Named, Page

_ENTRY = (
    "SELECT n.num, n.id, l.name, n.path, n.checksum, n.size, c.metadata, n.created, n.updated"
    " FROM {} CROSS JOIN contents c ON c.num = n.num CROSS JOIN libraries l ON l.lib = n.lib"
)
_ORDERS = {
    Sort.RELEVANCE: "n.updated {}, n.id",
    Sort.UPDATED: "n.updated {}, n.id",
    Sort.CREATED: "n.created {}, n.updated DESC, n.id",
    Sort.TITLE: "n.title_key {}, n.updated DESC, n.id",
    Sort.PATH: "n.path_key {0}, n.path {0}, n.id",
}


def entries(connection: Connection, nums: Iterable[Num]) -> dict[Num, Entry]:
    source = "json_each(?) j CROSS JOIN notes n ON n.num = j.value"
    rows = connection.execute(_ENTRY.format(source), (json.dumps([int(num) for num in nums]),))
    return {entry.num: entry for entry in map(_entry, rows)}


def by_id(connection: Connection, note_id: NoteId, filter: Filter) -> Entry | None:
    condition = passes(connection, filter, Asked.BY_ID, driven=True)
    sql = f"{_ENTRY.format('notes n')} WHERE n.id = ? AND {condition.sql} ORDER BY l.name"
    row = connection.execute(sql, (note_id, *condition.params)).fetchone()
    return None if row is None else _entry(row)


def by_path(connection: Connection, path: str, filter: Filter) -> Entry | None:
    condition = passes(connection, filter, Asked.BY_PATH, driven=True)
    libs = json.dumps(list(library_numbers(connection, filter.libraries).values()))
    source = "json_each(?) j CROSS JOIN notes n ON n.lib = j.value AND n.path_key IN (?, ?)"
    keys = (path_key(path), path_key(f"{path}.md"))  # the second for a file `x.md.md` asked for as `x.md`
    rows = connection.execute(
        f"{_ENTRY.format(source)} WHERE {condition.sql} ORDER BY l.name", (libs, *keys, *condition.params)
    ).fetchall()
    found = [_entry(row) for row in rows]
    for asked in (path, f"{path}.md", f"{path}.markdown"):
        for entry in sorted(found, key=lambda entry: entry.path != asked):
            if _composed(entry.path) == _composed(asked):
                return entry
    return None


def named(connection: Connection, name: str, filter: Filter) -> tuple[Named, ...]:
    condition = passes(connection, filter, driven=True)
    libs = json.dumps(list(library_numbers(connection, filter.libraries).values()))
    rows = connection.execute(
        "SELECT a.num, a.kind, n.path FROM json_each(?) j CROSS JOIN names a ON a.lib = j.value AND a.key = ?"
        f" CROSS JOIN notes n ON n.num = a.num WHERE {condition.sql}",
        (libs, key_of(name), *condition.params),
    ).fetchall()
    rows.sort(key=lambda row: (row[1], row[2].count("/"), row[2], row[0]))
    return tuple(Named(Num(num), KINDS[kind]) for num, kind, _ in rows)


def shows(connection: Connection, filter: Filter) -> bool:
    found = passes(connection, filter)
    row = connection.execute(f"SELECT EXISTS (SELECT 1 FROM notes n WHERE {found.sql})", found.params).fetchone()
    return bool(row[0])


def page(connection: Connection, listing: Listing) -> Page:
    condition = passes(connection, listing.filter)
    parts, params, source = [condition.sql], [*condition.params], "notes n"
    if listing.contains:
        source = "notes n CROSS JOIN contents b ON b.num = n.num"
        part = storable(fold(listing.contains))
        tagged = _tagged(connection, part, listing.filter)
        parts.append(
            "(instr(n.title_key, ?) > 0 OR n.num IN (SELECT value FROM json_each(?) j) OR has_text(b.body, ?))"
        )
        params += [part, json.dumps(tagged), part]
    if listing.title_contains:
        parts.append("instr(n.title_key, ?) > 0")
        params.append(storable(fold(listing.title_contains)))
    if listing.content_contains:
        source = "notes n CROSS JOIN contents b ON b.num = n.num"
        parts.append("has_text(b.body, ?)")
        params.append(storable(fold(listing.content_contains)))
    found = Condition(f"FROM {source} WHERE {' AND '.join(parts)}", tuple(params))
    total = (
        _live(connection, listing.filter)
        if is_plain(listing.filter) and len(parts) == 1
        else int(connection.execute(f"SELECT count(*) {found.sql}", found.params).fetchone()[0])
    )
    return Page(entries=_ordered(connection, found, listing), total=total)


def body(connection: Connection, num: Num) -> str:
    row = connection.execute("SELECT body FROM contents WHERE num = ?", (num,)).fetchone()
    return "" if row is None else str(row[0])


def bodies(connection: Connection, nums: Iterable[Num]) -> dict[Num, str]:
    rows = connection.execute(
        "SELECT c.num, c.body FROM json_each(?) j CROSS JOIN contents c ON c.num = j.value",
        (json.dumps([int(num) for num in nums]),),
    )
    return {Num(num): text for num, text in rows}


def chunk_texts(connection: Connection, wanted: Sequence[tuple[Num, int]]) -> dict[tuple[Num, int], ChunkText]:
    rows = connection.execute(
        "SELECT c.num, c.ordinal, c.section, c.start, c.stop, c.headings FROM json_each(?) p"
        " CROSS JOIN chunks c ON c.num = json_extract(p.value, '$[0]') AND c.ordinal = json_extract(p.value, '$[1]')",
        (json.dumps([(int(num), int(ordinal)) for num, ordinal in wanted]),),
    ).fetchall()
    noted = {row[0] for row in rows if row[2] == Section.NOTES}
    contents = {
        num: (text, decode(metadata).collaborator_notes if num in noted else None)
        for num, text, metadata in connection.execute(
            "SELECT c.num, c.body, c.metadata FROM json_each(?) j CROSS JOIN contents c ON c.num = j.value",
            (json.dumps(sorted({row[0] for row in rows})),),
        )
    }
    return {
        (num, ordinal): ChunkText(
            chunk_text(*contents[num], section, start, stop), tuple(json.loads(headings)), section
        )
        for num, ordinal, section, start, stop, headings in rows
    }


def chunk_counts(connection: Connection, nums: Sequence[Num]) -> dict[Num, int]:
    rows = connection.execute(
        "SELECT n.num, n.chunks FROM json_each(?) j CROSS JOIN notes n ON n.num = j.value",
        (json.dumps([int(num) for num in nums]),),
    )
    return {Num(num): chunks for num, chunks in rows}


def _ordered(connection: Connection, found: Condition, listing: Listing) -> tuple[Entry, ...]:
    if listing.limit <= 0:
        return ()
    order = _ORDERS[listing.sort].format("DESC" if listing.descending else "ASC")
    rows = connection.execute(
        f"SELECT n.num {found.sql} ORDER BY {order} LIMIT ? OFFSET ?", (*found.params, listing.limit, listing.offset)
    )
    nums = [Num(num) for (num,) in rows]
    known = entries(connection, nums)
    return tuple(known[num] for num in nums)


def _tagged(connection: Connection, part: str, filter: Filter) -> list[int]:
    """The notes with a tag that holds a text, which is folded already."""
    libs = json.dumps(list(library_numbers(connection, filter.libraries).values()))
    rows = connection.execute(
        "SELECT DISTINCT t.num FROM json_each(?) j CROSS JOIN terms t ON t.lib = j.value AND t.field = ?"
        " WHERE has_text(t.value, ?)",
        (libs, TAG_AS_WRITTEN, part),
    )
    return [num for (num,) in rows]


def _live(connection: Connection, filter: Filter) -> int:
    """How many notes the libraries of a filter hold that are not dismissed."""
    row = connection.execute(
        "SELECT total(live) FROM libraries WHERE name IN (SELECT value FROM json_each(?) k)",
        (json.dumps(list(filter.libraries)),),
    ).fetchone()
    return int(row[0])


def _entry(row: Sequence[Any]) -> Entry:
    num, note_id, library, path, checksum, size, metadata, created, updated = row
    return Entry(
        num=Num(num),
        id=NoteId(note_id),
        library=library,
        path=path,
        checksum=checksum,
        size=size,
        metadata=decode(metadata),
        created_at=from_microseconds(created),
        updated_at=from_microseconds(updated),
    )


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)
