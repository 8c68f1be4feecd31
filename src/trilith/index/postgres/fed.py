"""The face that sync sees of texts in PostgreSQL: what they hold of a library, how far they have come, and how they take over a
batch."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from trilith.index.postgres.database import PostgresConnection, PostgresDatabase
from trilith.index.postgres.narrowing import Narrowing, narrowed
from trilith.index.postgres.ranking import ensure_index
from trilith.model.ids import Num
from trilith.ports.items import Changes, ChunkedItem, FullTextItem

Item = TypeVar("Item", FullTextItem, ChunkedItem)


@dataclass(frozen=True, slots=True)
class Tables:
    """Names: `views` has a row for each library, `notes` one for each note with its checksum, `ranked` what BM25 orders."""

    views: str
    notes: str
    ranked: str


class FedTexts(ABC, Generic[Item]):
    """Implements `View`.

    Args:
        narrowing: what a filter lets through.
    """

    tables: Tables

    def __init__(self, database: PostgresDatabase, narrowing: Narrowing = narrowed) -> None:
        self._database = database
        self._narrowing = narrowing
        with database.feeding() as connection:
            ensure_index(connection.server, self.tables.ranked)

    @abstractmethod
    def replace(self, connection: PostgresConnection, view: int, gone: str, items: Sequence[Item]) -> None:
        """Let go of the notes `gone`, numbers as JSON, and take in `items`, whose numbers are among them."""

    def applied(self, library: str) -> int:
        with self._database.reading() as connection:
            sql = f"SELECT applied FROM {self.tables.views} WHERE library = ?"
            row = connection.execute(sql, (library,)).fetchone()
            return 0 if row is None else int(row[0])

    reached = applied
    """The sequence number of what searches see."""

    def apply(self, library: str, changes: Changes[Item]) -> None:
        views = self.tables.views
        with self._database.feeding() as connection:
            if changes.anew:
                connection.execute(f"DELETE FROM {views} WHERE library = ?", (library,))
            (view,) = connection.execute(
                f"INSERT INTO {views} (library, applied) VALUES (?, ?)"
                " ON CONFLICT (library) DO UPDATE SET applied = excluded.applied RETURNING view",
                (library, changes.upto),
            ).fetchone()
            gone = json.dumps([*changes.drop, *(item.num for item in changes.put)])
            self.replace(connection, view, gone, changes.put)

    def fingerprints(self, library: str) -> dict[Num, str]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT t.num, t.checksum FROM {self.tables.notes} t JOIN {self.tables.views} w ON w.view = t.view"
                " WHERE w.library = ?",
                (library,),
            )
            return {Num(num): checksum for num, checksum in rows}

    def check(self, library: str) -> bool:  # noqa: ARG002  # rows are the server's to keep, and `Catalog.check` reads them all
        return True

    def clear(self, library: str) -> None:
        with self._database.feeding() as connection:
            connection.execute(f"DELETE FROM {self.tables.views} WHERE library = ?", (library,))

    def close(self) -> None:
        """Nothing is kept open but the database."""
