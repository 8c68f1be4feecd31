"""The catalog's file: opening it, set aside when it cannot be used, and transactions on it.

Connections are lent, each to one thread at a time; SQLite in WAL mode lets any number of processes read while one
writes. Failures of the file become `Unavailable`; a damaged page is noted beside the file, so that the next opening
starts anew.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from trilith.errors import StartFailure, Unavailable
from trilith.index.catalog import schema
from trilith.language.normal import fold

PATIENCE = 30.0
"""Seconds to wait for another's transaction."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
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


def microseconds() -> int:
    """Now, as numbered by `generation` and the sequences: numbers of a catalog made anew are above all former ones."""
    return time.time_ns() // 1000


class Database:
    """One catalog file, made when it is not there. Opening checks the head of it, not every page.

    `set_aside` tells in one sentence what became of a file that could not be used; None when all was well.
    Raises `StartFailure` when the file can be neither read nor replaced.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.set_aside: str | None = None
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False
        try:
            if not _is_sound(path):
                with _alone(path):
                    self._make()
        except (sqlite3.Error, OSError) as failure:
            raise StartFailure(f"The index catalog {path} cannot be opened: {failure}.") from failure

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the catalog throughout."""
        with self._lent() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are kept together at the end, or not at all when the block raises."""
        with self._lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("UPDATE state SET generation = max(generation + 1, ?)", (microseconds(),))
            connection.execute("COMMIT")

    def generation(self) -> int:
        with self._lent() as connection:
            return int(connection.execute("SELECT generation FROM state").fetchone()[0])

    def close(self) -> None:
        """Close what is not lent; the rest is closed when it comes back."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    @contextlib.contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise Unavailable("The index catalog has been closed.")
        with self._failures():
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = _connect(self.path)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.rollback()
                self._idle.append(connection)
                if self._closed:
                    self.close()

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as failure:
            code = getattr(failure, "sqlite_errorcode", 0) & 0xFF
            if code in _DAMAGED:
                _mark(self.path).touch()
                raise Unavailable(f"The index catalog {self.path} is damaged; a restart builds it anew.") from failure
            if code in _OUT_OF_REACH:
                raise Unavailable(f"The index catalog {self.path} cannot be used now: {failure}.") from failure
            raise

    def _make(self) -> None:
        """Put a new file in place of one that has a fault; another process may have done so by now."""
        fault = _fault(self.path)
        if fault is None:
            return
        if self.path.exists() and self.path.stat().st_size:
            aside = self.path.with_name(f"{self.path.name}.aside")
            _move(self.path, aside)
            self.set_aside = f"The index catalog {fault}; it is kept as {aside} and built anew from the notes."
        else:
            _move(self.path, None)
        _mark(self.path).unlink(missing_ok=True)
        with contextlib.closing(_connect(self.path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(
                f"BEGIN; {schema.TABLES} INSERT INTO state VALUES ({microseconds()});"
                f"PRAGMA user_version = {schema.VERSION}; COMMIT;"
            )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA journal_size_limit = 67108864")
    connection.create_function("has_text", 2, _has_text, deterministic=True)
    return connection


def _has_text(text: str, part: str) -> bool:
    """Whether a text holds `part`, which is folded already."""
    return part in fold(text)


def _is_sound(path: Path) -> bool:
    """Whether the file can be used as it is; if in doubt, as while another process replaces it, it is not."""
    try:
        return _fault(path) is None
    except (sqlite3.Error, OSError):
        return False


def _fault(path: Path) -> str | None:
    """What is wrong with the file; None when it can be used."""
    if not path.exists() or not path.stat().st_size:
        return "is not there"
    if _mark(path).exists():
        return "was damaged"
    with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0 and not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                return "is empty"
            if version != schema.VERSION:
                return f"is of another version ({version}, not {schema.VERSION})"
            connection.execute("SELECT generation FROM state").fetchone()
        except sqlite3.DatabaseError as failure:
            if getattr(failure, "sqlite_errorcode", 0) & 0xFF in {*_DAMAGED, sqlite3.SQLITE_ERROR}:
                return f"was damaged ({failure})"
            raise
    return None


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time. SQLite's own lock on a file beside the catalog: the kernel frees a killed holder's."""
    door = path.with_name(f"{path.name}.opening")
    with contextlib.closing(_locked(door)):
        yield


def _locked(door: Path) -> sqlite3.Connection:
    """Holds the lock until it is closed. The file is empty: one that has been damaged is replaced."""
    try:
        return _begun(door)
    except sqlite3.DatabaseError as failure:
        if failure.sqlite_errorcode not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise
        door.unlink(missing_ok=True)
        return _begun(door)


def _begun(door: Path) -> sqlite3.Connection:
    turn = sqlite3.connect(door, timeout=PATIENCE, isolation_level=None)
    try:
        turn.execute("BEGIN EXCLUSIVE")
    except BaseException:
        turn.close()
        raise
    return turn


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")


def _move(path: Path, aside: Path | None) -> None:
    """The file with its log and its shared memory, in place of what was set aside before; `None` removes them."""
    for suffix in ("", "-wal", "-shm"):
        former = path.with_name(path.name + suffix)
        if aside is None:
            former.unlink(missing_ok=True)
            continue
        target = aside.with_name(aside.name + suffix)
        target.unlink(missing_ok=True)
        if former.exists():
            former.replace(target)
