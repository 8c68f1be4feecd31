"""Which folders make a PARA vault."""

from __future__ import annotations

import pytest

from trilith.model.para import Category, ItemStatus
from trilith.para.places import place_of


@pytest.mark.parametrize(
    ("folder", "category", "status"),
    [
        ("Projects", Category.PROJECTS, ItemStatus.ACTIVE),
        ("1 - Projects", Category.PROJECTS, ItemStatus.ACTIVE),
        ("02_areas", Category.AREAS, ItemStatus.ACTIVE),
        ("3. Resources", Category.RESOURCES, ItemStatus.ACTIVE),
        ("🗂 RESOURCES", Category.RESOURCES, ItemStatus.ACTIVE),
        ("Archive", Category.RESOURCES, ItemStatus.ARCHIVED),
        ("4 Archives", Category.RESOURCES, ItemStatus.ARCHIVED),
    ],
)
def test_folders_of_para(folder: str, category: Category, status: ItemStatus) -> None:
    assert place_of(folder) == (category, status)


@pytest.mark.parametrize("folder", ["", "1", "para", "My Projects", "Projects old", "Side projects", "Archived"])
def test_other_folders(folder: str) -> None:
    assert place_of(folder) is None
