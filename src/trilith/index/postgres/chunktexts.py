"""Which chunks have the words? As `texts`, with the chunks of notes for the notes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from trilith.errors import SearchBackendError, Unavailable
from trilith.index.catalog.filters import Condition
from trilith.index.lexical.chunks import MOST_BM25
from trilith.index.lexical.document import valid
from trilith.index.postgres.database import PostgresConnection
from trilith.index.postgres.fed import FedTexts, Tables
from trilith.index.postgres.lexemes import chunk_vector_and_content, lexeme, quoted
from trilith.index.postgres.ranking import Ranking, prefer_indexes
from trilith.language.words import words as tokens_of
from trilith.model.hits import Candidate
from trilith.model.ids import Num
from trilith.model.note import Status
from trilith.model.query import Filter
from trilith.ports.items import ChunkedItem

TABLE = "chunk_texts"


class PostgresChunkTexts(FedTexts[ChunkedItem]):
    """Implements `View[ChunkedItem]` and `ChunkTextRetriever`."""

    tables = Tables(views="chunk_views", notes="chunk_notes", ranked=TABLE)

    def replace(self, connection: PostgresConnection, view: int, gone: str, items: Sequence[ChunkedItem]) -> None:
        connection.execute(
            "DELETE FROM chunk_notes WHERE view = ? AND num IN (SELECT value FROM json_each(?) j)", (view, gone)
        )
        notes = [(view, item.num, item.note.checksum) for item in items]
        connection.executemany("INSERT INTO chunk_notes VALUES (?, ?, ?)", notes)
        rows = [row for item in items for row in _rows(view, item)]
        connection.executemany("INSERT INTO chunk_texts VALUES (?, ?, ?, ?, ?)", rows)

    def retrieve(self, words: Sequence[str], filter: Filter, depth: int) -> tuple[Candidate, ...]:
        asked = tuple(dict.fromkeys(map(valid, words)))
        if not asked or depth < 1:
            return ()
        try:
            with self._database.reading() as connection:
                prefer_indexes(connection)
                found = self._passing(connection, asked, filter)
                return () if found is None else tuple(_best(connection, found, asked, depth))
        except Unavailable as failure:
            raise SearchBackendError(failure.message) from failure

    def _passing(self, connection: PostgresConnection, words: Sequence[str], filter: Filter) -> Condition | None:
        """Rows `v` of chunks that have a word and pass; None where there are none."""
        rows = connection.execute(
            "SELECT view FROM chunk_views WHERE library IN (SELECT value FROM json_each(?) k)",
            (json.dumps(filter.libraries),),
        ).fetchall()
        if not rows:
            return None
        narrow = self._narrowing(connection, filter)
        views = ", ".join(str(int(view)) for (view,) in rows)
        either = " | ".join(map(_query, words))
        return Condition(
            f"v.view IN ({views}) AND v.words @@ CAST(? AS tsquery) AND {narrow.notes.sql} AND {narrow.chunks.sql}",
            (either, *narrow.notes.params, *narrow.chunks.params),
        )


def _best(connection: PostgresConnection, found: Condition, words: Sequence[str], depth: int) -> list[Candidate]:
    """By the number of words first: those that have most, and so on until there are enough."""
    number = " + ".join("CAST(v.words @@ CAST(? AS tsquery) AS INTEGER)" for _ in words)
    queries = tuple(map(_query, words))
    levels = connection.execute(
        f"SELECT n FROM (SELECT {number} AS n FROM {TABLE} v WHERE {found.sql}) GROUP BY n ORDER BY n DESC",
        (*queries, *found.params),
    ).fetchall()
    best: list[Candidate] = []
    for (level,) in levels:
        if len(best) >= depth:
            break
        among = Condition(f"{found.sql} AND {number} = ?", (*found.params, *queries, level))
        rows = Ranking(connection, TABLE, ()).best("v.num, v.ordinal", among, words, depth - len(best))
        scored = [Candidate(Num(num), level + _share(-worse), ordinal) for worse, num, ordinal in rows]
        best += sorted(scored, key=lambda each: (-each.raw, each.num, each.chunk or 0))
    return best[:depth]


def _share(bm25: float) -> float:
    """What BM25 adds: less than `MOST_BM25`, and more for more of it."""
    return MOST_BM25 * bm25 / (1.0 + bm25)


def _query(word: str) -> str:
    return quoted(lexeme("body", word))


def _rows(view: int, item: ChunkedItem) -> list[tuple[object, ...]]:
    """None of a dismissed note. Title and tags belong to every chunk."""
    if item.note.status == Status.DISMISSED:
        return []
    around = [token for text in (item.note.title, *item.note.tags) for token in tokens_of(text)]
    return [
        (view, item.num, chunk.ordinal, *chunk_vector_and_content([*tokens_of(item.text(chunk)), *around]))
        for chunk in item.chunks
    ]
