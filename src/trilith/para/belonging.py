"""Which items does a note belong to? Pure."""

from __future__ import annotations

from collections.abc import Iterable

from trilith.language.normal import fold_case
from trilith.model.note import Entry
from trilith.model.para import ParaItem


def items_of(entry: Entry, items: Iterable[ParaItem]) -> tuple[ParaItem, ...]:
    """The items whose slug the note names, or in whose folder it lies."""
    return tuple(
        item
        for item in items
        if (item.slug in entry.metadata.para and item.library == entry.library) or lies_in(entry, item)
    )


def lies_in(entry: Entry, item: ParaItem) -> bool:
    if item.folder is None or item.library != entry.library:
        return False
    return fold_case(entry.path).startswith(f"{fold_case(item.folder)}/")
