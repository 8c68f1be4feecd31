"""PARA items named by their ids become what a node's frontmatter says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.loombrain.scope import item_of_id
from trilith.dialects.tool import Parameter
from trilith.errors import InvalidInput, NotFound
from trilith.model.note import Entry
from trilith.model.para import ItemStatus, ParaItem
from trilith.model.query import Filter
from trilith.para.belonging import holds

if TYPE_CHECKING:
    from trilith.app import App

PARA_ITEM_IDS = Parameter(
    name="para_item_ids", type="strings", description="Ids of the active PARA items that the node belongs to."
)


def items_named(app: App, filter: Filter, arguments: Arguments, entry: Entry | None = None) -> tuple[ParaItem, ...]:
    """The items of `para_item_ids`.

    Raises `NotFound` for one that is not there, `InvalidInput` for an archived one that `entry` is not in already, for one
    of another library, and when the item is left out in whose folder `entry` lies.
    """
    there = [item for item in app.para.all(filter) if entry is None or item.library == entry.library]
    found = [_found(there, text) for text in arguments.strings("para_item_ids")]
    items = tuple({item.id: item for item in found}.values())
    for item in items:
        if item.status is ItemStatus.ARCHIVED and not (entry is not None and _has(item, entry)):
            raise InvalidInput(f"The PARA item '{item.label}' is archived; unarchive it first.", field="para_item_ids")
    for item in there:
        if entry is not None and holds(item, entry.path) and item not in items:
            raise InvalidInput(
                f"'para_item_ids' must name '{item.label}' ({item.id}): the node's file lies in its folder, '{entry.path}'."
                " To take it out of there, move the file.",
                field="para_item_ids",
            )
    return items


def slugs(items: Sequence[ParaItem], path: str) -> tuple[str, ...]:
    """What the frontmatter of the node at `path` names: items in whose folder it lies need no word."""
    return tuple(dict.fromkeys(item.slug for item in items if not holds(item, path)))


def _found(items: Sequence[ParaItem], text: str) -> ParaItem:
    item = item_of_id(items, text)
    if item is None:
        raise NotFound(f"No PARA item found with id '{text[:80]}'.", field="para_item_ids")
    return item


def _has(item: ParaItem, entry: Entry) -> bool:
    return item.slug in entry.metadata.para or holds(item, entry.path)
