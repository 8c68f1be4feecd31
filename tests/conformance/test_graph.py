"""The suite of `Graph`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.unit.index.building import drop, id_of, markdown, paths_of, put, recorded, seen_by, stamp, whole, wiki

from trilith.index.catalog.catalog import SqlCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.model.ids import Num
from trilith.model.note import Link, LinkKind, Status, Visibility
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog, CatalogBatch, NameKind, ScanState
from trilith.ports.graph import Graph, ResolvedLink


@pytest.fixture
def catalog(another: Callable[[], SqlCatalog]) -> SqlCatalog:
    return another()


@pytest.fixture
def graph(catalog: SqlCatalog) -> Graph:
    return SqlGraph(catalog)


def targets(catalog: Catalog, links: tuple[ResolvedLink, ...]) -> list[str | None]:
    return [None if link.target is None else paths_of(catalog, [link.target])[0] for link in links]


def test_unknown_notes_have_no_links(graph: Graph) -> None:
    assert graph.outgoing(Num(1), whole()) == ()
    assert graph.incoming(Num(1), whole()) == ()
    assert graph.neighbours([Num(1)], whole()) == {1: ()}
    assert graph.derived(id_of("a"), whole()) == ()
    assert graph.orphans(whole()).neither == ()


def test_links_are_given_back_as_written_in_order_of_appearance_frontmatter_last(
    catalog: SqlCatalog, graph: Graph
) -> None:
    typed = Link(LinkKind.TYPED, str(id_of("b.md")), relation="next")
    above = Link(LinkKind.WIKI, "b", text="in frontmatter")
    first = Link(LinkKind.MARKDOWN, "b.md", "part", "text", 3, 20)
    then = Link(LinkKind.EMBED, "c", None, None, 30, 36)
    nums = put(catalog, recorded("a.md", links=(typed, above, then, first)), recorded("b.md"))
    found = graph.outgoing(nums["a.md"], whole())
    assert [each.link for each in found] == [first, then, typed, above]
    assert targets(catalog, found) == ["b.md", None, "b.md", "b.md"]
    assert [each.via for each in found] == [NameKind.PATH, None, NameKind.ID, NameKind.PATH]
    assert all(each.candidates == () and each.attachment is None for each in found)


def test_ambiguous_links_name_their_candidates_the_chosen_one_first(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("n.md", links=wiki("todo")),
        recorded("z/y/todo.md"),
        recorded("z/n.md", links=wiki("todo")),
        recorded("b/todo.md"),
        recorded("z/todo.md"),
    )
    (found,) = graph.outgoing(nums["n.md"], whole())
    assert paths_of(catalog, found.candidates) == ["b/todo.md", "z/todo.md", "z/y/todo.md"]
    assert (found.target, found.via) == (nums["b/todo.md"], NameKind.STEM)
    (found,) = graph.outgoing(nums["z/n.md"], whole())
    assert paths_of(catalog, found.candidates) == ["z/todo.md", "b/todo.md", "z/y/todo.md"]


def test_links_between_two_notes_are_those_of_all_that_lead_there(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("n.md", links=(*wiki("todo", "b", "z/todo", "b"), *markdown("a/todo.md"))),
        recorded("a/todo.md"),
        recorded("z/todo.md"),
        recorded("b.md"),
    )
    for filter in (whole(), seen_by(None, "a")):
        found = graph.outgoing(nums["n.md"], filter)
        for path, target in nums.items():
            expected = tuple(each.link for each in found if each.target == target)
            assert graph.between(nums["n.md"], target, filter) == expected, path
    assert [link.target for link in graph.between(nums["n.md"], nums["b.md"], whole())] == ["b", "b"]
    assert graph.between(nums["b.md"], nums["n.md"], whole()) == ()


def test_links_that_might_stand_in_a_note_lead_where_they_would_if_they_did(catalog: SqlCatalog, graph: Graph) -> None:
    links = (*wiki("todo", "gone", "", "p.png"), *markdown("../b.md", "b.md"))
    nums = put(
        catalog,
        recorded("n/has.md", links=links),
        recorded("n/not.md"),
        recorded("a/todo.md"),
        recorded("z/todo.md"),
        recorded("b.md"),
    )
    for filter in (whole(), seen_by(None, "a")):
        kept = graph.outgoing(nums["n/has.md"], filter)
        asked = graph.resolved(nums["n/not.md"], links, filter)
        assert [each.link for each in asked] == list(links)
        assert targets(catalog, asked) == [
            path if path != "n/has.md" else "n/not.md" for path in targets(catalog, kept)
        ]
        assert [each.candidates for each in asked] == [each.candidates for each in kept]
    assert graph.resolved(Num(99), links, whole()) == ()


def test_incoming_counts_every_kind_of_link_once_a_note_and_not_the_note_itself(
    catalog: SqlCatalog, graph: Graph
) -> None:
    nums = put(
        catalog,
        recorded("t.md", links=wiki("t", "")),
        recorded("d.md", links=(Link(LinkKind.TYPED, str(id_of("t.md")), relation="related"),)),
        recorded("c.md", links=(Link(LinkKind.EMBED, "t", start=1, end=2),)),
        recorded("b.md", links=markdown("t.md", "t.md#x")),
        recorded("a.md", links=wiki("t", "T")),
        recorded("no.md", links=wiki("no")),
    )
    assert paths_of(catalog, graph.incoming(nums["t.md"], whole())) == ["a.md", "b.md", "c.md", "d.md"]
    assert graph.incoming(nums["no.md"], whole()) == ()


def test_neighbours_are_both_ways(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("a.md", links=wiki("b", "a", "gone")),
        recorded("b.md", links=wiki("c", "a")),
        recorded("c.md"),
    )
    near = graph.neighbours(list(nums.values()), whole())
    assert {paths_of(catalog, [num])[0]: paths_of(catalog, others) for num, others in near.items()} == {
        "a.md": ["b.md"],
        "b.md": ["a.md", "c.md"],
        "c.md": ["b.md"],
    }


def test_derived(catalog: SqlCatalog, graph: Graph) -> None:
    source = id_of("s.md")
    put(
        catalog,
        recorded("s.md"),
        recorded("b.md", derived_from_ids=(source, id_of("x"))),
        recorded("a.md", derived_from_ids=(source,)),
        recorded("secret/c.md", derived_from_ids=(source,)),
    )
    assert paths_of(catalog, graph.derived(source, seen_by(None, "secret"))) == ["a.md", "b.md"]
    assert len(graph.derived(source, whole())) == 3


def test_notes_out_of_sight_do_not_exist(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("n.md", links=wiki("secret", "todo", "open")),
        recorded("private/secret.md", links=wiki("n", "open")),
        recorded("private/todo.md"),
        recorded("work/deep/todo.md"),
        recorded("open.md"),
    )
    agent = seen_by(None, "private")
    found = graph.outgoing(nums["n.md"], agent)
    assert targets(catalog, found) == [None, "work/deep/todo.md", "open.md"]
    assert [each.candidates for each in found] == [(), (), ()]
    assert found[0].via is None
    assert paths_of(catalog, graph.incoming(nums["open.md"], agent)) == ["n.md"]
    assert paths_of(catalog, graph.incoming(nums["work/deep/todo.md"], agent)) == ["n.md"]
    assert graph.incoming(nums["work/deep/todo.md"], whole()) == ()
    assert graph.outgoing(nums["private/secret.md"], agent) == ()
    assert graph.incoming(nums["private/todo.md"], agent) == ()
    assert paths_of(catalog, graph.neighbours([nums["n.md"]], agent)[nums["n.md"]]) == ["open.md", "work/deep/todo.md"]
    assert graph.neighbours([nums["private/secret.md"]], agent) == {nums["private/secret.md"]: ()}
    orphans = graph.orphans(agent)
    assert paths_of(catalog, orphans.no_outbound) == ["open.md", "work/deep/todo.md"]


def test_readers_step_over_public_notes_only(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("a.md", visibility=Visibility.PUBLIC, links=wiki("b", "c", "d")),
        recorded("b.md", visibility=Visibility.PUBLIC),
        recorded("c.md", visibility=Visibility.LINK, links=wiki("b")),
        recorded("d.md", links=wiki("b")),
    )
    reader = seen_by("")
    assert targets(catalog, graph.outgoing(nums["a.md"], reader)) == ["b.md", None, None]
    assert paths_of(catalog, graph.incoming(nums["b.md"], reader)) == ["a.md"]
    assert targets(catalog, graph.outgoing(nums["c.md"], reader)) == ["b.md"], "opened by its id"


def test_dismissed_notes_are_out_of_the_graph_but_keep_their_own_links(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("a.md", links=wiki("b")),
        recorded("b.md", status=Status.DISMISSED, links=wiki("a", "")),
    )
    assert targets(catalog, graph.outgoing(nums["a.md"], whole())) == [None]
    assert graph.incoming(nums["a.md"], whole()) == ()
    assert targets(catalog, graph.outgoing(nums["b.md"], whole())) == ["a.md", "b.md"]
    assert graph.incoming(nums["b.md"], whole()) == ()
    assert graph.orphans(whole()).neither == (nums["a.md"],)


def test_whatever_else_a_filter_asks_for_narrows_the_graph(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog, recorded("a.md", tags=("t",), links=wiki("b", "c")), recorded("b.md", tags=("t",)), recorded("c.md")
    )
    tagged = replace(whole(), tags=("t",))
    assert targets(catalog, graph.outgoing(nums["a.md"], tagged)) == ["b.md", None]
    assert graph.incoming(nums["c.md"], tagged) == ()
    assert graph.outgoing(nums["a.md"], Filter(scopes=())) == ()


def test_links_stay_within_their_library(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(catalog, recorded("a.md", links=wiki("b")))
    other = put(catalog, recorded("b.md"), recorded("a.md", links=wiki("b")), library="other")
    both = whole("lib", "other")
    assert targets(catalog, graph.outgoing(nums["a.md"], both)) == [None]
    assert graph.incoming(other["b.md"], both) == (other["a.md"],)
    assert graph.neighbours([*nums.values(), *other.values()], both) == {
        nums["a.md"]: (),
        other["b.md"]: (other["a.md"],),
        other["a.md"]: (other["b.md"],),
    }


def test_attachments_in_denied_folders_do_not_exist(catalog: SqlCatalog, graph: Graph) -> None:
    catalog.record_scan("lib", ScanState(), frozenset({"private/pic.png", "img/open.png"}))
    nums = put(catalog, recorded("a.md", links=wiki("pic.png", "open.png")))
    assert [each.attachment for each in graph.outgoing(nums["a.md"], whole())] == ["private/pic.png", "img/open.png"]
    denied = graph.outgoing(nums["a.md"], seen_by(None, "private"))
    assert [each.attachment for each in denied] == [None, "img/open.png"]


def test_a_moved_note_looks_at_its_links_anew(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("a/n.md", links=(*wiki("todo"), *markdown("x.md"))),
        recorded("a/x.md"),
        recorded("b/x.md"),
        recorded("a/todo.md"),
        recorded("b/todo.md"),
    )
    assert targets(catalog, graph.outgoing(nums["a/n.md"], whole())) == ["a/todo.md", "a/x.md"]
    catalog.record("lib", CatalogBatch(restamp=((nums["a/n.md"], "b/n.md", stamp()),)))
    assert targets(catalog, graph.outgoing(nums["a/n.md"], whole())) == ["b/todo.md", "b/x.md"]


def test_a_moved_note_is_chosen_otherwise_by_links_to_it(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(catalog, recorded("c/n.md", links=wiki("todo")), recorded("a/todo.md"), recorded("b/todo.md"))

    def led_to() -> list[str]:
        (near,) = graph.neighbours([nums["c/n.md"]], whole()).values()
        assert targets(catalog, graph.outgoing(nums["c/n.md"], whole())) == paths_of(catalog, near)
        return paths_of(catalog, near)

    assert led_to() == ["a/todo.md"]
    catalog.record("lib", CatalogBatch(restamp=((nums["a/todo.md"], "z/y/todo.md", stamp()),)))
    assert led_to() == ["b/todo.md"]
    put(catalog, recorded("c/todo.md", num=nums["a/todo.md"], note_id=id_of("a/todo.md")))
    assert led_to() == ["c/todo.md"]


def test_a_note_that_appears_nearer_is_led_to_at_once(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(catalog, recorded("f/n.md", links=markdown("x.md")), recorded("x.md"))
    assert targets(catalog, graph.outgoing(nums["f/n.md"], whole())) == ["x.md"]
    near = put(catalog, recorded("f/x.md"))["f/x.md"]
    assert targets(catalog, graph.outgoing(nums["f/n.md"], whole())) == ["f/x.md"]
    drop(catalog, near)
    assert targets(catalog, graph.outgoing(nums["f/n.md"], whole())) == ["x.md"]


def test_among_notes_in_sight_the_same_folder_still_comes_first(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(
        catalog,
        recorded("z/y/n.md", links=wiki("todo")),
        *(recorded(path) for path in ("a/todo.md", "private/todo.md", "z/y/todo.md")),
    )
    agent = seen_by(None, "private")
    (found,) = graph.outgoing(nums["z/y/n.md"], agent)
    assert paths_of(catalog, found.candidates) == ["z/y/todo.md", "a/todo.md"]
    assert graph.incoming(nums["z/y/todo.md"], agent) == (nums["z/y/n.md"],)
    assert graph.incoming(nums["a/todo.md"], agent) == ()


def test_orphans(catalog: SqlCatalog, graph: Graph) -> None:
    put(
        catalog,
        recorded("alone.md", links=wiki("alone", "nowhere", "")),
        recorded("from.md", links=wiki("to")),
        recorded("to.md"),
        recorded("x.md", links=wiki("y")),
        recorded("y.md", links=wiki("x")),
    )
    orphans = graph.orphans(whole())
    assert orphans.links == 3
    assert paths_of(catalog, orphans.no_inbound) == ["alone.md", "from.md"]
    assert paths_of(catalog, orphans.no_outbound) == ["alone.md", "to.md"]
    assert paths_of(catalog, orphans.neither) == ["alone.md"]


def test_dropped_notes_leave_the_graph(catalog: SqlCatalog, graph: Graph) -> None:
    nums = put(catalog, recorded("a.md", links=wiki("b")), recorded("b.md", links=wiki("a")))
    drop(catalog, nums["b.md"])
    assert graph.incoming(nums["a.md"], whole()) == ()
    assert targets(catalog, graph.outgoing(nums["a.md"], whole())) == [None]
    assert graph.outgoing(nums["b.md"], whole()) == ()
