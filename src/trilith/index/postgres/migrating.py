"""Is the database fit for use? Its schema is brought up to date, forward only; nothing else makes or changes tables.

Migrations are numbered SQL files of this package; the database remembers the number of the last.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files

import psycopg
from psycopg import Connection, sql

from trilith.errors import StartFailure

OLDEST_SERVER = 16_00_00
EXTENSION = "vector"
RANKING = "pg_textsearch"
"""Full text does without it, and is ranked by less."""
_TURN = 7_414_715_432
"""The number of the lock under which one process at a time migrates; any will do that others do not use."""


def migrate(connection: Connection, schema: str) -> None:
    """Bring `schema` up to date, in one transaction. Raises `StartFailure` when the server or the schema is not fit."""
    fault = unfit(connection.info.server_version, connection.info.parameter_status("server_encoding") or "")
    if fault is not None:
        raise StartFailure(fault)
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN,))
        _ensure_extension(connection)
        with suppress(psycopg.errors.Error), connection.transaction():
            connection.execute(f"CREATE EXTENSION IF NOT EXISTS {RANKING}")
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        set_path(connection, schema)
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, made_at TIMESTAMPTZ)")
        row = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
        at = 0 if row is None else int(row[0])
        known = migrations()
        if at > len(known):
            raise StartFailure(
                f"Schema {schema!r} of the database is at version {at}, made by a newer Trilith; this one knows {len(known)}."
            )
        for number, script in enumerate(known[at:], at + 1):
            connection.execute(script)
            connection.execute("INSERT INTO migrations VALUES (%s, now())", (number,))


def migrations() -> tuple[bytes, ...]:
    """The scripts in order; the first has number 1."""
    found = sorted((each for each in files(__package__).joinpath("migrations").iterdir()), key=lambda each: each.name)
    return tuple(each.read_bytes() for each in found if each.name.endswith(".sql"))


def set_path(connection: Connection, schema: str) -> None:
    """Let names mean what is in `schema`, then what the extensions have, wherever those were put."""
    rows = connection.execute(
        "SELECT DISTINCT extnamespace::regnamespace::text FROM pg_extension WHERE extname = ANY(%s)",
        ([EXTENSION, RANKING],),
    ).fetchall()
    beside = [sql.SQL(name) for (name,) in rows]  # quoted by the server
    path = sql.SQL(", ").join([sql.Identifier(schema), *beside])
    connection.execute(sql.SQL("SET search_path TO {}").format(path))


def unfit(version: int, encoding: str) -> str | None:
    """What is wrong with a server of this version (as libpq counts) and a database that keeps texts so."""
    if version < OLDEST_SERVER:
        return f"The database server is PostgreSQL {version // 10_000}; {OLDEST_SERVER // 10_000} or newer is needed."
    if encoding != "UTF8":
        return f"The database keeps texts as {encoding}; it must be made with ENCODING 'UTF8'."
    return None


def _ensure_extension(connection: Connection) -> None:
    installed = connection.execute("SELECT 1 FROM pg_extension WHERE extname = %s", (EXTENSION,)).fetchone()
    if installed is not None:
        return
    try:
        connection.execute(f"CREATE EXTENSION {EXTENSION}")
    except psycopg.errors.InsufficientPrivilege as failure:
        raise StartFailure(
            f"The database has no extension {EXTENSION!r} (pgvector); let an administrator run: CREATE EXTENSION {EXTENSION};"
        ) from failure
    except psycopg.errors.Error as failure:
        raise StartFailure(
            f"The database server has no extension {EXTENSION!r} (pgvector) to offer; it must be installed there: {failure}"
        ) from failure
