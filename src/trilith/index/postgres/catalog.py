"""The catalog in a PostgreSQL database."""

from __future__ import annotations

from trilith.index.catalog.catalog import SqlCatalog
from trilith.index.postgres.database import SCHEMA, PostgresDatabase
from trilith.ports.catalog import ScanState


class PostgresCatalog(SqlCatalog):
    """As `PostgresDatabase`, and raises what that does."""

    database: PostgresDatabase

    def __init__(self, url: str, schema: str = SCHEMA) -> None:
        super().__init__(PostgresDatabase(url, schema))

    def record_scan(self, library: str, state: ScanState, attachments: frozenset[str]) -> None:
        super().record_scan(library, state, attachments)
        if state.finished_at is not None:
            self.database.count_rows()
