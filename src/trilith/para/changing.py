"""PARA items are made and changed: notes in `para/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC

from trilith.errors import SlugCollision
from trilith.model.change import Draft, FieldValue, Revision
from trilith.model.para import Category, ItemStatus, ParaItem
from trilith.model.principal import Library
from trilith.model.query import Filter
from trilith.notes.filenames import ENDING, file_name
from trilith.notes.writer import Writer
from trilith.para.items import Items, item_of
from trilith.para.places import NOTES, TYPE


@dataclass(frozen=True, slots=True)
class ItemWriter:
    """Every method gives the item as it is then, and raises what `Writer` does."""

    items: Items
    writer: Writer

    def create(self, library: Library, filter: Filter, draft: Draft, category: Category) -> ParaItem:
        """A new active item, called `draft.title`. Raises `SlugCollision` when the library has one of that slug."""
        slug = file_name(draft.title).removesuffix(ENDING)
        own = replace(filter.whole(), scopes=tuple(scope for scope in filter.scopes if scope.library == library.name))
        twin = next((item for item in self.items.all(own) if item.slug == slug), None)
        if twin is not None:
            raise SlugCollision(
                f"There is a PARA item with the slug '{slug}' already: '{twin.label}' ({twin.category}, {twin.status}), id {twin.id}."
            )
        fields = {"type": TYPE, "category": category.value, "status": ItemStatus.ACTIVE.value, **draft.fields}
        made = replace(draft, place=f"{NOTES}/{slug}{ENDING}", fields=fields)
        return item_of(self.writer.create(library, filter, made).entry)

    def change(
        self, library: Library, filter: Filter, item: ParaItem, agent: str, fields: Mapping[str, FieldValue]
    ) -> ParaItem:
        """Frontmatter fields of an item's note. A folder gets its note with that, which names it."""
        if item.entry is not None:
            revision = Revision(agent=agent, fields=fields)
            return item_of(self.writer.revise(library, filter, item.entry, revision).entry)
        known: dict[str, FieldValue] = {
            "type": TYPE,
            "category": item.category.value,
            "status": item.status.value,
            "folder": item.folder or "",
            **_begun(self.items.dated(filter, item)),
        }
        draft = Draft(
            title=str(fields.get("title", item.label)),
            body="",
            agent=agent,
            place=f"{NOTES}/{item.slug}{ENDING}",
            fields={**known, **{name: value for name, value in fields.items() if name != "title"}},
            note_id=item.id,
        )
        return item_of(self.writer.create(library, filter, draft).entry)


def _begun(item: ParaItem) -> dict[str, FieldValue]:
    """A folder is as old as what is in it, not as its note."""
    return {} if item.created_at is None else {"created_at": f"{item.created_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"}
