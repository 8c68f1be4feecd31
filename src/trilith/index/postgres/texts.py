"""What do the words find? Notes as full text in PostgreSQL: a view that sync feeds, and a retriever that search asks."""

from __future__ import annotations

from collections.abc import Sequence

from trilith.errors import SearchBackendError, Unavailable
from trilith.index.catalog.filters import to_microseconds
from trilith.index.postgres.database import PostgresConnection
from trilith.index.postgres.fed import FedTexts, Tables
from trilith.index.postgres.lexemes import vector_and_content
from trilith.index.postgres.question import TABLE, Question
from trilith.index.postgres.ranking import prefer_indexes
from trilith.model.hits import Ranked
from trilith.model.note import Status
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports.items import FullTextItem


class PostgresTexts(FedTexts[FullTextItem]):
    """Implements `View[FullTextItem]` and `FullTextRetriever`."""

    tables = Tables(views="text_views", notes=TABLE, ranked=TABLE)

    def replace(self, connection: PostgresConnection, view: int, gone: str, items: Sequence[FullTextItem]) -> None:
        _count(connection, view, gone, -1)
        connection.execute(
            "DELETE FROM texts WHERE view = ? AND num IN (SELECT value FROM json_each(?) j)", (view, gone)
        )
        connection.executemany(
            "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [_row(view, item) for item in items]
        )
        _count(connection, view, gone, 1)

    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        try:
            with self._database.reading() as connection:
                prefer_indexes(connection)
                return Question(connection, self._narrowing, query, match, filter).answer(depth, count)
        except Unavailable as failure:
            raise SearchBackendError(failure.message) from failure


def _row(view: int, item: FullTextItem) -> tuple[object, ...]:
    live = item.status != Status.DISMISSED
    times = (to_microseconds(item.created_at), to_microseconds(item.updated_at))
    return (view, item.num, item.checksum, live, *times, item.id, *vector_and_content(item))


def _count(connection: PostgresConnection, view: int, nums: str, sign: int) -> None:
    """Take notes into the counts, or out of them while they are still there."""
    rows = "texts t WHERE t.view = ? AND t.num IN (SELECT value FROM json_each(?) j)"
    connection.execute(
        f"UPDATE text_views SET notes = notes + ? * (SELECT count(*) FROM {rows} AND t.live = 1) WHERE view = ?",
        (sign, view, nums, view),
    )
    connection.execute(
        "INSERT INTO text_terms SELECT ?, u.lexeme, ? * count(*) FROM texts t, unnest(t.words) u"
        " WHERE t.view = ? AND t.num IN (SELECT value FROM json_each(?) j) GROUP BY u.lexeme ORDER BY u.lexeme"
        " ON CONFLICT (view, term) DO UPDATE SET notes = text_terms.notes + excluded.notes",
        (view, sign, view, nums),
    )
