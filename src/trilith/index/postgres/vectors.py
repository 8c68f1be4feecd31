"""The vectors of a library as they are searched, in pgvector: a view that sync feeds, and a retriever that search asks.

Few rows are compared one by one, which is exact. A view of many has an HNSW index beside, which is asked where a filter
lets enough through; what it does not find is looked for row by row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from trilith.errors import SearchBackendError, Unavailable
from trilith.index.catalog.filters import Condition
from trilith.index.postgres.database import PostgresConnection, PostgresDatabase
from trilith.index.postgres.halfvec import copy_of, literal
from trilith.index.postgres.narrowing import Narrowed, Narrowing, narrowed, one_of
from trilith.index.vector.batches import batch_of
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.embedding import Floats
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, VectorItem

EXACT_ROWS = 100_000
"""Up to so many rows are compared one by one: 30,000 of 384 numbers take 25 ms on one core. An index of these takes a minute to
make, and is no quicker where 200 notes are asked for."""
WIDEST = 4_000
"""Numbers of the longest vectors that pgvector indexes."""


_Row = tuple[int, int, float]
"""A note, a chunk of it, and the product of its vector with the query's."""


class _View(NamedTuple):
    view: int
    applied: int


class PostgresVectors:
    """Implements `View[VectorItem]` and `VectorRetriever`. Libraries that are asked together must have one model.

    Args:
        kind: identity and width of the model of a library.
        narrowing: what a filter lets through.
        exact_rows: from how many rows on a view is indexed.
    """

    def __init__(
        self,
        database: PostgresDatabase,
        kind: Callable[[str], tuple[str, int]],
        narrowing: Narrowing = narrowed,
        exact_rows: int = EXACT_ROWS,
    ) -> None:
        self._database = database
        self._kind = kind
        self._narrowing = narrowing
        self._exact_rows = exact_rows

    # --- the view

    def applied(self, library: str) -> int:
        with self._database.reading() as connection:
            return self._view(connection, library).applied

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        model, width = self._kind(library)
        batch = batch_of(changes, width)
        gone = json.dumps(batch.records["num"].tolist())
        with self._database.feeding() as connection:
            view = _begun(connection, library, model, width, changes.upto)
            former = _dropped(connection, "vectors", view, gone)
            _dropped(connection, "vector_notes", view, gone)
            connection.executemany(
                "INSERT INTO vector_notes VALUES (?, ?, ?)", [(view, item.num, item.checksum) for item in changes.put]
            )
            if len(batch.vectors):
                with connection.server.cursor().copy("COPY vectors FROM STDIN (FORMAT BINARY)") as copy:
                    copy.write(copy_of(view, batch))
            connection.execute(
                "UPDATE vector_views SET rows = rows + ? WHERE view = ?", (len(batch.vectors) - former, view)
            )
            self._index(connection, view, width)

    def fingerprints(self, library: str) -> dict[Num, str]:
        with self._database.reading() as connection:
            view = self._view(connection, library).view
            rows = connection.execute("SELECT num, checksum FROM vector_notes WHERE view = ?", (view,))
            return {Num(num): checksum for num, checksum in rows}

    def check(self, library: str) -> bool:  # noqa: ARG002  # rows are the server's to keep, and `Catalog.check` reads them all
        return True

    def clear(self, library: str) -> None:
        """Forget the library, in every model."""
        with self._database.feeding() as connection:
            views = connection.execute(
                "DELETE FROM vector_views WHERE library = ? RETURNING view", (library,)
            ).fetchall()
            for (view,) in views:
                connection.execute(f"DROP INDEX IF EXISTS {_index_name(view)}")

    # --- the retriever

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        found: list[Candidate] = []
        with self._asked(vector, filter) as asked:
            for connection, view, narrow in asked:
                rows = self._nearby(connection, view, narrow, vector, depth)
                if rows is None:
                    rows = _best_notes(connection, _scored(view, narrow, vector), depth)
                found += [Candidate(Num(num), _cosine(score), ordinal) for num, ordinal, score in rows]
        found.sort(key=lambda candidate: (-candidate.raw, candidate.num))
        return Ranked(candidates=tuple(found[: max(depth, 0)]))

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        found: dict[ChunkKey, float] = {}
        with self._asked(vector, filter) as asked:
            for connection, view, narrow in asked:
                rows = _best_chunks(connection, _scored(view, narrow, vector), depth, also)
                found |= {(Num(num), ordinal): _cosine(score) for num, ordinal, score in rows}
        best_first = sorted(found, key=lambda chunk: (-found[chunk], chunk))
        kept = {*best_first[: max(depth, 0)], *also}
        return {chunk: found[chunk] for chunk in best_first if chunk in kept}

    @contextmanager
    def _asked(self, vector: Floats, filter: Filter) -> Iterator[Iterator[tuple[PostgresConnection, int, Narrowed]]]:
        """The views of the filter's libraries, each with what passes there."""
        libraries = tuple(dict.fromkeys(filter.libraries))
        width = self._kind(libraries[0])[1] if libraries else len(vector)
        if vector.shape != (width,):
            raise ValueError(f"a query vector of shape {vector.shape}, not [{width}]")
        try:
            with self._database.reading() as connection:
                narrow = self._narrowing(connection, filter) if libraries else Narrowed()
                views = (self._view(connection, library).view for library in libraries)
                yield ((connection, view, narrow) for view in views if view)
        except Unavailable as failure:
            raise SearchBackendError(failure.message) from failure

    def _view(self, connection: PostgresConnection, library: str) -> _View:
        """Of the model that the library has now; 0 and 0 before it was first fed."""
        sql = "SELECT view, applied FROM vector_views WHERE library = ? AND model = ? AND width = ?"
        row = connection.execute(sql, (library, *self._kind(library))).fetchone()
        return _View(0, 0) if row is None else _View(*row)

    # --- the index of many rows

    def _index(self, connection: PostgresConnection, view: int, width: int) -> None:
        """Index a view that has grown so much; one that has an index keeps it."""
        (rows,) = connection.execute("SELECT rows FROM vector_views WHERE view = ?", (view,)).fetchone()
        if rows > self._exact_rows and width <= WIDEST and not _has_index(connection, view):
            connection.execute(
                f"CREATE INDEX {_index_name(view)} ON vectors USING hnsw ((vector::halfvec({width})) halfvec_ip_ops)"
                f" WHERE view = {view}"
            )

    def _is_large(self, connection: PostgresConnection, view: int, notes: Condition) -> bool:
        sql = f"SELECT count(*) FROM (SELECT 1 FROM vectors v WHERE v.view = {view} AND {notes.sql} LIMIT ?)"
        row = connection.execute(sql, (*notes.params, self._exact_rows + 1)).fetchone()
        return int(row[0]) > self._exact_rows

    def _nearby(
        self, connection: PostgresConnection, view: int, narrow: Narrowed, vector: Floats, depth: int
    ) -> list[_Row] | None:
        """The best notes as the index finds them; None where it is not asked, or has not found as many as there should be."""
        if depth < 1 or not _has_index(connection, view) or not self._is_large(connection, view, narrow.notes):
            return None
        limit, width = 3 * depth, len(vector)
        connection.execute("SET LOCAL hnsw.iterative_scan = strict_order")
        connection.execute(f"SET LOCAL hnsw.ef_search = {min(max(limit, 40), 1000)}")
        near = f"v.vector::halfvec({width}) <#> CAST(? AS halfvec({width}))"
        rows = connection.execute(
            f"SELECT v.num, v.ordinal, -({near}) FROM vectors v WHERE v.view = {view} AND {narrow.notes.sql}"
            f" AND {narrow.chunks.sql} ORDER BY {near} LIMIT ?",
            (literal(vector), *narrow.notes.params, *narrow.chunks.params, literal(vector), limit),
        )
        best: dict[int, _Row] = {}
        for num, ordinal, score in rows:
            best.setdefault(num, (num, ordinal, score))
        return list(best.values())[:depth] if len(best) >= depth else None


def _begun(connection: PostgresConnection, library: str, model: str, width: int, upto: int) -> int:
    """A view, made where it is not there, at its new sequence number; nobody else changes it until the end."""
    row = connection.execute(
        "INSERT INTO vector_views (library, model, width, applied) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (library, model, width) DO UPDATE SET applied = excluded.applied RETURNING view",
        (library, model, width, upto),
    ).fetchone()
    return int(row[0])


def _dropped(connection: PostgresConnection, table: str, view: int, nums: str) -> int:
    """How many rows of these notes there were."""
    sql = f"DELETE FROM {table} WHERE view = ? AND num IN (SELECT value FROM json_each(?) j)"
    return connection.execute(sql, (view, nums)).rowcount


def _best_notes(connection: PostgresConnection, scored: Condition, depth: int) -> list[_Row]:
    return connection.execute(
        f"SELECT num, ordinal, score FROM (SELECT DISTINCT ON (num) * FROM ({scored.sql})"
        " ORDER BY num, score DESC, ordinal) ORDER BY score DESC, num LIMIT ?",
        (*scored.params, max(depth, 0)),
    ).fetchall()


def _best_chunks(
    connection: PostgresConnection, scored: Condition, depth: int, also: Collection[ChunkKey]
) -> list[_Row]:
    best = f"{scored.sql} ORDER BY score DESC, v.num, v.ordinal LIMIT ?"
    rows = connection.execute(best, (*scored.params, max(depth, 0))).fetchall()
    if also:
        named = one_of([(int(num), ordinal) for num, ordinal in also])
        rows += connection.execute(f"{scored.sql} AND {named.sql}", (*scored.params, *named.params)).fetchall()
    return rows


def _scored(view: int, narrow: Narrowed, vector: Floats) -> Condition:
    """The rows of a view that pass, compared one by one."""
    return Condition(
        "SELECT v.num, v.ordinal, -(v.vector <#> CAST(? AS halfvec)) AS score FROM vectors v"
        f" WHERE v.view = ? AND {narrow.notes.sql} AND {narrow.chunks.sql}",
        (literal(vector), view, *narrow.notes.params, *narrow.chunks.params),
    )


def _has_index(connection: PostgresConnection, view: int) -> bool:
    return connection.execute("SELECT to_regclass(?) IS NOT NULL", (_index_name(view),)).fetchone()[0] is True


def _index_name(view: int) -> str:
    return f"vectors_near_{view}"


def _cosine(score: float) -> float:
    return max(-1.0, min(1.0, score))
