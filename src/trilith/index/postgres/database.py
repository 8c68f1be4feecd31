"""Transactions on the catalog's tables in a PostgreSQL database. Failures of the server become `Unavailable`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import psycopg
from psycopg import IsolationLevel
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from trilith.errors import StartFailure, Unavailable
from trilith.index.catalog.connection import Rows
from trilith.index.catalog.fitness import microseconds
from trilith.index.postgres.migrating import migrate, set_path
from trilith.index.postgres.spelling import copied, spelled
from trilith.index.postgres.values import adapt

SCHEMA = "trilith"
PATIENCE = 10.0
"""Seconds to wait for a connection."""
MOST_CONNECTIONS = 10
"""Of one process. A search uses two or three at once."""
COPIED_FROM = 20
"""Rows from which on a copy is quicker than statements in a row."""

Server = psycopg.Connection[tuple[Any, ...]]


class PostgresConnection:
    """Implements `catalog.connection.Connection`."""

    IntegrityError: type[Exception] = psycopg.IntegrityError

    def __init__(self, server: Server) -> None:
        self.server = server
        """For statements in PostgreSQL's own words."""

    def execute(self, sql: str, params: Sequence[Any] = (), /) -> Rows:
        said = spelled(sql)
        return self.server.execute(said.sql, said.params(params))

    def once(self, sql: str, params: Sequence[Any] = (), /) -> Rows:
        """As `execute`, never by a prepared statement: pg_textsearch must see what it is asked for when the plan is made."""
        said = spelled(sql)
        return self.server.execute(said.sql, said.params(params), prepare=False)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        given = rows if isinstance(rows, list | tuple) else list(rows)
        said = spelled(sql)
        with self.server.cursor() as cursor:
            into = copied(sql) if len(given) >= COPIED_FROM else None
            if into is None:
                cursor.executemany(said.sql, [said.params(row) for row in given])
                return
            with cursor.copy(into) as copy:
                for row in given:
                    copy.write_row(row)

    def take_nums(self, count: int) -> int:
        """Writers come one at a time, so that the numbers in a row are free."""
        (first,) = self.server.execute("SELECT nextval('nums')").fetchone() or (1,)
        if count > 1:
            self.server.execute("SELECT setval('nums', %s)", (first + count - 1,))
        return int(first)


class PostgresDatabase:
    """Implements `catalog.connection.Tables` in a schema of a database, which is made or brought up to date on opening.

    Args:
        url: as libpq takes it, `postgresql://user@host/database`; what is missing comes from the usual PG variables.
        schema: where the tables are; nobody else's.

    Raises `StartFailure` when the server cannot be reached, or is not fit for use.
    """

    set_aside: str | None = None
    """Nothing ever is: a database is mended by who keeps it."""

    def __init__(self, url: str, schema: str = SCHEMA) -> None:
        try:
            given = conninfo_to_dict(url)
            where = make_conninfo(f"connect_timeout={PATIENCE:.0f} application_name=trilith", **given)
            self._name = f"{given.get('dbname', '')!r} on {given.get('host', 'this machine')}"
            with psycopg.connect(where) as connection:
                migrate(connection, schema)
        except psycopg.Error as failure:
            raise StartFailure(f"The PostgreSQL database cannot be opened: {_reason(failure)}") from failure
        self._pool: ConnectionPool[Server] = ConnectionPool(
            where,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=PATIENCE,
            configure=partial(_configure, schema=schema),
            open=True,
            name="trilith",
        )

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        """A connection that sees one state of the tables throughout."""
        with self._lent(IsolationLevel.REPEATABLE_READ, read_only=True) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[PostgresConnection]:
        """A connection whose changes are kept together at the end, or not at all when the block raises. Others wait until
        then, those of other processes, too: the row of `state` is their turn."""
        with self._lent(IsolationLevel.READ_COMMITTED, read_only=False) as connection:
            connection.server.execute("UPDATE state SET generation = greatest(generation + 1, %s)", (microseconds(),))
            yield connection

    @contextmanager
    def feeding(self) -> Iterator[PostgresConnection]:
        """A connection for changes of a view, kept together at the end; writers of the catalog neither wait nor are told."""
        with self._lent(IsolationLevel.READ_COMMITTED, read_only=False) as connection:
            yield connection

    def generation(self) -> int:
        with self.reading() as connection:
            return int(connection.execute("SELECT generation FROM state").fetchone()[0])

    def check(self) -> str | None:
        """Read every row of every table; what the server says where it cannot."""
        try:
            with self.reading() as connection:
                tables = connection.server.execute(
                    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
                )
                for (table,) in tables.fetchall():
                    connection.server.execute(f'SELECT count(t.*) FROM "{table}" t'.encode())
        except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as failure:
            return _reason(failure)
        return None

    def count_rows(self) -> None:
        """Let the planner know tables that it knows nothing of yet, as after a first scan; without that, it takes a hundred
        times as long to find notes by a tag. The server itself looks at them again once a minute, if it may."""
        with self.writing() as connection:
            tables = connection.server.execute(
                "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
                " AND reltuples < 0"
            )
            for (table,) in tables.fetchall():
                connection.server.execute(f'ANALYZE "{table}"'.encode())

    def close(self) -> None:
        self._pool.close()

    @contextmanager
    def _lent(self, isolation: IsolationLevel, *, read_only: bool) -> Iterator[PostgresConnection]:
        try:
            with self._begun(isolation, read_only=read_only) as server:
                yield PostgresConnection(server)
        except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted):
            raise
        except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError) as failure:
            raise Unavailable(
                f"The PostgreSQL database {self._name} cannot be used now: {_reason(failure)}"
            ) from failure
        except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege) as failure:
            raise Unavailable(f"The PostgreSQL database {self._name} is not as it was: {_reason(failure)}") from failure

    @contextmanager
    def _begun(self, isolation: IsolationLevel, *, read_only: bool) -> Iterator[Server]:
        """A transaction. Connections that broke while nobody used them, as when the server restarts, are let go of first."""
        with ExitStack() as lent:
            for spare in reversed(range(MOST_CONNECTIONS + 1)):
                server = lent.enter_context(self._pool.connection())
                server.isolation_level, server.read_only = isolation, read_only
                try:
                    lent.enter_context(server.transaction())
                    break
                except psycopg.OperationalError:
                    if not server.broken or not spare:
                        raise
                    lent.pop_all().close()
            yield server


def _configure(connection: Server, schema: str) -> None:
    adapt(connection)
    set_path(connection, schema)
    # A plan made for any list, any word and any limit is a hundred times slower than one for those at hand.
    connection.execute("SET plan_cache_mode = force_custom_plan")
    connection.commit()


def _reason(failure: psycopg.Error) -> str:
    """The first line of what the server says; never the address, which may hold a password."""
    return (str(failure).strip() or type(failure).__name__).splitlines()[0]
