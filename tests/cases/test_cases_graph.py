"""Faults from the field: links, the graph, and what the catalog answers about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.index.building import DAY, drop, id_of, markdown, passing, paths_of, put, recorded, whole, wiki

from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.model.ids import NoteId, Num
from trilith.model.note import Link, LinkKind, Problem
from trilith.model.query import Filter, Listing
from trilith.ports.catalog import CatalogBatch, NameKind, ScanState
from trilith.search.neighbourhood import depths


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    opened = SqliteCatalog(tmp_path / "catalog.db")
    yield opened
    opened.close()


class Links:
    """What the links of one note lead to."""

    def __init__(self, catalog: SqliteCatalog, num: Num) -> None:
        self.found = SqlGraph(catalog).outgoing(num, whole())
        self.targets = [None if each.target is None else paths_of(catalog, [each.target])[0] for each in self.found]


def from_note(catalog: SqliteCatalog, links: tuple[Link, ...], path: str = "from.md") -> Links:
    known = catalog.known_files("lib").get(path)
    num = put(catalog, recorded(path, links=links, num=known and known.num))[path]
    return Links(catalog, num)


def test_l02_heading_and_block_fragments(catalog: SqliteCatalog) -> None:
    """A link to a heading or block is an edge to the note, the fragment apart; `[[#Here]]` is a self reference."""
    put(catalog, recorded("A.md"))
    fragments = ("Part", "Part#Sub", "#Sub", "^b1")
    links = (
        *(Link(LinkKind.WIKI, "A", fragment, start=n) for n, fragment in enumerate(fragments)),
        Link(LinkKind.WIKI, "", "Here", start=10),
        Link(LinkKind.MARKDOWN, "A.md", "part", "t", 11),
    )
    found = from_note(catalog, links)
    assert found.targets == ["A.md"] * 4 + ["from.md", "A.md"]
    assert [each.link.fragment for each in found.found] == [*fragments, "Here", "part"]
    assert catalog.link_problems("lib") == ()


def test_l05_aliases_resolve_a_bare_link(catalog: SqliteCatalog) -> None:
    """An alias resolves last, whatever its case; a real note always wins; two owners are ambiguous."""
    num = put(catalog, recorded("lang.md", aliases=("JS",)))["lang.md"]
    found = from_note(catalog, wiki("js")).found[0]
    assert (found.target, found.via) == (num, NameKind.ALIAS)
    put(catalog, recorded("other.md", aliases=("Js",)))
    assert len(from_note(catalog, wiki("JS")).found[0].candidates) == 2
    put(catalog, recorded("x/titled.md", title="JS"))
    assert from_note(catalog, wiki("JS")).targets == ["x/titled.md"]
    put(catalog, recorded("deep/in/js.md"))
    found = from_note(catalog, wiki("JS")).found[0]
    assert (paths_of(catalog, [found.target or 0]), found.via) == (["deep/in/js.md"], NameKind.STEM)
    assert found.candidates == ()


def test_l06_same_stem_in_two_folders(catalog: SqliteCatalog) -> None:
    """Same folder, then fewest segments, then by path; and the ambiguity is reported with all candidates."""
    put(catalog, recorded("a/todo.md"), recorded("b/todo.md"), recorded("a/a/todo.md"))
    assert from_note(catalog, wiki("todo"), "b/x.md").targets == ["b/todo.md"]
    assert from_note(catalog, wiki("todo"), "c/x.md").targets == ["a/todo.md"]
    problems = {each.path: each.problem for each in catalog.link_problems("lib")}
    assert problems["c/x.md"] == Problem(
        "ambiguous_link", "[[todo]] may be a/todo.md, b/todo.md, a/a/todo.md; a/todo.md is taken"
    )
    assert catalog.counts(whole(), DAY).ambiguous_links == 2
    assert [each.kind for each in catalog.named("todo", whole())] == [NameKind.STEM] * 3 + [NameKind.TITLE] * 3


def test_l07_suffix_is_not_a_match(catalog: SqliteCatalog) -> None:
    """Names match on whole segments only."""
    put(catalog, recorded("another-todo.md"), recorded("SYNTAX.md"), recorded("my/notes/x.md"))
    assert from_note(catalog, wiki("todo", "NTAX", "tes/x", "notes/x", "y/notes/x")).targets == [
        None,
        None,
        None,
        "my/notes/x.md",
        None,
    ]
    assert catalog.named("NTAX.md", whole()) == ()
    assert catalog.by_path("NTAX.md", whole()) is None


def test_l09_attachments(catalog: SqliteCatalog) -> None:
    """Links to files are attachment references, not missing notes; a missing file is reported as such."""
    files = frozenset({"img/Pic.png", "Doc.pdf", "docs/papers/x.pdf", "docs/x.pdf", "LICENSE"})
    catalog.record_scan("lib", ScanState(), files)
    links = (
        Link(LinkKind.EMBED, "pic.png", start=0),
        Link(LinkKind.WIKI, "Doc.pdf", "page=3", start=1),
        *(Link(LinkKind.MARKDOWN, target, start=2) for target in ("papers/x.pdf", "x.pdf", "../LICENSE", "gone.py")),
        Link(LinkKind.EMBED, "gone.png", start=3),
        Link(LinkKind.WIKI, "Vue.js", start=4),
    )
    found = from_note(catalog, links, "docs/n.md").found
    assert [each.attachment for each in found] == [
        "img/Pic.png",
        "Doc.pdf",
        "docs/papers/x.pdf",
        "docs/x.pdf",
        "LICENSE",
        None,
        None,
        None,
    ]
    assert [each.problem.code for each in catalog.link_problems("lib")] == [
        "missing_attachment",
        "missing_attachment",
        "unresolved_link",
    ]
    counts = catalog.counts(whole(), DAY)
    assert (counts.missing_attachments, counts.unresolved_links) == (2, 1)
    catalog.record_scan("lib", ScanState(), files - {"Doc.pdf"} | {"gone.png"})
    found = Links(catalog, catalog.known_files("lib")["docs/n.md"].num).found
    assert (found[1].attachment, found[6].attachment) == (None, "gone.png")


def test_l13_non_ascii_and_numeric_targets(catalog: SqliteCatalog) -> None:
    """All of them are links; `[[1]]` without such a note is unresolved, not an error."""
    names = ("知识库", "2026-03-18", "Über", "1984")
    put(catalog, *(recorded(f"{name}.md") for name in names))
    assert from_note(catalog, wiki(*names, "1")).targets == [*(f"{name}.md" for name in names), None]


def test_l14_nfc_and_nfd(catalog: SqliteCatalog) -> None:
    """A name on disk in NFD is found in NFC, by link, name, path and filter, and stays as it is; Hangul too."""
    paths = ("cafe\u0301/re\u0301sume\u0301.md", "\u1112\u1161\u11ab\u1100\u1173\u11af.md")
    put(catalog, *(recorded(path) for path in paths))
    assert from_note(catalog, wiki("Résumé", "한글")).targets == list(paths)
    assert catalog.by_path("café/résumé.md", whole()).path == paths[0]  # type: ignore[union-attr]
    assert {each.num for each in catalog.named("한글", whole())} == {catalog.known_files("lib")[paths[1]].num}
    assert passing(catalog, Filter(scopes=whole().scopes, path_prefix="CAFÉ")) == [paths[0]]


def test_l15_case(catalog: SqliteCatalog) -> None:
    """Links fold case, paths stay as on disk, and on a case-sensitive disk both files are notes."""
    put(catalog, recorded("README.md"), recorded("Finance/a.md"), recorded("finance/a.md"))
    found = from_note(catalog, wiki("readme", "finance/A"))
    assert found.targets == ["README.md", "Finance/a.md"]
    assert paths_of(catalog, found.found[1].candidates) == ["Finance/a.md", "finance/a.md"]
    assert {"Finance/a.md", "finance/a.md"} <= set(passing(catalog, whole()))


def test_l18_delete_leaves_ghost_relations(catalog: SqliteCatalog) -> None:
    """A link to a deleted note is unresolved at once, and resolves again when the note is back."""
    num = put(catalog, recorded("b.md"))["b.md"]
    source = put(catalog, recorded("a.md", links=wiki("b")))["a.md"]
    drop(catalog, num)
    assert Links(catalog, source).targets == [None]
    assert SqlGraph(catalog).neighbours([source], whole()) == {source: ()}
    assert catalog.entries([num]) == {}
    assert catalog.counts(whole(), DAY).unresolved_links == 1
    put(catalog, recorded("b.md"))
    assert Links(catalog, source).targets == ["b.md"]


def test_l19_forward_reference(catalog: SqliteCatalog) -> None:
    """A link to a note that is not there yet resolves when it appears, under whatever name."""
    source = put(catalog, recorded("a.md", links=(*wiki("b", "t", "s"), *markdown("sub/c.md"))))["a.md"]
    assert Links(catalog, source).targets == [None] * 4
    put(catalog, recorded("x/b.md", title="T", aliases=("S",)), recorded("sub/c.md"))
    assert Links(catalog, source).targets == ["x/b.md"] * 3 + ["sub/c.md"]


def test_l20_cycles_self_links_hubs(catalog: SqliteCatalog) -> None:
    """A walk ends, meets each note once at its least depth, leaves the start out, and is the same every time."""
    spokes = [f"s{n:04}" for n in range(2000)]
    notes = [recorded(f"{name}.md", links=wiki("hub")) for name in spokes]
    ring = [recorded(f"{a}.md", links=wiki(b, a)) for a, b in (("a", "b"), ("b", "c"), ("c", "a"))]
    nums = put(catalog, recorded("hub.md", links=wiki("a", "hub", *spokes)), *notes, *ring)
    graph = SqlGraph(catalog)

    def walk(start: str, deepest: int) -> dict[Num, int]:
        return depths(nums[f"{start}.md"], lambda near: graph.neighbours(near, whole()), deepest)

    found = walk("a", 3)
    assert nums["a.md"] not in found
    assert {name: found[nums[f"{name}.md"]] for name in ("b", "c", "hub", "s0000", "s1999")} == {
        "b": 1,
        "c": 1,
        "hub": 1,
        "s0000": 2,
        "s1999": 2,
    }
    assert list(found) == list(walk("a", 3))
    assert len(found) == 2003
    assert len(walk("a", 1)) == 3
    assert len(graph.incoming(nums["hub.md"], whole())) == 2000


def test_l22_orphans(catalog: SqliteCatalog) -> None:
    """No inbound, no outbound, and neither are told apart; links to itself or to nowhere do not count."""
    put(catalog, recorded("a.md", links=wiki("b")), recorded("b.md"), recorded("c.md", links=wiki("c", "gone")))
    orphans = SqlGraph(catalog).orphans(whole())
    assert paths_of(catalog, orphans.no_inbound) == ["a.md", "c.md"]
    assert paths_of(catalog, orphans.no_outbound) == ["b.md", "c.md"]
    assert paths_of(catalog, orphans.neither) == ["c.md"]


def test_p16_tag_wildcard_characters(catalog: SqliteCatalog) -> None:
    """A tag filter matches its characters exactly."""
    put(catalog, recorded("1", tags=("a*b",)), recorded("2", tags=("a_b",)), recorded("3", tags=("axb",)))
    for tag, path in (("a*b", "1"), ("a_b", "2"), ("A%b", None)):
        assert passing(catalog, Filter(scopes=whole().scopes, tags=(tag,))) == ([path] if path else [])


def test_p17_duplicate_identity_after_copy(catalog: SqliteCatalog) -> None:
    """Both files stay findable: the older keeps its id, the copy has another, and the warning names both."""
    message = "n copy.md declares the id of n.md"
    put(catalog, recorded("n.md"))
    put(catalog, recorded("n copy.md", problems=(Problem("duplicate_id", message),)))
    assert set(passing(catalog, whole())) == {"n copy.md", "n.md"}
    assert catalog.by_id(id_of("n.md"), whole()).path == "n.md"  # type: ignore[union-attr]
    assert [each.problem.message for each in catalog.problems("lib")] == [message]
    with pytest.raises(ValueError, match="one id"):
        put(catalog, recorded("n copy 2.md", note_id=id_of("n.md")))


def test_z04_many_ids_in_one_operation(catalog: SqliteCatalog) -> None:
    """50,000 ids in one operation work."""
    many = 50_000
    put(catalog, recorded("hub.md", links=wiki("1", "2")), *(recorded(f"{n}.md", links=wiki("hub")) for n in range(50)))
    nums = [Num(n) for n in range(1, many + 1)]
    assert len(catalog.entries(nums)) == 51
    assert len(catalog.chunk_counts(nums)) == 51
    assert catalog.chunk_texts([(num, 0) for num in nums]) == {}
    near = SqlGraph(catalog).neighbours(nums, whole())
    assert (len(near), len(near[Num(1)])) == (many, 50)
    assert len(from_note(catalog, wiki(*(f"t{n}" for n in range(many)))).found) == many
    catalog.record("lib", CatalogBatch(drop=tuple(nums)))
    assert catalog.page(Listing(filter=whole())).total == 0


def test_s25_property_filter(catalog: SqliteCatalog) -> None:
    """Equality, list membership and dotted keys, without a query; `"0"` is not `0`."""
    put(
        catalog,
        recorded("1", extra={"status": "doing", "n": 0, "l": ["x", "y"]}),
        recorded("2", extra={"n": "0", "a": {"b": {"c": 3}}}),
    )

    def found(**where: object) -> list[str]:
        return passing(catalog, Filter(scopes=whole().scopes, where=where))

    assert found(status="doing") == ["1"]
    assert found(l="y") == ["1"]
    assert found(**{"a.b.c": 3}) == ["2"]
    assert (found(n=0), found(n="0")) == (["1"], ["2"])


def test_links_that_lead_out_of_the_vault_lead_nowhere(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("secret.md"), recorded("a/b.md"))
    found = from_note(catalog, (*wiki("../../b"), *markdown("../../secret.md", "../secret.md", "/secret.md")), "a/n.md")
    assert found.targets == [None, None, "secret.md", "secret.md"]


def test_ids_and_numbers_are_no_sql(catalog: SqliteCatalog) -> None:
    put(catalog, recorded("a'; DROP TABLE notes; --.md", tags=("x' OR '1'='1",)))
    assert len(catalog.named("a'; DROP TABLE notes; --", whole())) == 3
    assert catalog.by_id(NoteId("' OR 1=1 --"), whole()) is None
    assert passing(catalog, Filter(scopes=whole().scopes, tags=("x' or '1'='1",))) == ["a'; DROP TABLE notes; --.md"]
