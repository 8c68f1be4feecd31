"""A database of home that is only read: also on a disk that takes no writes, where SQLite cannot keep its lock table."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from trilith.home.room import lack

LOCK_TABLE = 64 * 1024
"""More bytes than SQLite's shared memory file has at first."""


def open_to_read(path: Path, timeout: float = 30.0) -> sqlite3.Connection:
    """Raises `sqlite3.Error`, here or with the first question."""
    # Without a log beside it, where nobody can make one, the file is all there is.
    alone = not path.with_name(f"{path.name}-wal").exists() and not _takes_files(path.parent)
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    return sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)


def _takes_files(folder: Path) -> bool:
    """Whether there is the right and the room for what SQLite keeps beside a database."""
    return lack(folder, LOCK_TABLE) is None
