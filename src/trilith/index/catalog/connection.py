"""What the catalog's statements are run on. They are written once, in SQLite's words; `index.postgres.spelling` says them to
PostgreSQL.

For that, the alias of a list handed in as JSON tells what it holds: `json_each(?) j` numbers, `k` texts, `p` pairs of
numbers, `q` pairs of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement came to."""

    @property
    def rowcount(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """One transaction on the catalog's tables."""

    @property
    def IntegrityError(self) -> type[Exception]:  # as DB-API 2.0 calls it
        """What a statement raises that would break a key."""
        ...

    def execute(self, sql: str, params: Sequence[Any] = ..., /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object: ...

    def take_nums(self, count: int) -> int:
        """The first of `count` numbers in a row that no note has ever had; they are given to notes now."""
        ...


class Tables(Protocol):
    """Where the catalog's tables are."""

    @property
    def set_aside(self) -> str | None:
        """As `ports.Catalog`."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one state of the catalog throughout."""
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection whose changes are kept together at the end, or not at all when the block raises; one at a time."""
        ...

    def generation(self) -> int: ...

    def check(self) -> str | None: ...

    def close(self) -> None: ...
