"""The PARA items that a caller may see."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from trilith.language.normal import fold_case
from trilith.model.ids import derive_id
from trilith.model.note import Entry, Status
from trilith.model.para import Category, ItemStatus, ParaItem
from trilith.model.principal import Scope
from trilith.model.query import Filter, Listing, Sort
from trilith.notes.filenames import ENDING, file_name
from trilith.para.places import NOTES, TYPE, Place, place_of
from trilith.ports.catalog import Catalog

MOST = 10_000
"""Items that are notes, of one library."""


@dataclass(frozen=True, slots=True)
class Items:
    """Finds PARA items. What a filter asks for beside the caller's scopes does not matter."""

    catalog: Catalog

    def all(self, filter: Filter) -> tuple[ParaItem, ...]:
        """By library, those that are notes first."""
        return tuple(chain.from_iterable(self._of_scope(scope) for scope in filter.scopes))

    def dated(self, filter: Filter, item: ParaItem) -> ParaItem:
        """The same item; a folder without a note of its own is as old as the oldest note in it."""
        if item.created_at is not None:
            return item
        scopes = tuple(scope for scope in filter.scopes if scope.library == item.library)
        oldest = Listing(
            filter=Filter(scopes=scopes, path_prefix=item.folder), sort=Sort.CREATED, descending=False, limit=1
        )
        return replace(item, created_at=next((e.created_at for e in self.catalog.page(oldest).entries), None))

    def notes(self, filter: Filter) -> tuple[Entry, ...]:
        """The notes that are items, and so nodes of no graph."""
        return tuple(chain.from_iterable(self._notes(Filter(scopes=(scope,))) for scope in filter.scopes))

    def _notes(self, filter: Filter) -> tuple[Entry, ...]:
        narrow = replace(filter, path_prefix=NOTES, where={"type": TYPE})
        return self.catalog.page(Listing(filter=narrow, sort=Sort.PATH, descending=False, limit=MOST)).entries

    def _of_scope(self, scope: Scope) -> Iterator[ParaItem]:
        filter = Filter(scopes=(scope,))
        own = [item_of(entry) for entry in self._notes(filter)]
        yield from own
        named = {fold_case(item.folder) for item in own if item.folder is not None}
        slugs = {item.slug for item in own}
        for folder, place in self._folders(filter):
            if fold_case(folder) not in named:
                item = folder_item(scope.library, folder, place, slugs)
                slugs.add(item.slug)
                yield item

    def _folders(self, filter: Filter) -> list[tuple[str, Place]]:
        """Active ones first: they keep the plain slug where several have the same name."""
        tops = ((top, place_of(top)) for top in self.catalog.folders(filter))
        found = [
            (folder, place) for top, place in tops if place is not None for folder in self.catalog.folders(filter, top)
        ]
        return sorted(found, key=lambda each: (each[1].status, list(Category).index(each[1].category), each[0]))


def item_of(entry: Entry) -> ParaItem:
    """The item that a note of type `para-item` is."""
    extra, known = entry.metadata.extra, entry.metadata
    folder = (_text(extra.get("folder")) or "").strip("/") or None
    place = place_of(folder.partition("/")[0]) if folder is not None else None
    category = _text(extra.get("category"))
    return ParaItem(
        id=entry.id,
        library=entry.library,
        category=Category(category) if category in set(Category) else place.category if place else Category.RESOURCES,
        slug=_text(extra.get("slug")) or entry.path.rpartition("/")[2].removesuffix(ENDING),
        label=known.title,
        description=_text(extra.get("description")) or known.summary,
        deadline=_text(extra.get("deadline")),
        status=_status(entry, place),
        created_at=entry.created_at,
        folder=folder,
        entry=entry,
    )


def folder_item(library: str, folder: str, place: Place, taken: Collection[str]) -> ParaItem:
    """The item that a folder is; its slug is its name, made different from those that are taken."""
    label = folder.rpartition("/")[2]
    slug = file_name(label).removesuffix(ENDING)
    others = (f"{slug}-{number}" for number in range(2, MOST))
    return ParaItem(
        id=derive_id(library, folder),
        library=library,
        category=place.category,
        slug=next(each for each in chain((slug, f"{slug}-{place.category}"), others) if each not in taken),
        label=label,
        status=place.status,
        folder=folder,
    )


def _status(entry: Entry, place: Place | None) -> ItemStatus:
    """What the note says; else what its folder's place does."""
    if entry.metadata.status is Status.ARCHIVED:
        return ItemStatus.ARCHIVED
    if place is None or entry.metadata.extra.get("status") == ItemStatus.ACTIVE:
        return ItemStatus.ACTIVE
    return place.status


def _text(value: Any) -> str | None:
    return str(value).strip() or None if isinstance(value, str | int | float) and not isinstance(value, bool) else None
