"""What becomes of links when a note goes elsewhere, asked before it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.index.building import markdown, put, recorded, whole, wiki

from trilith.index.catalog.catalog import SqliteCatalog
from trilith.model.note import Entry, LinkKind, Status
from trilith.ports.catalog import Reference, ScanState


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    opened = SqliteCatalog(tmp_path / "catalog.db")
    yield opened
    opened.close()


def moved(catalog: SqliteCatalog, path: str, to: str, title: str | None = None) -> Entry:
    entry = catalog.by_path(path, whole())
    assert entry is not None
    metadata = replace(entry.metadata, title=title or entry.metadata.title)
    return replace(entry, path=to, metadata=metadata)


def drawn(catalog: SqliteCatalog, path: str, to: str, title: str | None = None) -> set[tuple[str, str, str]]:
    """(path of the note, how the link is written, where it leads)"""
    found = catalog.drawn(moved(catalog, path, to, title))
    entries = catalog.entries({each.source for each in found})
    return {(entries[each.source].path, each.target, each.leads_to) for each in found}


def test_links_by_path_are_drawn_and_those_by_other_names_are_not(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("d/old.md", title="Title", aliases=("alias",)))
    put(catalog, recorded("a.md", links=(*wiki("old", "d/old", "Title", "ALIAS", "none"), *markdown("d/old.md"))))
    assert drawn(catalog, "d/old.md", "new.md") == {("a.md", each, "d/old.md") for each in ("old", "d/old", "d/old.md")}


def test_a_title_that_came_from_the_name_goes_with_it(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("old.md", title="v1: old"))
    put(catalog, recorded("a.md", links=wiki("v1: old")))
    assert drawn(catalog, "old.md", "new.md") == set()
    assert drawn(catalog, "old.md", "new.md", "new") == {("a.md", "v1: old", "old.md")}


def test_links_that_the_note_would_draw_away_are_told(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("x/new.md"), recorded("old.md"), recorded("d/t.md", title="Far"))
    put(catalog, recorded("a.md", links=wiki("new", "Far", "x/new")))
    assert drawn(catalog, "old.md", "new.md") == {("a.md", "new", "x/new.md")}
    assert drawn(catalog, "old.md", "z/new.md") == set(), "x/new.md is still the first by path"
    assert drawn(catalog, "old.md", "far.md") == {("a.md", "Far", "d/t.md")}


def test_a_note_that_leaves_a_folder_no_longer_is_the_nearest(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("a/todo.md"), recorded("b/todo.md", links=wiki("todo")))
    put(catalog, recorded("b/x.md", links=(*wiki("todo", "./todo"), *markdown("todo.md", "../a/todo.md"))))
    own = {("b/x.md", each, "b/todo.md") for each in ("todo", "./todo", "todo.md")}
    assert drawn(catalog, "b/x.md", "x.md") == own | {("b/x.md", "../a/todo.md", "a/todo.md")}
    assert drawn(catalog, "b/x.md", "b/y.md") == set()
    assert drawn(catalog, "b/todo.md", "c/todo.md") == own | {("b/todo.md", "todo", "b/todo.md")}


def test_attachments_count_as_seen_from_the_folder(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("d/x.md", links=markdown("media/pic.png", "/d/media/pic.png", "gone.png")))
    catalog.record_scan("lib", ScanState(), frozenset({"d/media/pic.png"}))
    assert drawn(catalog, "d/x.md", "e/x.md") == {("d/x.md", "media/pic.png", "d/media/pic.png")}


def test_a_dismissed_note_draws_nothing(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("old.md", status=Status.DISMISSED), recorded("a.md", links=wiki("old")))
    assert drawn(catalog, "old.md", "new.md") == set()


def test_a_name_is_unique_once_all_has_moved(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("old.md", title="one"), recorded("x/new.md", title="two"), recorded("y.md", title="third"))
    catalog.record_scan("lib", ScanState(), frozenset({"z/pic.png", "third"}))
    for to, name, unique in (
        ("new.md", "new", False),
        ("third/new.md", "third/new", True),
        ("other.md", "other", True),
        ("other.md", "old", False),
        ("other.md", "x/new", True),
        ("third.md", "third", False),
        ("other.md", "pic.png", True),
        ("other.md", "y", True),
    ):
        assert catalog.is_unique(name, moved(catalog, "old.md", to)) is unique, (to, name)


def test_links_that_others_answer_to_first_go_astray(catalog: SqliteCatalog) -> None:
    nums = put(catalog, recorded("old.md"), recorded("x/new.md"), recorded("d/a.md"))
    after = moved(catalog, "old.md", "d/new.md", "new")

    def link(target: str, leads_to: str = "d/new.md", source: str = "d/a.md") -> Reference:
        return Reference(source=nums[source], kind=LinkKind.WIKI, target=target, leads_to=leads_to)

    right = [link("new"), link("d/new"), link("x/new", "x/new.md"), link("./new", source="old.md"), link("a", "d/a.md")]
    wrong = [link("old"), link("new", "x/new.md"), link("none")]
    assert catalog.astray(after, [*right, *wrong]) == tuple(wrong)
    assert catalog.astray(after, []) == ()
