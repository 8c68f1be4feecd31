"""Items that are notes, and items that are folders."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.unit.index.building import DAY, put, recorded, seen_by, whole

from trilith.index.catalog.catalog import SqliteCatalog
from trilith.model.ids import derive_id
from trilith.model.note import Status, Visibility
from trilith.model.para import Category, ItemStatus, ParaItem
from trilith.model.query import Filter, Listing
from trilith.para.belonging import items_of
from trilith.para.items import Items
from trilith.ports.catalog import CatalogBatch, Recorded


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    catalog = SqliteCatalog(tmp_path / "catalog.db")
    yield catalog
    catalog.close()


def note(path: str, status: Status = Status.RAW, title: str = "", **extra: object) -> Recorded:
    return recorded(path, status=status, title=title or path, extra={"type": "para-item", **extra})


def by_slug(catalog: SqliteCatalog, filter: Filter | None = None) -> dict[str, ParaItem]:
    return {item.slug: item for item in Items(catalog).all(filter or whole())}


def test_a_note_is_an_item_by_its_type_and_its_place(catalog: SqliteCatalog) -> None:
    put(
        catalog,
        note("para/site.md", title="Site", category="projects", description="New", deadline="2026-06-30"),
        note("Para/deep/old.md", Status.ARCHIVED, category="areas"),
        note("para/odd.md", category="archive", slug=7, description=["x"]),
        note("para/gone.md", Status.DISMISSED),
        note("elsewhere/para/x.md"),
        recorded("para/plain.md"),
    )
    found = by_slug(catalog)
    assert set(found) == {"site", "old", "7"}
    site = found["site"]
    assert (site.label, site.category, site.status) == ("Site", Category.PROJECTS, ItemStatus.ACTIVE)
    assert (site.description, site.deadline, site.folder) == ("New", "2026-06-30", None)
    assert (found["old"].category, found["old"].status) == (Category.AREAS, ItemStatus.ARCHIVED)
    assert (found["7"].category, found["7"].description) == (Category.RESOURCES, None)
    assert {entry.path for entry in Items(catalog).notes(whole())} == {
        "para/site.md",
        "Para/deep/old.md",
        "para/odd.md",
    }


def test_folders_are_items_and_active_ones_keep_the_plain_slug(catalog: SqliteCatalog) -> None:
    paths = ("Archive/Site/a", "Projects/Site/deep/b", "2 Areas/Site/c", "Projects/loose", "Other/Site/d", "top")
    put(catalog, *(recorded(path, day=day) for day, path in enumerate(paths)))
    found = by_slug(catalog)
    assert {(slug, item.folder, item.category, item.status) for slug, item in found.items()} == {
        ("site", "Projects/Site", Category.PROJECTS, ItemStatus.ACTIVE),
        ("site-areas", "2 Areas/Site", Category.AREAS, ItemStatus.ACTIVE),
        ("site-resources", "Archive/Site", Category.RESOURCES, ItemStatus.ARCHIVED),
    }
    assert all(item.id == derive_id("lib", str(item.folder)) and item.label == "Site" for item in found.values())
    assert Items(catalog).dated(whole(), found["site"]).created_at == DAY + timedelta(days=1)


def test_a_note_speaks_for_the_folder_that_it_names(catalog: SqliteCatalog) -> None:
    put(
        catalog,
        recorded("Archive/Old site/a"),
        recorded("Projects/New/b"),
        note("para/old.md", title="The old one", folder="archive/old SITE/", category="projects"),
        note("para/new.md", status=Status.ARCHIVED, folder="Projects/New"),
    )
    found = by_slug(catalog)
    assert {slug: (item.category, item.status) for slug, item in found.items()} == {
        "old": (Category.PROJECTS, ItemStatus.ARCHIVED),
        "new": (Category.PROJECTS, ItemStatus.ARCHIVED),
    }


def test_active_in_a_note_brings_an_archived_folder_back(catalog: SqliteCatalog) -> None:
    entry = recorded("para/old.md", extra={"type": "para-item", "folder": "Archive/Old", "status": "active"})
    put(catalog, recorded("Archive/Old/a"), entry)
    assert by_slug(catalog)["old"].status is ItemStatus.ACTIVE


def test_members_name_an_item_or_lie_in_its_folder(catalog: SqliteCatalog) -> None:
    put(
        catalog,
        note("para/site.md"),
        recorded("Projects/Garden/a.md", para=("site",)),
        recorded("projects/garden/deep/b.md"),
        recorded("Projects/Garden 2.md"),
    )
    items = Items(catalog).all(whole())
    found = {
        entry.path: {item.slug for item in items_of(entry, items)}
        for entry in catalog.page(Listing(filter=whole())).entries
    }
    assert found == {
        "para/site.md": set(),
        "Projects/Garden/a.md": {"site", "garden"},
        "projects/garden/deep/b.md": {"garden"},
        "Projects/Garden 2.md": set(),
    }


def test_only_what_the_caller_may_see_makes_an_item(catalog: SqliteCatalog) -> None:
    put(
        catalog,
        recorded("Projects/Open/a", visibility=Visibility.PUBLIC),
        recorded("Projects/Shut/b"),
        note("para/secret.md"),
    )
    assert set(by_slug(catalog)) == {"open", "shut", "secret"}
    assert set(by_slug(catalog, seen_by(""))) == {"open"}
    assert set(by_slug(catalog, seen_by(None, "Projects/Open", "para"))) == {"shut"}


def test_items_of_several_libraries_are_apart(catalog: SqliteCatalog) -> None:
    for library in ("lib", "other"):
        catalog.record(library, CatalogBatch(put=(recorded("Projects/Site/a", note_id=derive_id(library, "a")),)))
    items = Items(catalog).all(whole("lib", "other"))
    assert [(item.library, item.slug) for item in items] == [("lib", "site"), ("other", "site")]
    assert items[0].id != items[1].id
