"""Transactions on the catalog's file, whatever becomes of that file meanwhile.

Connections are lent, each to one thread at a time; SQLite in WAL mode lets any number of processes read while one
writes. Failures of the file become `Unavailable`. A file that is damaged, or that is gone or has been replaced while it
was open, is left for a sound one before the next transaction.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trilith.errors import StartFailure, Unavailable
from trilith.index.catalog.fitness import (
    FileConnection,
    Identity,
    connect,
    ensured,
    flaw,
    identity_of,
    is_damage,
    mark,
    microseconds,
)

log = logging.getLogger(__name__)

_OUT_OF_REACH = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_PERM,
    }
)


@dataclass(slots=True)
class _Pool:
    """The connections to one file, those that are not lent."""

    path: Path
    read_only: bool
    file: Identity | None
    idle: deque[FileConnection] = field(default_factory=deque)
    closed: bool = False

    def take(self) -> FileConnection:
        try:
            return self.idle.pop()
        except IndexError:
            return connect(self.path, read_only=self.read_only)

    def give_back(self, connection: FileConnection) -> None:
        self.idle.append(connection)
        if self.closed:
            self.close()

    def close(self) -> None:
        """Close what is not lent; the rest is closed when it comes back."""
        self.closed = True
        while self.idle:
            self.idle.pop().close()


class Database:
    """Implements `Tables`: one catalog file, made when it is not there. Opening checks the head of it, not every page.

    Where the disk has a `fault` that forbids writing, it is only read. `set_aside` tells in one sentence what became of a
    file that could not be used; None when all was well.

    Raises `StartFailure` when the file can be neither read nor replaced, `Unavailable` when it would have to be made and
    must not.
    """

    def __init__(self, path: Path, fault: str | None = None) -> None:
        self.path = path
        self.fault = fault
        self.set_aside: str | None = None
        self._mark = str(mark(path))
        self._closed = False
        self._turn = threading.Lock()
        try:
            self._pool = self._opened()
        except (sqlite3.Error, OSError) as failure:
            raise StartFailure(f"The index catalog {path} cannot be opened: {failure}.") from failure

    @contextlib.contextmanager
    def reading(self) -> Iterator[FileConnection]:
        """A connection that sees one state of the catalog throughout."""
        with self._lent() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[FileConnection]:
        """A connection whose changes are kept together at the end, or not at all when the block raises."""
        if self.fault is not None:
            raise Unavailable(self.fault)
        with self._lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("UPDATE state SET generation = max(generation + 1, ?)", (microseconds(),))
            connection.execute("COMMIT")

    def generation(self) -> int:
        with self._lent() as connection:
            return int(connection.execute("SELECT generation FROM state").fetchone()[0])

    def check(self) -> str | None:
        """Look at every page; what is wrong in them. A damaged file is then left as if the damage had been met."""
        with self._lent() as connection:
            found = _faults(connection)
        if found and self.fault is None:
            mark(self.path).touch()
        return "; ".join(found) or None

    def close(self) -> None:
        """Close what is not lent; the rest is closed when it comes back."""
        self._closed = True
        self._pool.close()

    @contextlib.contextmanager
    def _lent(self) -> Iterator[FileConnection]:
        if self._closed:
            raise Unavailable("The index catalog has been closed.")
        with self._failures():
            pool = self._current()
            connection = pool.take()
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.rollback()
                pool.give_back(connection)

    def _current(self) -> _Pool:
        """The connections to the file that is there now, which is made anew if need be."""
        if self._is_current():
            return self._pool
        with self._turn:
            if not self._is_current():
                self._pool.close()
                self._pool = self._opened()
        return self._pool

    def _is_current(self) -> bool:
        return self.fault is not None or (
            self._pool.file == identity_of(self.path) and not os.path.exists(self._mark)  # noqa: PTH110 - with every question
        )

    def _opened(self) -> _Pool:
        """Raises `Unavailable` where nothing may be made, `sqlite3.Error` and `OSError`."""
        if self.fault is not None:
            missing = flaw(self.path, read_only=True)
            if missing:
                raise Unavailable(f"{self.fault} The index catalog {missing}, and cannot be built there.")
            return _Pool(self.path, True, None)
        told = ensured(self.path)
        if told:
            self.set_aside = told
            log.warning("%s", told)
        return _Pool(self.path, False, identity_of(self.path))

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as failure:
            if is_damage(failure):
                raise Unavailable(self._condemn()) from failure
            if getattr(failure, "sqlite_errorcode", 0) & 0xFF in _OUT_OF_REACH:
                raise Unavailable(f"The index catalog {self.path} cannot be used now: {failure}.") from failure
            raise

    def _condemn(self) -> str:
        if self.fault is not None:
            return f"{self.fault} The index catalog is damaged, and cannot be built there."
        with contextlib.suppress(OSError):
            mark(self.path).touch()
        return f"The index catalog {self.path} is damaged; it is built anew from the notes now. Try again in a moment."


def _faults(connection: sqlite3.Connection) -> list[str]:
    try:
        found = [row[0] for row in connection.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
        strays = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError as failure:
        if not is_damage(failure):
            raise
        return [str(failure)]
    return found or [f"rows of {table} belong to nothing" for table in sorted({row[0] for row in strays})]
