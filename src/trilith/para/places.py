"""Which folders make a vault a PARA vault, and what do they say of the folders in them? Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from trilith.model.para import Category, ItemStatus

_ORNAMENT = re.compile(r"^[\W\d_]+")
"""`1 - `, `02_`: what puts folders in order."""

NOTES = "para"
"""The folder of the notes that are PARA items."""
TYPE = "para-item"
"""Their frontmatter field `type`."""


class Place(NamedTuple):
    """What the folders right in a top-level folder are."""

    category: Category
    status: ItemStatus


_PLACES = {
    "projects": Place(Category.PROJECTS, ItemStatus.ACTIVE),
    "areas": Place(Category.AREAS, ItemStatus.ACTIVE),
    "resources": Place(Category.RESOURCES, ItemStatus.ACTIVE),
    "archive": Place(Category.RESOURCES, ItemStatus.ARCHIVED),
    "archives": Place(Category.RESOURCES, ItemStatus.ARCHIVED),
}


def place_of(folder: str) -> Place | None:
    """What a top-level folder of this name holds; None when it is none of PARA's."""
    return _PLACES.get(_ORNAMENT.sub("", folder).strip().casefold())
