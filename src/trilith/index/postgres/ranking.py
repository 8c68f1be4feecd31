"""How good is a match? BM25 by pg_textsearch; where the server has not got that, PostgreSQL's own `ts_rank`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trilith.index.catalog.filters import Condition
from trilith.index.postgres.database import PostgresConnection, Server
from trilith.index.postgres.lexemes import lexeme, plain_word, quoted
from trilith.index.postgres.matching import roots
from trilith.index.postgres.migrating import RANKING

MOST_TIED = 1_000
"""Rows looked through for those that tie with the last that is asked for: of a word that all have, there is no end to them."""

Row = tuple[Any, ...]


def ensure_index(server: Server, table: str) -> None:
    """Let BM25 rank a table's `content`, where the server has it."""
    if server.execute("SELECT 1 FROM pg_extension WHERE extname = %s", (RANKING,)).fetchone() is not None:
        server.execute(
            f"CREATE INDEX IF NOT EXISTS {index_of(table)} ON {table} USING bm25 (content)"
            " WITH (text_config = 'pg_catalog.simple')".encode()
        )


def index_of(table: str) -> str:
    return f"{table}_ranked"


class Ranking:
    """Asks for the best rows of a table by the words of a query, and by their stems in these languages."""

    def __init__(self, connection: PostgresConnection, table: str, languages: Sequence[str]) -> None:
        self._connection = connection
        self._table = table
        self._languages = languages

    def best(self, columns: str, found: Condition, words: Sequence[str], depth: int) -> list[Row]:
        """At least the `depth` best rows `v` for which `found` holds, and with them those that tie with the last: the score of
        each, the less the better, and these columns of it. Rows with none of the words are left out."""
        sql = "SELECT to_regclass(?) IS NOT NULL"
        has_index = self._connection.execute(sql, (index_of(self._table),)).fetchone()[0]
        ask = self._by_bm25 if has_index else self._by_rank
        wanted = depth + 1
        while True:
            rows = ask(columns, found, words, wanted)
            is_settled = len(rows) < wanted or rows[-1][0] > rows[depth - 1][0] or not rows[-1][0]
            if is_settled or wanted > MOST_TIED:
                return [row for row in rows if row[0]]
            wanted *= 8

    def _by_bm25(self, columns: str, found: Condition, words: Sequence[str], limit: int) -> list[Row]:
        # The extension tells the score of the row that its index came to last, and only that for nothing; so the rows must
        # come from the index (`prefer_indexes`), and straight.
        self._let_sort("off")
        asked = [plain_word(word) for word in words]
        asked += [plain_word(root, stem=True) for word in words for root in roots(word, self._languages)]
        rows = self._connection.once(
            f"SELECT bm25_get_current_score(), {columns} FROM {self._table} v WHERE {found.sql}"
            f" ORDER BY v.content <@> to_bm25query(?, '{index_of(self._table)}') LIMIT ?",
            (*found.params, " ".join(dict.fromkeys(asked)), limit),
        ).fetchall()
        self._let_sort("on")
        return rows

    def _let_sort(self, switch: str) -> None:
        """Whether rows may come in another order than that of the index, until the end of the transaction."""
        settings = (f"set_config('enable_{other}', '{switch}', true)" for other in ("bitmapscan", "sort"))
        self._connection.execute(f"SELECT {', '.join(settings)}")

    def _by_rank(self, columns: str, found: Condition, words: Sequence[str], limit: int) -> list[Row]:
        lexemes = [lexeme(field, word) for word in words for field in ("name", "about", "body")]
        either = " | ".join(map(quoted, lexemes))
        return self._connection.execute(
            f"SELECT -ts_rank(v.words, CAST(? AS tsquery), 1), {columns} FROM {self._table} v WHERE {found.sql}"
            " ORDER BY 1 LIMIT ?",
            (either, *found.params, limit),
        ).fetchall()


def prefer_indexes(connection: PostgresConnection) -> None:
    """Until the end of the transaction. The planner takes looking at a tsvector for cheap; each is many pages away."""
    connection.execute("SET LOCAL enable_seqscan = off")
