"""What is odd about notes beside others, and as time goes by: for `doctor`, which sees the whole of a library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import from_microseconds, library_numbers, to_microseconds
from trilith.index.catalog.terms import DERIVED, SOURCE_URL
from trilith.model.note import Problem
from trilith.ports.catalog import FileProblem

EXPIRED = "expired"
DUPLICATE_URL = "duplicate_source_url"
UNKNOWN_SOURCE = "unknown_source"


def note_problems(connection: Connection, library: str, now: datetime) -> tuple[FileProblem, ...]:
    """Notes that have expired, share their source URL, or derive from none that is here; dismissed ones are left out."""
    lib = library_numbers(connection, [library]).get(library, 0)
    found = (*_expired(connection, lib, now), *_duplicates(connection, lib), *_sources(connection, lib))
    return tuple(
        FileProblem(library=library, path=path, problem=problem) for path, problem in sorted(found, key=_place)
    )


def _expired(connection: Connection, lib: int, now: datetime) -> Iterator[tuple[str, Problem]]:
    rows = connection.execute(
        "SELECT n.path, n.expires FROM notes n WHERE n.lib = ? AND n.live = 1 AND n.expires <= ?",
        (lib, to_microseconds(now)),
    )
    for path, expires in rows:
        yield path, Problem(EXPIRED, f"expired on {from_microseconds(expires).date().isoformat()}")


def _duplicates(connection: Connection, lib: int) -> Iterator[tuple[str, Problem]]:
    rows = connection.execute(
        "SELECT t.value, n.path FROM terms t JOIN notes n ON n.num = t.num"
        " WHERE t.lib = ? AND t.field = ? AND n.live = 1 ORDER BY t.value, n.path",
        (lib, SOURCE_URL),
    )
    for _, members in groupby(rows, key=lambda row: row[0]):
        first, *others = [path for _, path in members]
        for path in others:
            yield path, Problem(DUPLICATE_URL, f"has the same source_url as {first}")


def _sources(connection: Connection, lib: int) -> Iterator[tuple[str, Problem]]:
    """Members of the list are terms of their own, as JSON strings."""
    rows = connection.execute(
        "SELECT n.path, t.value FROM terms t JOIN notes n ON n.num = t.num"
        " WHERE t.lib = ? AND t.field = ? AND n.live = 1 AND t.value LIKE '\"%'"
        " AND NOT EXISTS (SELECT 1 FROM notes s WHERE s.id = trim(t.value, '\"'))",
        (lib, DERIVED),
    )
    for path, value in rows:
        yield path, Problem(UNKNOWN_SOURCE, f"derived_from_ids names {json.loads(value)}, which no note has")


def _place(found: tuple[str, Problem]) -> tuple[str, str, str]:
    path, problem = found
    return path, problem.code, problem.message
