"""Which libraries are registered, for those who have to answer before the ledger, or anything heavy, is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from trilith.home.libraries import COLUMNS, library_of
from trilith.home.reading import open_to_read
from trilith.model.principal import Library


def registered(ledger: Path) -> tuple[Library, ...]:
    """The libraries of a ledger, by name, which is only read; none when it is not there or cannot be read: whoever opens
    it in earnest tells what is wrong with it."""
    if not ledger.is_file():
        return ()
    try:
        connection = open_to_read(ledger)
        try:
            rows = connection.execute(f"SELECT {COLUMNS} FROM libraries ORDER BY name").fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return ()
    return tuple(library_of(row) for row in rows)
