"""The ledger: what cannot be derived from the vaults. Nothing here deletes it or sets it aside."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from trilith.errors import StartFailure, Unavailable
from trilith.model.ids import NoteId
from trilith.model.principal import Library
from trilith.ports import GivenId, Trashed

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
)
"""Step n makes version n + 1 of version n (`PRAGMA user_version`); steps are only ever added."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_ADVICE = (
    "Nothing has been changed. Restore it from a backup (`trilith backup` makes one), or move it away to begin anew:"
    " libraries must then be added again, and notes without an id of their own may get new ones."
)


class SqliteLedger:
    """Implements `ports.Ledger` on one file, which is made when it is not there. Every change is on disk on return.

    Raises `StartFailure` on opening a file that is damaged, of a later version or out of reach; `Unavailable` from any
    method when the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        try:
            self._connection = _open(path)
        except (sqlite3.DatabaseError, OSError) as failure:
            if getattr(failure, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                raise StartFailure(f"The ledger {path} is damaged ({failure}). {_ADVICE}") from failure
            raise StartFailure(f"The ledger {path} cannot be opened: {failure}. Nothing has been changed.") from failure

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    def libraries(self) -> tuple[Library, ...]:
        """By name."""
        rows = self._rows("SELECT name, root, owner, read_only FROM libraries ORDER BY name")
        return tuple(
            Library(name=name, root=root, owner=owner, read_only=bool(read_only))
            for name, root, owner, read_only in rows
        )

    def add_library(self, library: Library) -> bool:
        row = (library.name, library.root, library.owner, library.read_only)
        with self._transaction() as connection:
            return connection.execute("INSERT OR IGNORE INTO libraries VALUES (?, ?, ?, ?)", row).rowcount == 1

    def remove_library(self, name: str) -> None:
        """The ids given to its files are kept: added again, its notes are the same."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM libraries WHERE name = ?", (name,))

    def outside_changes(self, library: str) -> dict[NoteId, int]:
        return {NoteId(i): n for i, n in self._rows("SELECT id, count FROM outside_changes WHERE library = ?", library)}

    def add_outside_changes(self, library: str, ids: Sequence[NoteId]) -> None:
        if ids:
            with self._transaction() as connection:
                connection.executemany(
                    "INSERT INTO outside_changes VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
                    [(library, note_id) for note_id in ids],
                )

    def clear_outside_changes(self, library: str, note_id: NoteId) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM outside_changes WHERE library = ? AND id = ?", (library, note_id))

    def add_trashed(self, trashed: Trashed) -> None:
        row = (
            trashed.key,
            trashed.library,
            trashed.id,
            trashed.path,
            trashed.title,
            trashed.deleted_at.isoformat(),
            trashed.deleted_by,
            trashed.file,
        )
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO trash VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def trashed(self, library: str) -> tuple[Trashed, ...]:
        rows = self._rows(
            "SELECT key, library, id, path, title, deleted_at, deleted_by, file FROM trash WHERE library = ?"
            " ORDER BY deleted_at DESC, key",
            library,
        )
        return tuple(
            Trashed(
                key=key,
                library=name,
                id=NoteId(note_id),
                path=path,
                title=title,
                deleted_at=datetime.fromisoformat(deleted_at),
                deleted_by=deleted_by,
                file=file,
            )
            for key, name, note_id, path, title, deleted_at, deleted_by, file in rows
        )

    def remove_trashed(self, key: str) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM trash WHERE key = ?", (key,))

    def given_ids(self, library: str) -> dict[str, GivenId]:
        rows = self._rows("SELECT path, id, inode, checksum FROM given_ids WHERE library = ?", library)
        return {
            path: GivenId(path=path, id=NoteId(note_id), inode=int(inode), checksum=checksum)
            for path, note_id, inode, checksum in rows
        }

    def give_ids(self, library: str, given: Sequence[GivenId]) -> None:
        if not given:
            return
        rows = [(library, row.path, row.id, _stored(row.inode), row.checksum) for row in given]
        with self._transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO given_ids VALUES (?, ?, ?, ?, ?)", rows)

    def _rows(self, sql: str, *params: str) -> list[tuple[Any, ...]]:
        with self._mine() as connection:
            return connection.execute(sql, params).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._mine() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def _mine(self) -> Iterator[sqlite3.Connection]:
        """The one connection, for one thread at a time."""
        with self._turn:
            try:
                yield self._connection
            except sqlite3.Error as failure:
                raise Unavailable(f"The ledger {self._path} cannot be used now: {failure}.") from failure
            finally:
                with contextlib.suppress(sqlite3.ProgrammingError):  # closed: there is nothing to take back
                    self._connection.rollback()


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


def _stored(inode: int) -> int | str:
    return inode if inode < 1 << 63 else str(inode)
