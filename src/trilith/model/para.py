"""PARA (projects, areas, resources, archive; Tiago Forte): what notes are for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trilith.model.ids import NoteId
from trilith.model.note import Entry
from trilith.model.query import Membership


class Category(StrEnum):
    PROJECTS = "projects"
    AREAS = "areas"
    RESOURCES = "resources"


class ItemStatus(StrEnum):
    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParaItem:
    """A project, an area or a resource. It is a note of type `para-item`, a folder, or a folder with such a note."""

    id: NoteId
    library: str
    category: Category
    slug: str
    label: str
    description: str | None = None
    deadline: str | None = None
    """As written: an ISO 8601 date, mostly."""
    status: ItemStatus = ItemStatus.ACTIVE
    created_at: datetime | None = None
    """None for a folder without a note of its own."""
    folder: str | None = None
    entry: Entry | None = None
    """The note; None for a folder that has none yet."""

    @property
    def members(self) -> Membership:
        return Membership(self.slug, self.folder)
