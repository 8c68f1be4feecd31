"""Is the catalog's file fit for use? What is not is set aside, and a new one put in its place."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from trilith.index.catalog import schema
from trilith.language.normal import fold

PATIENCE = 30.0
"""Seconds to wait for another's transaction."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
Identity = tuple[int, int]
"""Device and inode."""


def microseconds() -> int:
    """Now, as numbered by `generation` and the sequences: numbers of a catalog made anew are above all former ones."""
    return time.time_ns() // 1000


class FileConnection(sqlite3.Connection):
    """Implements `Connection`."""

    def take_nums(self, count: int) -> int:  # noqa: ARG002  # they are taken by being used
        row = self.execute("SELECT seq FROM sqlite_sequence WHERE name = 'notes'").fetchone()
        return 1 if row is None else int(row[0]) + 1


def connect(path: Path, *, read_only: bool = False) -> FileConnection:
    """`read_only` is for a file on a disk that takes no writes, where SQLite cannot keep its lock table either."""
    # Without a log beside it the file is all there is, and nobody can be writing to it.
    kept_apart = "&immutable=1" if read_only and not _log(path).exists() else ""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}{kept_apart}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        factory=FileConnection,
        cached_statements=256,
    )
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA journal_size_limit = 67108864")
    connection.create_function("has_text", 2, _has_text, deterministic=True)
    return connection


def identity_of(path: Path) -> Identity | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - a third of the price, and every question pays it
    except OSError:
        return None
    return status.st_dev, status.st_ino


def ensured(path: Path) -> str | None:
    """Make sure that there is a file to be used; what became of one that could not be, in a sentence.

    Looks at the head of a file, not at every page. Raises `sqlite3.Error`, `OSError` when it can be neither read nor
    replaced.
    """
    if _is_sound(path):
        return None
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(path):
        return _remade(path)


def flaw(path: Path, *, read_only: bool = False) -> str | None:
    """What is wrong with the file; None when it can be used."""
    if not path.exists() or not path.stat().st_size:
        return "is not there"
    if mark(path).exists():
        return "was damaged"
    try:
        with contextlib.closing(connect(path, read_only=read_only)) as connection:
            return _flaw_in(connection)
    except sqlite3.DatabaseError as failure:
        if is_damage(failure):
            return f"was damaged ({failure})"
        raise


def is_damage(failure: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is at fault, which also lacks tables when somebody has emptied it."""
    code = getattr(failure, "sqlite_errorcode", 0) & 0xFF
    return code in _DAMAGED or (code == sqlite3.SQLITE_ERROR and str(failure).startswith("no such table"))


def _flaw_in(connection: sqlite3.Connection) -> str | None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        return "is empty"
    if version != schema.VERSION:
        return f"is of another version ({version}, not {schema.VERSION})"
    connection.execute("SELECT generation FROM state").fetchone()
    return None


def mark(path: Path) -> Path:
    """There as long as a file that somebody has found damaged has not been replaced."""
    return path.with_name(f"{path.name}.damaged")


def _remade(path: Path) -> str | None:
    """Put a new file in place of one that has a fault; another process may have done so by now."""
    found = flaw(path)
    if found is None:
        return None
    told = None
    if path.exists() and path.stat().st_size:
        aside = path.with_name(f"{path.name}.aside")
        _move(path, aside)
        told = f"The index catalog {found}; it is kept as {aside} and built anew from the notes."
    else:
        _move(path, None)
    mark(path).unlink(missing_ok=True)
    with contextlib.closing(connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            f"BEGIN; {schema.TABLES} INSERT INTO state VALUES ({microseconds()});"
            f"PRAGMA user_version = {schema.VERSION}; COMMIT;"
        )
    return told


def _is_sound(path: Path) -> bool:
    """Whether the file can be used as it is; if in doubt, as while another process replaces it, it is not."""
    try:
        return flaw(path) is None
    except (sqlite3.Error, OSError):
        return False


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


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _has_text(text: str, part: str) -> bool:
    """Whether a text holds `part`, which is folded already."""
    return part in fold(text)
