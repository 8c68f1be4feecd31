"""Which folders are there? A look-up for each, however many notes they hold."""

from __future__ import annotations

from collections.abc import Iterator

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import AFTER_SLASH, library_numbers, passes
from trilith.index.catalog.names import folder_key
from trilith.model.query import Filter


def folders(connection: Connection, filter: Filter, under: str) -> tuple[str, ...]:
    """The folders right in `under` that hold a note which passes, by path."""
    libs = library_numbers(connection, filter.libraries).values()
    return tuple(sorted({path for lib in libs for path in _of_library(connection, filter, lib, folder_key(under))}))


def _of_library(connection: Connection, filter: Filter, lib: int, under: str) -> Iterator[str]:
    condition = passes(connection, filter, driven=True)
    start = f"{under}/" if under else ""
    low, high = start, f"{under}{AFTER_SLASH}" if under else "\U0010ffff"
    while True:
        row = connection.execute(
            "SELECT n.path, n.path_key FROM notes n WHERE n.lib = ? AND n.path_key >= ? AND n.path_key < ?"
            f" AND instr(substr(n.path_key, CAST(? AS INTEGER)), '/') > 0 AND {condition.sql} ORDER BY n.path_key LIMIT 1",
            (lib, low, high, len(start) + 1, *condition.params),
        ).fetchone()
        if row is None:
            return
        path, key = row
        depth = start.count("/") + 1
        yield "/".join(path.split("/")[:depth])
        low = f"{'/'.join(key.split('/')[:depth])}{AFTER_SLASH}"
