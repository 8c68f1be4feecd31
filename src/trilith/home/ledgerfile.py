"""The file of the ledger: opened, brought up to date, and used by one thread at a time."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trilith.errors import StartFailure, Unavailable
from trilith.home.reading import open_to_read

PATIENCE = 30.0
"""Seconds to wait for another's transaction."""

MIGRATIONS = (
    """
    CREATE TABLE libraries (name TEXT PRIMARY KEY, root TEXT NOT NULL, owner TEXT NOT NULL, read_only INTEGER NOT NULL);
    CREATE TABLE given_ids (
        library TEXT NOT NULL,
        path TEXT NOT NULL,
        id TEXT NOT NULL,
        inode BLOB NOT NULL,  -- integer, or text above 63 bits
        checksum TEXT NOT NULL,
        PRIMARY KEY (library, path),
        UNIQUE (library, id)
    );
    """,
    """
    CREATE TABLE outside_changes (library TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (library, id));
    CREATE TABLE trash (
        key TEXT PRIMARY KEY,
        library TEXT NOT NULL,
        id TEXT NOT NULL,
        path TEXT NOT NULL,
        title TEXT NOT NULL,
        deleted_at TEXT NOT NULL,
        deleted_by TEXT NOT NULL,
        file TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE libraries ADD COLUMN hidden TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE libraries ADD COLUMN protected TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE users (name TEXT PRIMARY KEY);
    INSERT INTO users VALUES ('owner');
    CREATE TABLE grants (library TEXT NOT NULL, user TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (library, user));
    CREATE TABLE keys (
        id TEXT PRIMARY KEY,
        user TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        rights TEXT NOT NULL,
        libraries TEXT,
        created_at TEXT NOT NULL,
        expires_at TEXT,
        revoked_at TEXT
    );
    """,
    """
    CREATE TABLE moves (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, library TEXT NOT NULL, plan TEXT NOT NULL);
    """,
    """
    CREATE TABLE first_times (library TEXT NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (library, id))
        WITHOUT ROWID;
    """,
    """
    CREATE TABLE kept_trash (
        key TEXT PRIMARY KEY,
        library TEXT NOT NULL,
        id TEXT NOT NULL,
        path TEXT NOT NULL,
        title TEXT NOT NULL,
        deleted_at TEXT NOT NULL,
        deleted_by TEXT NOT NULL
    );
    INSERT INTO kept_trash SELECT key, library, id, path, title, deleted_at, deleted_by FROM trash;
    DROP TABLE trash;
    ALTER TABLE kept_trash RENAME TO trash;
    """,
)
"""Step n makes version n + 1 of version n (`PRAGMA user_version`); steps are only ever added."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_ADVICE = (
    "Nothing has been changed. Restore it from a backup (`trilith backup` makes one), or move it away to begin anew:"
    " libraries must then be added again, and notes without an id of their own may get new ones."
)


class LedgerFile:
    """One SQLite file, which is made when it is not there. Every change is on disk on return.

    Where home has a `fault` that forbids writing, the file is only read.

    Raises `StartFailure` on opening a file that is damaged, of a later version or out of reach; `Unavailable` from any
    method when the file cannot be used, and on opening when it would have to be made and cannot.
    """

    def __init__(self, path: Path, fault: str | None = None) -> None:
        self._path = path
        self._fault = fault
        self._turn = threading.Lock()
        try:
            self._connection = _open(path) if fault is None else _open_to_read(path, fault)
            self._file = path.stat().st_ino
        except (sqlite3.DatabaseError, OSError) as failure:
            if getattr(failure, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                raise StartFailure(f"The ledger {path} is damaged ({failure}). {_ADVICE}") from failure
            raise StartFailure(f"The ledger {path} cannot be opened: {failure}. Nothing has been changed.") from failure

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    def rows(self, sql: str, *params: str) -> list[tuple[Any, ...]]:
        with self._mine() as connection:
            return connection.execute(sql, params).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        if self._fault is not None:
            raise Unavailable(self._fault)
        with self._mine() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def generation(self) -> int:
        """Differs whenever another process, or another connection, has changed the file since."""
        return int(self.rows("PRAGMA data_version")[0][0])

    @contextlib.contextmanager
    def _mine(self) -> Iterator[sqlite3.Connection]:
        """The one connection, for one thread at a time."""
        with self._turn:
            self._check_place()
            try:
                yield self._connection
            except sqlite3.Error as failure:
                raise Unavailable(f"The ledger {self._path} cannot be used now: {failure}.") from failure
            finally:
                with contextlib.suppress(sqlite3.ProgrammingError):  # closed: there is nothing to take back
                    self._connection.rollback()

    def _check_place(self) -> None:
        """What is written to a file that has been moved away is lost. Raises `Unavailable`."""
        try:
            there = self._path.stat().st_ino == self._file
        except OSError:
            there = False
        if not there:
            raise Unavailable(
                f"The ledger {self._path} was moved or replaced while it was in use. Put it back, or end every Trilith of"
                " this home and start again."
            )


def _open_to_read(path: Path, fault: str) -> sqlite3.Connection:
    if not path.is_file():
        raise Unavailable(f"{fault} There is nothing in it yet that could be read.")
    connection = open_to_read(path, PATIENCE)
    if _version(connection, path) < len(MIGRATIONS):
        connection.close()
        raise Unavailable(
            f"{fault} What is in it was written by an earlier Trilith, and must be brought up to date first."
        )
    return connection


def _open(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection, path) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    for number, step in enumerate(MIGRATIONS[_version(connection, path) :], start=_version(connection, path) + 1):
        for statement in filter(str.strip, step.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise StartFailure(
            f"The ledger {path} was written by a later Trilith (version {version}; this one knows {len(MIGRATIONS)})."
            " Upgrade Trilith; nothing has been changed."
        )
    return version
