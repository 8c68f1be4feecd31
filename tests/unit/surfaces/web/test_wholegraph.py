"""All notes and their links, as numbers and lists."""

from __future__ import annotations

from datetime import UTC, datetime

from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Metadata
from trilith.surfaces.web.views.wholegraph import COLOURS, hubs, orphans, whole

THEN = datetime(2026, 3, 18, tzinfo=UTC)


def entry(num: int, path: str, *tags: str, library: str = "l") -> Entry:
    return Entry(
        num=Num(num),
        id=NoteId(f"id{num}"),
        library=library,
        path=path,
        checksum="",
        size=1,
        metadata=Metadata(title=path.rpartition("/")[2], tags=tags),
        created_at=THEN,
        updated_at=THEN,
    )


ENTRIES = (
    entry(7, "a/x", "T/one"),
    entry(3, "a/y", "t", "u"),
    entry(9, "b/c/z", "u"),
    entry(4, "top"),
    entry(5, "b/w"),
)
NEAR = {Num(7): (Num(3), Num(9)), Num(3): (Num(7),), Num(9): (Num(7), Num(99))}


def test_links_are_counted_once_and_lead_to_what_is_drawn() -> None:
    graph = whole(ENTRIES, NEAR, several=False)
    assert graph.edges == ((0, 1), (0, 2))
    assert [node[4] for node in graph.nodes] == [2, 1, 1, 0, 0]
    assert graph.folders == ("a", "b", "")
    assert [node[2] for node in graph.nodes] == [0, 0, 1, 2, 1]
    assert graph.tags[:2] == ("t", "u")
    assert [node[3] for node in graph.nodes] == [0, 0, 1, -1, -1]


def test_hubs_and_orphans() -> None:
    graph = whole(ENTRIES, NEAR, several=False)
    assert next((each.title, each.links, each.href) for each in hubs(graph)) == ("x", 2, "/note/id7")
    assert [each.title for each in orphans(graph)] == ["top", "w"]
    assert hubs(whole((), {}, several=False)) == orphans(whole((), {}, several=False)) == ()


def test_of_several_libraries_each_has_its_colour_and_of_many_folders_the_largest() -> None:
    graph = whole((entry(1, "a/x"), entry(2, "a/y", library="m")), {}, several=True)
    assert graph.folders == ("l", "m")
    many = whole([entry(n, f"f{n}/x") for n in range(COLOURS + 3)], {}, several=False)
    assert len(many.folders) == COLOURS
    assert [node[2] for node in many.nodes][-1] == -1
