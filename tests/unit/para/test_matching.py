"""Which item a folder of somebody's work is about."""

from __future__ import annotations

import pytest

from trilith.model.ids import derive_id
from trilith.model.para import Category, ItemStatus, ParaItem
from trilith.para.matching import matched


def item(slug: str, label: str = "", status: ItemStatus = ItemStatus.ACTIVE) -> ParaItem:
    return ParaItem(
        id=derive_id("lib", slug),
        library="lib",
        category=Category.PROJECTS,
        slug=slug,
        label=label or slug,
        status=status,
    )


ITEMS = (
    item("site-relaunch", "Site relaunch"),
    item("loombrain", "The knowledge graph"),
    item("tax-2025"),
    item("tax-2026"),
    item("old-garden", status=ItemStatus.ARCHIVED),
    item("über-uns", "Über uns"),
)


@pytest.mark.parametrize(
    ("place", "slug"),
    [
        ("/home/ann/site-relaunch", "site-relaunch"),
        ("/home/ann/Site_Relaunch/", "site-relaunch"),
        ("C:\\work\\SiteRelaunch\\", "site-relaunch"),
        ("site relaunch", "site-relaunch"),
        ("/home/ann/site-relauch", "site-relaunch"),
        ("/x/the-knowledge-graph", "loombrain"),
        ("/x/tax_2026", "tax-2026"),
        ("/x/tax-2024", None),
        ("/x/über_uns", "über-uns"),
        ("/x/old-garden", None),
        ("/site-relaunch/src", None),
        ("/", None),
        ("   ", None),
        ("", None),
    ],
)
def test_only_a_clear_match_counts(place: str, slug: str | None) -> None:
    found = matched(place, ITEMS)
    assert (found.slug if found else None) == slug


def test_where_there_are_no_items_there_is_no_match() -> None:
    assert matched("/x/site", ()) is None
