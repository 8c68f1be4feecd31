"""Full text in PostgreSQL, with the catalog beside it that its filters are answered from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tests.unit.index.building import recorded

from trilith.index.postgres.catalog import PostgresCatalog
from trilith.index.postgres.chunktexts import PostgresChunkTexts
from trilith.index.postgres.texts import PostgresTexts
from trilith.model.ids import Num
from trilith.model.note import Section, Status, Visibility
from trilith.ports.catalog import CatalogBatch, Recorded
from trilith.ports.items import Changes, ChunkedItem, FullTextItem


class CataloguedChunks(PostgresChunkTexts):
    """What is applied is recorded in the catalog first, under its own numbers."""

    def __init__(self, catalog: PostgresCatalog) -> None:
        super().__init__(catalog.database)
        self._catalog = catalog

    def apply(self, library: str, changes: Changes[ChunkedItem]) -> None:
        record(self._catalog, library, changes.drop, changes.put)
        super().apply(library, changes)


class CataloguedTexts(PostgresTexts):
    """What is applied is recorded in the catalog first, under its own numbers."""

    def __init__(self, catalog: PostgresCatalog) -> None:
        super().__init__(catalog.database)
        self._catalog = catalog

    def apply(self, library: str, changes: Changes[FullTextItem]) -> None:
        record(self._catalog, library, changes.drop, changes.put)
        super().apply(library, changes)


def record(
    catalog: PostgresCatalog, library: str, drop: Sequence[Num], put: Sequence[FullTextItem | ChunkedItem]
) -> None:
    catalog.record(library, CatalogBatch(drop=(*drop, *(item.num for item in put))))
    ordered = sorted(put, key=lambda item: item.num)
    for _, run in groupby(enumerate(ordered), key=lambda pair: pair[1].num - pair[0]):
        items = [item for _, item in run]
        with catalog.database.feeding() as connection:
            connection.server.execute("ALTER SEQUENCE nums MINVALUE 0")
            connection.server.execute("SELECT setval('nums', %s, false)", (items[0].num,))
        catalog.record(library, CatalogBatch(put=tuple(map(_recorded, items))))


def _recorded(noted: FullTextItem | ChunkedItem) -> Recorded:
    """Of the property filters of the suites, notes with even numbers pass; of the one for chunks, the second."""
    item = noted.note if isinstance(noted, ChunkedItem) else noted
    does = item.num == 2 if isinstance(noted, ChunkedItem) else item.num % 2 == 0
    parts: list[str] = []
    if isinstance(noted, ChunkedItem):
        parts = [noted.text(chunk) for chunk in noted.chunks if chunk.section is Section.BODY]
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
        parts=parts,
        collaborator_notes=item.collaborator_notes if isinstance(noted, ChunkedItem) else None,
        extra={"status": "doing" if does else "done"},
    )
    return replace(made, checksum=item.checksum, created_at=item.created_at, updated_at=item.updated_at)
