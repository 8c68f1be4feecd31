"""The ledger: what cannot be derived from the vaults. Nothing here deletes it or sets it aside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from trilith.home.ledgerfile import LedgerFile
from trilith.home.libraries import COLUMNS, library_of, row_of
from trilith.home.moves import decoded, encoded
from trilith.model.ids import NoteId
from trilith.model.principal import Library
from trilith.ports.ledger import GivenId, MoveUnderWay, Trashed


class SqliteLedger:
    """Implements `ports.Ledger` on one file. Raises `Unavailable` from any method when the file cannot be used."""

    def __init__(self, file: LedgerFile) -> None:
        self._file = file

    def close(self) -> None:
        self._file.close()

    def libraries(self) -> tuple[Library, ...]:
        """By name."""
        return tuple(library_of(row) for row in self._file.rows(f"SELECT {COLUMNS} FROM libraries ORDER BY name"))

    def add_library(self, library: Library) -> bool:
        with self._file.transaction() as connection:
            sql = f"INSERT OR IGNORE INTO libraries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
            return connection.execute(sql, row_of(library)).rowcount == 1

    def set_folders(self, name: str, hidden: Sequence[str], protected: Sequence[str]) -> None:
        with self._file.transaction() as connection:
            sql = "UPDATE libraries SET hidden = ?, protected = ? WHERE name = ?"
            connection.execute(sql, (json.dumps(list(hidden)), json.dumps(list(protected)), name))

    def set_root(self, name: str, root: str) -> None:
        with self._file.transaction() as connection:
            connection.execute("UPDATE libraries SET root = ? WHERE name = ?", (root, name))

    def remove_library(self, name: str) -> None:
        """The ids given to its files are kept: added again, its notes are the same. What was granted is not."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM libraries WHERE name = ?", (name,))
            connection.execute("DELETE FROM grants WHERE library = ?", (name,))

    def outside_changes(self, library: str, ids: Sequence[NoteId] | None = None) -> dict[NoteId, int]:
        sql, given = "SELECT id, count FROM outside_changes WHERE library = ?", [library]
        if ids is not None:
            sql, given = f"{sql} AND id IN (SELECT value FROM json_each(?))", [library, json.dumps(list(ids))]
        return {NoteId(note_id): count for note_id, count in self._file.rows(sql, *given)}

    def set_outside_changes(self, library: str, counts: Mapping[NoteId, int]) -> None:
        if not counts:
            return
        with self._file.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO outside_changes VALUES (?, ?, ?)",
                [(library, note_id, count) for note_id, count in counts.items()],
            )
            connection.execute("DELETE FROM outside_changes WHERE library = ? AND count = 0", (library,))

    def first_times(self, library: str, ids: Sequence[NoteId]) -> dict[NoteId, datetime]:
        sql = "SELECT id, at FROM first_times WHERE library = ? AND id IN (SELECT value FROM json_each(?))"
        rows = self._file.rows(sql, library, json.dumps(list(ids)))
        return {NoteId(note_id): datetime.fromisoformat(at) for note_id, at in rows}

    def set_first_times(self, library: str, times: Mapping[NoteId, datetime]) -> None:
        if not times:
            return
        rows = [(library, note_id, at.isoformat()) for note_id, at in times.items()]
        with self._file.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO first_times VALUES (?, ?, ?)", rows)

    def add_trashed(self, trashed: Trashed) -> None:
        row = (
            trashed.key,
            trashed.library,
            trashed.id,
            trashed.path,
            trashed.title,
            trashed.deleted_at.isoformat(),
            trashed.deleted_by,
        )
        with self._file.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO trash VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def trashed(self, library: str) -> tuple[Trashed, ...]:
        rows = self._file.rows(
            "SELECT key, library, id, path, title, deleted_at, deleted_by FROM trash WHERE library = ?"
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
            )
            for key, name, note_id, path, title, deleted_at, deleted_by in rows
        )

    def remove_trashed(self, key: str) -> None:
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM trash WHERE key = ?", (key,))

    def put_move(self, move: MoveUnderWay) -> None:
        with self._file.transaction() as connection:
            sql = "INSERT INTO moves (key, library, plan) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET plan = excluded.plan"
            connection.execute(sql, (move.key, move.library, encoded(move)))

    def moves(self, library: str) -> tuple[MoveUnderWay, ...]:
        rows = self._file.rows("SELECT plan FROM moves WHERE library = ? ORDER BY number", library)
        return tuple(decoded(plan) for (plan,) in rows)

    def remove_move(self, key: str) -> None:
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM moves WHERE key = ?", (key,))

    def given_ids(self, library: str) -> dict[str, GivenId]:
        rows = self._file.rows("SELECT path, id, inode, checksum FROM given_ids WHERE library = ?", library)
        return {
            path: GivenId(path=path, id=NoteId(note_id), inode=int(inode), checksum=checksum)
            for path, note_id, inode, checksum in rows
        }

    def give_ids(self, library: str, given: Sequence[GivenId]) -> None:
        if not given:
            return
        rows = [(library, row.path, row.id, _stored(row.inode), row.checksum) for row in given]
        with self._file.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO given_ids VALUES (?, ?, ?, ?, ?)", rows)


def _stored(inode: int) -> int | str:
    return inode if inode < 1 << 63 else str(inode)
