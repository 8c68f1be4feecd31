"""The libraries' rows: their numbers, counters, and what the last scan found."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from trilith.index.catalog import links
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.fitness import microseconds
from trilith.index.catalog.metadata import dump
from trilith.index.catalog.names import storable, suffixes
from trilith.ports.catalog import ScanState
from trilith.ports.vault import SkippedFile


@dataclass(slots=True, kw_only=True)
class Counters:
    """A library's row while a transaction changes it; `keep` writes it back.

    Sequence numbers are taken from the clock and only grow, so that a number given once is not given again after a power
    cut that cost the last transactions, nor in a catalog made anew.
    """

    lib: int
    seq: int
    vseq: int
    notes: int
    live: int
    embedder: int | None
    pending: int
    now: int

    def next_seq(self) -> int:
        self.seq = max(self.seq + 1, self.now)
        return self.seq

    def next_vseq(self) -> int:
        self.vseq = max(self.vseq + 1, self.now)
        return self.vseq

    def keep(self, connection: Connection) -> None:
        connection.execute(
            "UPDATE libraries SET seq = ?, vseq = ?, notes = ?, live = ?, embedder = ?, pending = ? WHERE lib = ?",
            (self.seq, self.vseq, self.notes, self.live, self.embedder, self.pending, self.lib),
        )


def counters(connection: Connection, library: str) -> Counters:
    """The counters of a library, which is made when it is not there; in a write transaction."""
    now = microseconds()
    connection.execute(
        "INSERT INTO libraries (name, floor, seq, vseq) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
        (library, now, now, now),
    )
    row = connection.execute(
        "SELECT lib, seq, vseq, notes, live, embedder, pending FROM libraries WHERE name = ?", (library,)
    ).fetchone()
    lib, seq, vseq, notes, live, embedder, pending = row
    return Counters(lib=lib, seq=seq, vseq=vseq, notes=notes, live=live, embedder=embedder, pending=pending, now=now)


def scan_state(connection: Connection, library: str) -> ScanState:
    row = connection.execute(
        "SELECT parser, finished_at, seen, skipped FROM libraries WHERE name = ?", (library,)
    ).fetchone()
    if row is None:
        return ScanState()
    parser, finished_at, seen, skipped = row
    return ScanState(
        parser=parser,
        finished_at=None if finished_at is None else datetime.fromisoformat(finished_at),
        seen=seen,
        skipped=tuple(SkippedFile(path, reason) for path, reason in json.loads(skipped)),
    )


def record_scan(connection: Connection, library: str, state: ScanState, attachments: frozenset[str]) -> None:
    """Keep what a scan found; links to attachments that came or went are settled anew."""
    lib = counters(connection, library).lib
    connection.execute(
        "UPDATE libraries SET parser = ?, finished_at = ?, seen = ?, skipped = ? WHERE lib = ?",
        (
            state.parser,
            None if state.finished_at is None else state.finished_at.isoformat(),
            state.seen,
            dump([(file.path, file.reason) for file in state.skipped]),
            lib,
        ),
    )
    _take_over(connection, lib, {path for path in attachments if storable(path) == path})
    if state.finished_at is not None:
        connection.execute(
            "DELETE FROM embeddings WHERE digest IN (SELECT u.digest FROM unused u WHERE NOT EXISTS"
            " (SELECT 1 FROM chunks c WHERE c.digest = u.digest))"
        )
        connection.execute("DELETE FROM unused")


def forget(connection: Connection, library: str) -> None:
    """Drop everything of a library but its name and numbers; a view that was fed before is told to start anew."""
    row = counters(connection, library)
    notes = "(SELECT num FROM notes WHERE lib = ?)"
    connection.execute(
        f"INSERT INTO unused SELECT c.digest FROM chunks c WHERE c.num IN {notes} AND NOT EXISTS"
        f" (SELECT 1 FROM chunks o WHERE o.digest = c.digest AND o.num NOT IN {notes}) ON CONFLICT DO NOTHING",
        (row.lib, row.lib),
    )
    for table in ("notes", "terms", "names", "attachments", "backlog", "tombstones"):
        connection.execute(f"DELETE FROM {table} WHERE lib = ?", (row.lib,))
    floor = max(row.next_seq(), row.next_vseq())
    connection.execute(
        "UPDATE libraries SET floor = ?, seq = ?, vseq = ?, notes = 0, live = 0, embedder = NULL, pending = 0,"
        " parser = '', finished_at = NULL, seen = 0, skipped = '[]', attachments = '' WHERE lib = ?",
        (floor, floor, floor, row.lib),
    )


def _take_over(connection: Connection, lib: int, attachments: set[str]) -> None:
    digest = hashlib.sha256("\0".join(sorted(attachments)).encode()).hexdigest()
    (former,) = connection.execute("SELECT attachments FROM libraries WHERE lib = ?", (lib,)).fetchone()
    if digest == former:
        return
    known = {path for (path,) in connection.execute("SELECT DISTINCT path FROM attachments WHERE lib = ?", (lib,))}
    gone = [(lib, key, path) for path in known - attachments for key in suffixes(path)]
    come = [(lib, key, path) for path in attachments - known for key in suffixes(path)]
    connection.executemany("DELETE FROM attachments WHERE lib = ? AND key = ? AND path = ?", gone)
    connection.executemany("INSERT INTO attachments VALUES (?, ?, ?)", come)
    connection.execute("UPDATE libraries SET attachments = ? WHERE lib = ?", (digest, lib))
    links.settle(connection, lib, (), {key for _, key, _ in (*gone, *come)})
