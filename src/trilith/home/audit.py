"""The audit log: who read, searched and wrote what. Local, bounded, and never in the way of an answer."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Iterable
from contextlib import closing
from dataclasses import astuple
from datetime import datetime
from pathlib import Path

from trilith.access.keys import LOOKS_LIKE_ONE
from trilith.errors import Unavailable
from trilith.model.audit import LONGEST, Act

KEPT = 20_000
"""Acts that are kept; the oldest go first."""
EVERY_SECONDS = 1.0
"""Between two writings; a crash loses at most what came since."""
WAITING = 5_000
"""Acts that wait to be written; more are dropped while the file cannot be written."""
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
COLUMNS = "at, user, key, door, action, library, subject, outcome"

log = logging.getLogger(__name__)


class SqliteAudit:
    """Implements `ports.Audit` on a file of its own: it grows by every request, and may be lost."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: deque[Act] = deque(maxlen=WAITING)
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._turn = threading.Lock()

    def record(self, act: Act) -> None:
        self._waiting.append(act)
        if self._thread is None:
            self._start()

    def recent(self, limit: int, user: str | None = None) -> tuple[Act, ...]:
        self._flush()
        if not self._path.is_file():
            return ()
        try:
            with closing(_connect(self._path)) as connection:
                rows = connection.execute(
                    f"SELECT {COLUMNS} FROM acts WHERE ? IS NULL OR user = ? ORDER BY num DESC LIMIT ?",
                    (user, user, limit),
                ).fetchall()
        except sqlite3.Error as failure:
            raise Unavailable(f"The audit log {self._path} cannot be read: {failure}.") from failure
        return tuple(_act(row) for row in rows)

    def close(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)
        self._flush()

    def _start(self) -> None:
        with self._turn:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="trilith-audit", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(EVERY_SECONDS):
            self._flush()

    def _flush(self) -> None:
        """What waits is written; where that fails it is said, and dropped: an answer is worth more than its trace."""
        with self._turn:
            acts = [self._waiting.popleft() for _ in range(len(self._waiting))]
            if not acts:
                return
            try:
                _write(self._path, acts)
            except (sqlite3.Error, OSError) as failure:
                log.warning("the audit log %s cannot be written, %d acts are lost: %s", self._path, len(acts), failure)


def _write(path: Path, acts: Iterable[Act]) -> None:
    path.touch(mode=0o600)
    with closing(_connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE IF NOT EXISTS acts (num INTEGER PRIMARY KEY AUTOINCREMENT, {COLUMNS})")
        connection.executemany(f"INSERT INTO acts ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_row, acts))
        connection.execute("DELETE FROM acts WHERE num <= (SELECT max(num) FROM acts) - ?", (KEPT,))


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE)


def _row(act: Act) -> tuple[object, ...]:
    at, *rest = astuple(act)
    texts = [
        None if each is None else LOOKS_LIKE_ONE.sub("tri_...", str(each))[:LONGEST].encode("utf-8", "replace").decode()
        for each in rest
    ]
    return at.isoformat(), *texts


def _act(row: tuple[str, ...]) -> Act:
    at, user, key, door, action, library, subject, outcome = row
    return Act(
        at=datetime.fromisoformat(at),
        user=user,
        key=key,
        door=door,
        action=action,
        library=library,
        subject=subject,
        outcome=outcome,
    )
