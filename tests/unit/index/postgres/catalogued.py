"""Full text in PostgreSQL, with the catalog beside it that its filters are answered from."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from tests.unit.index.building import recorded

from trilith.index.postgres.catalog import PostgresCatalog
from trilith.index.postgres.texts import PostgresTexts
from trilith.model.note import Status, Visibility
from trilith.ports.catalog import CatalogBatch, Recorded
from trilith.ports.items import Changes, FullTextItem


class CataloguedTexts(PostgresTexts):
    """What is applied is recorded in the catalog first, under its own numbers."""

    def __init__(self, catalog: PostgresCatalog) -> None:
        super().__init__(catalog.database)
        self._catalog = catalog

    def apply(self, library: str, changes: Changes[FullTextItem]) -> None:
        record(self._catalog, library, changes)
        super().apply(library, changes)


def record(catalog: PostgresCatalog, library: str, changes: Changes[FullTextItem]) -> None:
    catalog.record(library, CatalogBatch(drop=(*changes.drop, *(item.num for item in changes.put))))
    ordered = sorted(changes.put, key=lambda item: item.num)
    for _, run in groupby(enumerate(ordered), key=lambda pair: pair[1].num - pair[0]):
        items = [item for _, item in run]
        with catalog.database.feeding() as connection:
            connection.server.execute("ALTER SEQUENCE nums MINVALUE 0")
            connection.server.execute("SELECT setval('nums', %s, false)", (items[0].num,))
        catalog.record(library, CatalogBatch(put=tuple(map(_recorded, items))))


def _recorded(item: FullTextItem) -> Recorded:
    made = recorded(
        item.path,
        note_id=item.id,
        title=item.title,
        aliases=item.aliases,
        tags=item.tags,
        author=item.author,
        summary=item.summary,
        status=Status(item.status),
        visibility=Visibility(item.visibility),
        collaborators=item.collaborators,
        para=item.para,
        # Of the property filters of the suite, notes with even numbers pass.
        extra={"status": "doing" if item.num % 2 == 0 else "done"},
    )
    return replace(made, checksum=item.checksum, created_at=item.created_at, updated_at=item.updated_at)
