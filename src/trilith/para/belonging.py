"""Which items does a note belong to? Pure."""

from __future__ import annotations

from collections.abc import Iterable

from trilith.language.normal import fold_case
from trilith.model.note import Entry
from trilith.model.para import ParaItem


def items_of(entry: Entry, items: Iterable[ParaItem]) -> tuple[ParaItem, ...]:
    """The items whose slug the note names, or in whose folder it lies."""
    own = (item for item in items if item.library == entry.library)
    return tuple(item for item in own if item.slug in entry.metadata.para or holds(item, entry.path))


def holds(item: ParaItem, path: str) -> bool:
    """Whether a path of the item's library is below the item's folder."""
    return item.folder is not None and fold_case(path).startswith(f"{fold_case(item.folder)}/")
