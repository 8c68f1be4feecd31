"""The files of a library as the catalog remembers them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.metadata import dump
from trilith.index.catalog.names import path_key
from trilith.model.ids import NoteId, Num
from trilith.ports.catalog import KnownFile
from trilith.ports.vault import Stamp

_COLUMNS = "n.path, n.num, n.id, n.size, n.mtime_ns, n.ctime_ns, n.inode, n.checksum"


def known_files(connection: Connection, library: str) -> dict[str, KnownFile]:
    """By path."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM notes n JOIN libraries l ON l.lib = n.lib WHERE l.name = ?", (library,)
    )
    return {row[0]: _known(row) for row in rows}


def stamps(connection: Connection, library: str) -> dict[str, Stamp]:
    """What each file looked like, by path."""
    rows = connection.execute(
        "SELECT n.path, n.size, n.mtime_ns, n.ctime_ns, n.inode FROM notes n JOIN libraries l ON l.lib = n.lib"
        " WHERE l.name = ?",
        (library,),
    )
    return {path: Stamp(size, mtime_ns, ctime_ns, int(inode)) for path, size, mtime_ns, ctime_ns, inode in rows}


def known_at(connection: Connection, library: str, paths: Collection[str]) -> dict[str, KnownFile]:
    """The files at exactly these paths, by path."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM json_each(?) q CROSS JOIN notes n ON n.lib = (SELECT lib FROM libraries WHERE name = ?)"
        " AND n.path_key = json_extract(q.value, '$[0]') AND n.path = json_extract(q.value, '$[1]')",
        (dump([(path_key(path), path) for path in paths]), library),
    )
    return {row[0]: _known(row) for row in rows}


def _known(row: Sequence[Any]) -> KnownFile:
    _, num, note_id, size, mtime_ns, ctime_ns, inode, checksum = row
    return KnownFile(Num(num), NoteId(note_id), Stamp(size, mtime_ns, ctime_ns, int(inode)), checksum)


def fingerprints(connection: Connection, library: str) -> dict[Num, str]:
    rows = connection.execute(
        "SELECT n.num, n.checksum FROM notes n JOIN libraries l ON l.lib = n.lib WHERE l.name = ?", (library,)
    )
    return {Num(num): checksum for num, checksum in rows}
