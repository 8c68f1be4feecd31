"""The files of a library as the catalog remembers them."""

from __future__ import annotations

import sqlite3

from trilith.model.ids import NoteId, Num
from trilith.ports import KnownFile, Stamp


def known_files(connection: sqlite3.Connection, library: str) -> dict[str, KnownFile]:
    """By path."""
    rows = connection.execute(
        "SELECT n.path, n.num, n.id, n.size, n.mtime_ns, n.ctime_ns, n.inode, n.checksum FROM notes n"
        " JOIN libraries l ON l.lib = n.lib WHERE l.name = ?",
        (library,),
    )
    return {
        path: KnownFile(Num(num), NoteId(note_id), Stamp(size, mtime_ns, ctime_ns, int(inode)), checksum)
        for path, num, note_id, size, mtime_ns, ctime_ns, inode, checksum in rows
    }


def fingerprints(connection: sqlite3.Connection, library: str) -> dict[Num, str]:
    rows = connection.execute(
        "SELECT n.num, n.checksum FROM notes n JOIN libraries l ON l.lib = n.lib WHERE l.name = ?", (library,)
    )
    return {Num(num): checksum for num, checksum in rows}
