"""How a note is connected with those one link away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.index.building import id_of, put, recorded, seen_by, whole, wiki

from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.model.note import Link, LinkKind, Status
from trilith.model.query import Filter
from trilith.notes.relations import Relations


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    catalog = SqliteCatalog(tmp_path / "catalog.db")
    put(
        catalog,
        recorded(
            "a.md",
            links=(*wiki("b", "b", "c", "a", "nowhere"), typed("next", "c"), typed("own", "b")),
            derived_from_ids=(id_of("d.md"), id_of("unknown")),
        ),
        recorded("b.md", links=(typed("next", "a"), *wiki("a"))),
        recorded("c.md"),
        recorded("d.md", links=wiki("a")),
        recorded("e.md", derived_from_ids=(id_of("a.md"),)),
        recorded("shut/s.md", links=wiki("c")),
        recorded("gone.md", status=Status.DISMISSED, links=wiki("a")),
    )
    yield catalog
    catalog.close()


def typed(relation: str, target: str) -> Link:
    return Link(LinkKind.TYPED, target, relation=relation)


def relations(catalog: SqliteCatalog, path: str, filter: Filter | None = None) -> list[tuple[str, str, str]]:
    chosen = filter or whole()
    entry = catalog.by_path(path, chosen)
    assert entry is not None
    found, more = Relations(catalog, SqlGraph(catalog)).of(entry, chosen)
    assert not more
    return [(each.entry.path, each.kind, "out" if each.outgoing else "in") for each in found]


def test_each_kind_once_typed_links_first_and_outgoing_first(catalog: SqliteCatalog) -> None:
    assert relations(catalog, "a.md") == [
        ("c.md", "next", "out"),
        ("b.md", "own", "out"),
        ("d.md", "derived_from", "out"),
        ("b.md", "next", "in"),
        ("e.md", "derived_from", "in"),
        ("b.md", "mentions", "out"),
        ("c.md", "mentions", "out"),
        ("d.md", "mentions", "in"),
    ]


def test_a_link_is_seen_from_its_other_end(catalog: SqliteCatalog) -> None:
    ends = [("a.md", "next", "in"), ("a.md", "mentions", "in"), ("shut/s.md", "mentions", "in")]
    assert relations(catalog, "c.md") == ends
    assert relations(catalog, "c.md", seen_by(None, "shut")) == ends[:2], "what may not be seen is no relation"


def test_a_hub_shows_some_and_says_that_there_are_more(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("hub.md"), *(recorded(f"n{number:03}.md", links=wiki("hub")) for number in range(201)))
    hub = catalog.by_path("hub.md", whole())
    assert hub is not None
    found, more = Relations(catalog, SqlGraph(catalog)).of(hub, whole())
    assert (len(found), found[0].entry.path, more) == (200, "n000.md", True)
