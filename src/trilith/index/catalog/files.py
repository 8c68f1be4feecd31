"""The files of a library as the catalog remembers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.names import path_key
from trilith.model.ids import NoteId, Num
from trilith.ports.catalog import KnownFile
from trilith.ports.vault import Stamp

_KNOWN = (
    "SELECT n.path, n.num, n.id, n.size, n.mtime_ns, n.ctime_ns, n.inode, n.checksum FROM notes n"
    " JOIN libraries l ON l.lib = n.lib WHERE l.name = ?"
)


def known_files(connection: Connection, library: str) -> dict[str, KnownFile]:
    """By path."""
    return {row[0]: _known(row) for row in connection.execute(_KNOWN, (library,))}


def known_file(connection: Connection, library: str, path: str) -> KnownFile | None:
    """The file at exactly this path."""
    row = connection.execute(f"{_KNOWN} AND n.path_key = ? AND n.path = ?", (library, path_key(path), path)).fetchone()
    return None if row is None else _known(row)


def _known(row: Sequence[Any]) -> KnownFile:
    _, num, note_id, size, mtime_ns, ctime_ns, inode, checksum = row
    return KnownFile(Num(num), NoteId(note_id), Stamp(size, mtime_ns, ctime_ns, int(inode)), checksum)


def fingerprints(connection: Connection, library: str) -> dict[Num, str]:
    rows = connection.execute(
        "SELECT n.num, n.checksum FROM notes n JOIN libraries l ON l.lib = n.lib WHERE l.name = ?", (library,)
    )
    return {Num(num): checksum for num, checksum in rows}
