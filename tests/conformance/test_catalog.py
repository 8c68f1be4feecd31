"""The suite of `Catalog`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from tests.unit.index.building import (
    DAY,
    drop,
    id_of,
    markdown,
    passing,
    paths_of,
    put,
    recorded,
    seen_by,
    stamp,
    whole,
    wiki,
)

from trilith.index.catalog.catalog import SqlCatalog
from trilith.model.ids import NoteId, Num
from trilith.model.note import Heading, Link, LinkKind, Metadata, Problem, Section, Status, Visibility
from trilith.model.principal import Scope
from trilith.model.query import Filter, Listing, Membership, Sort
from trilith.model.shortid import digest_of
from trilith.ports.catalog import Catalog, CatalogBatch, Delta, Gone, Named, NameKind, ScanState
from trilith.ports.vault import SkippedFile

EVERYTHING = Metadata(
    title="Zoë 知识 \U0001f680",
    author="Ada",
    contributors=("Bob", "Cy"),
    tags=("a/b", "Café"),
    aliases=("Z",),
    summary="short",
    confidence=0.25,
    created_at=datetime(2020, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
    updated_at=datetime(1, 1, 1, tzinfo=UTC),
    version=7,
    source="somewhere",
    source_url="HTTPS://Example.org:443/a/#x",
    derived_from_ids=(id_of("source"),),
    expires_at=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    para=("site",),
    typed_links={"related": (str(id_of("other")),)},
    status=Status.VALIDATED,
    visibility=Visibility.LINK,
    collaborators=("eve",),
    collaborator_notes="between us",
    extra={"b": 1, "a": [1, 1.5, "x", None, True, {"deep": {"er": "0"}}], "empty": {}, "list": []},
)


@pytest.fixture
def catalog(another: Callable[[], SqlCatalog]) -> Catalog:
    return another()


# --- entries


def test_an_empty_catalog_answers(catalog: Catalog) -> None:
    assert catalog.entries([Num(1)]) == {}
    assert catalog.by_id(id_of("a"), whole()) is None
    assert catalog.by_path("a.md", whole()) is None
    assert catalog.named("a", whole()) == ()
    assert catalog.allowed(whole()).total == 0
    assert catalog.page(Listing(filter=whole())).entries == ()
    assert catalog.tag_counts(whole()) == {}
    assert catalog.counts(whole(), DAY).documents == 0
    assert catalog.body(Num(1)) == ""
    assert catalog.chunk_texts([(Num(1), 0)]) == {}
    assert catalog.known_files("lib") == {}
    assert catalog.problems("lib") == catalog.link_problems("lib") == ()
    assert (catalog.sequence("lib"), catalog.vector_sequence("lib")) == (0, 0)
    assert catalog.scan_state("lib") == ScanState()
    assert catalog.full_text_changes("lib", 0, 10).upto == 0
    assert catalog.pending_texts("lib", "m", 10) == []
    assert catalog.pending_count("lib", "m") == 0


def test_an_entry_holds_what_was_recorded(catalog: Catalog) -> None:
    note = recorded("Zoë.md", body="text", day=3)
    note = replace(note, note=replace(note.note, metadata=EVERYTHING))
    num = put(catalog, note)["Zoë.md"]
    entry = catalog.entries([num])[num]
    assert entry.metadata == EVERYTHING
    assert json.dumps(entry.metadata.extra) == json.dumps(EVERYTHING.extra), "order and number types of unknown keys"
    assert (entry.num, entry.id, entry.library, entry.path) == (num, note.id, "lib", "Zoë.md")
    assert (entry.checksum, entry.size) == (note.checksum, 4)
    assert (entry.created_at, entry.updated_at) == (note.created_at, note.updated_at)
    assert catalog.body(num) == "text"
    assert catalog.bodies([num, Num(num + 1)]) == {num: "text"}


def test_metadata_may_be_bare_or_odd(catalog: Catalog) -> None:
    bare = Metadata(title="")
    odd = Metadata(title="half \ud83d", tags=("#",), extra={"": {"": ""}, "nan": math.inf})
    for metadata in (bare, odd):
        note = recorded("a.md")
        num = put(catalog, replace(note, note=replace(note.note, metadata=metadata, body="b\0c\r\nd")))["a.md"]
        entry = catalog.by_path("a.md", whole())
        assert entry is not None
        assert (entry.num, entry.metadata) == (num, metadata)
        assert catalog.body(num) == "b\0c\r\nd"
        drop(catalog, num)


def test_times_are_compared_and_returned_in_utc(catalog: Catalog) -> None:
    east = timezone(timedelta(hours=9))
    put(catalog, replace(recorded("a.md"), updated_at=datetime(2024, 1, 1, 5, tzinfo=east)))
    entry = catalog.by_path("a.md", whole())
    assert entry is not None
    assert entry.updated_at.isoformat() == "2023-12-31T20:00:00+00:00"


def test_a_note_of_more_than_63_bits_of_inode(catalog: Catalog) -> None:
    big = stamp(inode=2**64 - 1)
    num = put(catalog, replace(recorded("a.md"), stamp=big))["a.md"]
    assert catalog.known_files("lib")["a.md"].stamp == big
    catalog.record("lib", CatalogBatch(restamp=((num, "a.md", stamp(inode=2**63)),)))
    assert catalog.known_files("lib")["a.md"].stamp == stamp(inode=2**63)


def test_a_note_recorded_again_keeps_its_number_and_takes_all_else(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md", parts=["one", "two"], tags=("x",), links=wiki("b"), extra={"k": 1}))["a.md"]
    again = recorded("a.md", num=num, parts=["three"], tags=("y",), title="New")
    assert put(catalog, again) == {"a.md": num}
    assert catalog.entries([num])[num].metadata == again.note.metadata
    assert catalog.tag_counts(whole()) == {"y": 1}
    assert catalog.chunk_counts([num]) == {num: 1}
    assert catalog.allowed(replace(whole(), where={"k": 1})).nums.tolist() == []  # type: ignore[union-attr]
    assert catalog.link_problems("lib") == ()


def test_numbers_are_never_used_twice(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md"))["a.md"]
    drop(catalog, num)
    assert put(catalog, recorded("a.md"))["a.md"] != num


def test_a_number_that_is_gone_makes_a_new_note(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md"))["a.md"]
    drop(catalog, num)
    other = put(catalog, recorded("a.md", num=num))["a.md"]
    assert other != num
    assert passing(catalog, whole()) == ["a.md"]


def test_notes_change_places_in_one_batch(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md"), recorded("c.md"))
    batch = CatalogBatch(
        put=(recorded("b.md", num=nums["a.md"], note_id=id_of("a.md")),),
        restamp=((nums["b.md"], "c.md", stamp()), (nums["c.md"], "a.md", stamp())),
    )
    catalog.record("lib", batch)
    found = {path: known.num for path, known in catalog.known_files("lib").items()}
    assert found == {"a.md": nums["c.md"], "b.md": nums["a.md"], "c.md": nums["b.md"]}
    assert catalog.by_id(id_of("b.md"), whole()).path == "c.md"  # type: ignore[union-attr]


def test_a_note_in_the_way_is_gone(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md", note_id=str(id_of("x"))))
    catalog.record("lib", CatalogBatch(restamp=((nums["a.md"], "b.md", stamp()),)))
    assert {path: known.num for path, known in catalog.known_files("lib").items()} == {"b.md": nums["a.md"]}
    assert nums["b.md"] in catalog.full_text_changes("lib", catalog.sequence("lib") - 2, 10).drop


def test_two_notes_of_one_id_are_refused_whole(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"))
    with pytest.raises(ValueError, match="one id or one path"):
        put(catalog, recorded("c.md"), recorded("b.md", note_id=id_of("a.md")))
    assert passing(catalog, whole()) == ["a.md"]


def test_changes_of_unknown_notes_are_no_changes(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"))
    before = catalog.sequence("lib")
    catalog.record("lib", CatalogBatch(drop=(Num(99),), restamp=((Num(98), "z.md", stamp()),)))
    assert catalog.sequence("lib") == before
    assert passing(catalog, whole()) == ["a.md"]


def test_libraries_do_not_touch_each_other(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", links=wiki("b"), tags=("t",)))
    other = put(catalog, recorded("a.md"), recorded("b.md"), library="other")
    drop(catalog, other["a.md"])
    assert passing(catalog, whole()) == ["a.md"]
    assert passing(catalog, whole("other")) == ["a.md", "b.md"]
    assert passing(catalog, whole("lib", "other", "unknown")) == ["a.md", "a.md", "b.md"]
    assert catalog.counts(whole(), DAY).unresolved_links == 1
    catalog.forget_library("other")
    assert passing(catalog, whole("lib", "other")) == ["a.md"]
    assert catalog.known_files("other") == {}


def test_known_files_and_fingerprints(catalog: Catalog) -> None:
    note = replace(recorded("a.md"), stamp=stamp(10, 20, 30, 40))
    num = put(catalog, note)["a.md"]
    known = catalog.known_files("lib")["a.md"]
    assert (known.num, known.id, known.stamp, known.checksum) == (num, note.id, stamp(10, 20, 30, 40), note.checksum)
    assert catalog.known_at("lib", ["a.md", "b.md", "A.md"]) == {"a.md": known}
    assert catalog.known_at("other", ["a.md"]) == {}
    assert catalog.stamps("lib") == {"a.md": known.stamp}
    assert catalog.fingerprints("lib") == {num: note.checksum}


def test_a_touched_note_changes_nothing_but_its_stamp(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md"))["a.md"]
    before = catalog.sequence("lib"), catalog.vector_sequence("lib")
    catalog.record("lib", CatalogBatch(restamp=((num, "a.md", stamp(9, 9, 9, 9)),)))
    assert catalog.known_files("lib")["a.md"].stamp == stamp(9, 9, 9, 9)
    assert (catalog.sequence("lib"), catalog.vector_sequence("lib")) == before


# --- by id, path and name


def test_by_path(catalog: Catalog) -> None:
    nfd = "Cafe\u0301/Übung.md"
    put(catalog, recorded(nfd), recorded("x.md"), recorded("x.md.md"), recorded("b/x.md"))

    def found(path: str) -> str | None:
        entry = catalog.by_path(path, whole())
        return None if entry is None else entry.path

    assert found(nfd) == found("Café/Übung") == found("Café/Übung.md") == nfd
    assert (found("x.md"), found("x"), found("x.md.md"), found("b/x")) == ("x.md", "x.md", "x.md.md", "b/x.md")
    put(catalog, recorded("y.markdown"))
    assert found("y") == found("y.markdown") == "y.markdown"
    assert found("X.md") is found("cafe/übung") is found("b") is found("") is found("./x.md") is None


def test_files_that_differ_in_case_or_form_coexist(catalog: Catalog) -> None:
    put(catalog, *(recorded(path) for path in ("Ä.md", "ä.md", "A\u0308.md")))
    assert len(catalog.known_files("lib")) == 3
    for path in ("Ä.md", "ä.md", "A\u0308.md"):
        assert catalog.by_path(path, whole()).path == path  # type: ignore[union-attr]


def test_named_gives_each_kind_of_name_that_fits_strongest_first(catalog: Catalog) -> None:
    nums = put(
        catalog,
        recorded("todo.md", title="Todo"),
        recorded("z/todo.md", title="Other"),
        recorded("a/b/todo.md", title="Other"),
        recorded("n1.md", title="TODO"),
        recorded("n2.md", aliases=("ToDo", "x")),
        recorded("n3.md", extra={"id": "todo"}),
        recorded("another-todo.md"),
    )

    def named(name: str) -> list[tuple[str, str]]:
        return [(paths_of(catalog, [each.num])[0], each.kind.value) for each in catalog.named(name, whole())]

    assert named("todo") == [
        ("todo.md", "path"),
        ("todo.md", "stem"),
        ("z/todo.md", "stem"),
        ("a/b/todo.md", "stem"),
        ("n1.md", "title"),
        ("todo.md", "title"),
        ("n2.md", "alias"),
        ("n3.md", "alias"),
    ]
    assert named("b/TODO.md") == [("a/b/todo.md", "suffix")]
    assert named(id_of("n1.md").upper()) == [("n1.md", "id")]
    assert named("odo") == named("") == named("/") == named("%") == []
    assert catalog.named("x", whole("elsewhere")) == ()
    assert catalog.named("x", whole()) == (Named(nums["n2.md"], NameKind.ALIAS),)


def test_names_that_are_numbers(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", extra={"id": 20240301}), recorded("b.md", extra={"id": True}))
    assert len(catalog.named("20240301", whole())) == 1
    assert catalog.named("true", whole()) == ()


# --- filters


def test_no_scope_sees_nothing(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md", tags=("t",)))["a.md"]
    nothing = Filter(scopes=())
    assert passing(catalog, nothing) == []
    assert catalog.by_id(id_of("a.md"), nothing) is catalog.by_path("a.md", nothing) is None
    assert catalog.named("a", nothing) == ()
    assert catalog.tag_counts(nothing) == {}
    assert catalog.counts(nothing, DAY).documents == 0
    assert num in catalog.entries([num]), "entries are fetched for numbers that a filter let through"


def test_whole_libraries_are_allowed_without_a_list(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"), recorded("b.md"))
    assert catalog.allowed(whole()).nums is None
    assert catalog.allowed(whole()).total == 2
    num = put(catalog, recorded("c.md", status=Status.DISMISSED))["c.md"]
    allowed = catalog.allowed(whole())
    assert allowed.total == 3
    assert allowed.nums is not None
    assert num not in allowed.nums
    assert allowed.nums.dtype == np.int64
    drop(catalog, num)
    assert catalog.allowed(whole()).nums is None


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (("project",), ["1", "2", "3"]),
        (("PROJECT/site",), ["2"]),
        (("project/",), ["1", "2", "3"]),
        (("#project",), ["1", "2", "3"]),
        (("proj",), []),
        (("site",), []),
        (("project", "urgent"), ["3"]),
        (("project", "other"), []),
        (("cafe\u0301",), ["4"]),
        (("STRASSE",), ["5"]),
        (("50%",), ["6"]),
        (("5_%",), []),
    ],
)
def test_tags(catalog: Catalog, asked: tuple[str, ...], found: list[str]) -> None:
    put(
        catalog,
        recorded("1", tags=("Project",)),
        recorded("2", tags=("project/site",)),
        recorded("3", tags=("project/Site2/x", "urgent")),
        recorded("4", tags=("Café",)),
        recorded("5", tags=("straße",)),
        recorded("6", tags=("50%",)),
    )
    assert passing(catalog, replace(whole(), tags=asked)) == found


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("finance", ["Finance/a.md", "finance/B/c.md"]),
        ("FINANCE/b", ["finance/B/c.md"]),
        ("finance/a", []),
        ("finance/a.md", ["Finance/a.md"]),
        ("fin", []),
        ("finance-old", ["finance-old/d.md"]),
        ("U\u0308ber", ["Über/e.md"]),
        ("100%", ["100%/f.md"]),
        ("1_0%", []),
    ],
)
def test_path_prefixes(catalog: Catalog, prefix: str, found: list[str]) -> None:
    paths = ("Finance/a.md", "finance/B/c.md", "finance-old/d.md", "Über/e.md", "100%/f.md", "finance.md")
    put(catalog, *(recorded(path) for path in paths))
    assert sorted(passing(catalog, replace(whole(), path_prefix=prefix))) == found


def test_members_of_an_item_name_it_or_lie_in_its_folder(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("Projects/Site/a", day=1),
        recorded("Projects/Site/deep/b", tags=("t",), day=2),
        recorded("Projects/Site 2/c", day=3),
        recorded("d", para=("site",), tags=("t",), day=4),
        recorded("e", para=("site",), status=Status.DISMISSED, day=5),
    )
    members = replace(whole(), para=Membership("site", "projects/site"))
    assert passing(catalog, members) == ["d", "Projects/Site/a", "Projects/Site/deep/b"]
    assert passing(catalog, replace(members, tags=("t",))) == ["d", "Projects/Site/deep/b"]
    assert passing(catalog, replace(seen_by(None, "Projects/Site/deep"), para=members.para)) == ["d", "Projects/Site/a"]


def test_folders_are_those_of_notes_that_pass(catalog: Catalog) -> None:
    put(
        catalog,
        *(recorded(path) for path in ("top", "1 - Projects/Site/a", "1 - Projects/Site/deep/b", "1 - Projects/loose")),
        recorded("1 - Projects/Über/x", status=Status.DISMISSED),
        recorded("1 - Projects/Zoo/x/y/z"),
        recorded("Areas/Home/a"),
        recorded("Archive.md/a"),
    )
    assert catalog.folders(whole()) == ("1 - Projects", "Archive.md", "Areas")
    assert catalog.folders(whole(), "1 - projects") == ("1 - Projects/Site", "1 - Projects/Zoo")
    assert catalog.folders(whole(), "Areas/Home") == catalog.folders(whole(), "nowhere") == ()
    assert catalog.folders(seen_by(None, "1 - Projects/Site")) == ("1 - Projects", "Archive.md", "Areas")
    assert catalog.folders(seen_by(None, "1 - Projects/Site"), "1 - Projects") == ("1 - Projects/Zoo",)
    assert catalog.folders(seen_by("")) == ()


def test_author_para_and_dates(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("1", author="Ada Lovelace", para=("site", "home"), day=1),
        recorded("2", author="ada lovelace", day=2),
        recorded("3", author="Ada", para=("sit",), day=3),
    )

    def found(**asked: object) -> list[str]:
        return passing(catalog, replace(whole(), **asked))  # type: ignore[arg-type]

    assert found(author="ADA LOVELACE") == ["1", "2"]
    assert found(author="Ada%") == []
    assert found(para=Membership("site")) == ["1"]
    assert found(para=Membership("site", "nowhere")) == ["1"]
    assert found(without=(Num(2), Num(99))) == ["1", "3"]
    day = DAY + timedelta(days=2)
    assert found(created_after=day) == ["2", "3"]
    assert found(created_before=day) == ["1"]
    assert found(updated_after=day + timedelta(hours=1)) == ["2", "3"]
    assert found(updated_before=day + timedelta(hours=1)) == ["1"]
    assert found(created_after=day, created_before=day + timedelta(days=1), author="ada lovelace") == ["2"]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ({"status": "doing"}, ["1"]),
        ({"status": "raw"}, ["2", "3"]),
        ({"n": 0}, ["1"]),
        ({"n": 0.0}, ["1"]),
        ({"n": "0"}, ["2"]),
        ({"n": False}, ["3"]),
        ({"list": "x"}, ["1"]),
        ({"list": ["x", "y"]}, ["1"]),
        ({"list": ["y", "x"]}, []),
        ({"list": 1}, ["2"]),
        ({"deep.er": "v"}, ["1"]),
        ({"deep": {"er": "v"}}, ["1"]),
        ({"deep.er.est": True}, ["2"]),
        ({"rows.k": 2}, ["3"]),
        ({"gone": None}, ["3"]),
        ({"absent": None}, []),
        ({"n": 0, "status": "doing"}, ["1"]),
        ({"n": 0, "status": "raw"}, []),
        ({"tags": "T"}, ["1"]),
        ({"tags": "t"}, []),
        ({"title": "1"}, ["1"]),
        ({"author": "Ada"}, ["2"]),
        ({"confidence": 0.5}, ["2"]),
        ({"version": 1}, ["1", "2", "3"]),
        ({"long": "x" * 5000}, ["3"]),
        ({"long": "x" * 4999}, []),
        ({"collaborator_notes": "secret"}, []),
        ({"": ""}, []),
        ({"links.related": str(id_of("2"))}, ["1"]),
    ],
)
def test_properties(catalog: Catalog, where: dict[str, object], found: list[str]) -> None:
    put(
        catalog,
        recorded(
            "1",
            tags=("T",),
            typed_links={"related": (str(id_of("2")),)},
            extra={"status": "doing", "n": 0, "list": ["x", "y"], "deep": {"er": "v"}},
        ),
        recorded("2", author="Ada", confidence=0.5, extra={"n": "0", "list": [1, "z"], "deep": {"er": {"est": True}}}),
        recorded(
            "3",
            collaborator_notes="secret",
            extra={"n": False, "rows": [{"k": 1}, {"k": 2}], "gone": None, "long": "x" * 5000},
        ),
    )
    assert passing(catalog, replace(whole(), where=where)) == found


def test_source_urls_are_compared_normalised(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("1", source_url="HTTPS://Example.org:443/a/#part"),
        recorded("2", source_url="https://example.org/a"),
        recorded("3", source_url="https://example.org/b"),
    )
    for url in ("https://example.org/a", "https://EXAMPLE.org/a/"):
        assert passing(catalog, replace(whole(), where={"source_url": url})) == ["1", "2"]
    assert catalog.counts(whole(), DAY).duplicate_urls == 1


def test_what_a_reader_may_see(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("private.md", tags=("p",)),
        recorded("hidden.md", visibility=Visibility.HIDDEN),
        recorded("public.md", visibility=Visibility.PUBLIC, tags=("q",)),
        recorded("link.md", visibility=Visibility.LINK),
        recorded("shared.md", collaborators=("bob", "")),
        recorded("shared-link.md", visibility=Visibility.LINK, collaborators=("bob",)),
    )
    assert len(passing(catalog, seen_by(None))) == 6
    assert passing(catalog, seen_by("")) == ["public.md"]
    assert passing(catalog, seen_by("eve")) == ["public.md"]
    assert passing(catalog, seen_by("bob")) == ["public.md", "shared.md", "shared-link.md"]
    assert catalog.tag_counts(seen_by("eve")) == {"q": 1}
    assert catalog.counts(seen_by("bob"), DAY).documents == 3

    def by_id(path: str, reader: str) -> bool:
        return catalog.by_id(id_of(path), seen_by(reader)) is not None

    assert by_id("link.md", "")
    assert not by_id("private.md", "eve")
    assert not by_id("hidden.md", "eve")
    assert by_id("shared.md", "bob")
    assert not by_id("shared.md", "")
    assert catalog.by_path("link.md", seen_by("eve")) is None
    assert catalog.by_path("link.md", seen_by(None)) is not None
    assert catalog.named("link", seen_by("eve")) == ()


def test_whether_anything_is_to_be_seen(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"), recorded("b.md", visibility=Visibility.LINK))
    assert catalog.shows(whole())
    assert not catalog.shows(seen_by("bea"))
    assert not catalog.shows(whole("other"))
    put(catalog, recorded("c.md", collaborators=("bea",)))
    assert catalog.shows(seen_by("bea"))
    assert not catalog.shows(seen_by("cy"))
    assert not catalog.shows(Filter(scopes=()))


def test_denied_folders_do_not_exist(catalog: Catalog) -> None:
    put(
        catalog,
        *(recorded(path, tags=("t",)) for path in ("Diary/2024/a.md", "diary-old/b.md", "diary.md", "work/c.md")),
    )
    agent = seen_by(None, "diary", "WORK/")
    assert passing(catalog, agent) == ["diary.md", "diary-old/b.md"]
    assert catalog.by_id(id_of("work/c.md"), agent) is None
    assert catalog.by_path("Diary/2024/a.md", agent) is None
    assert catalog.named("a", agent) == ()
    assert catalog.tag_counts(agent) == {"t": 2}
    assert passing(catalog, seen_by(None, "")) == []
    assert passing(catalog, replace(agent, path_prefix="diary")) == []


def test_scopes_of_several_libraries(catalog: Catalog) -> None:
    put(catalog, recorded("a/x.md"), recorded("b/x.md", visibility=Visibility.PUBLIC))
    put(catalog, recorded("a/x.md"), recorded("b/x.md", visibility=Visibility.PUBLIC), library="other")
    mixed = Filter(scopes=(Scope(library="lib", denied=("b",)), Scope(library="other", reader="")))
    entries = catalog.page(Listing(filter=mixed)).entries
    assert {(entry.library, entry.path) for entry in entries} == {("lib", "a/x.md"), ("other", "b/x.md")}
    either = Filter(scopes=(Scope(library="lib", denied=("b",)), Scope(library="lib", denied=("a",))))
    assert passing(catalog, either) == ["a/x.md", "b/x.md"]


def test_dismissed_notes_are_only_read_by_id_and_path(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md", status=Status.DISMISSED, tags=("t",), parts=["x"], links=wiki("nowhere")))[
        "a.md"
    ]
    put(catalog, recorded("b.md", status=Status.ARCHIVED, links=wiki("a")))
    assert passing(catalog, whole()) == ["b.md"]
    assert passing(catalog, replace(whole(), tags=("t",))) == []
    assert catalog.named("a", whole()) == ()
    assert catalog.tag_counts(whole()) == {}
    counts = catalog.counts(whole(), DAY)
    assert (counts.documents, counts.chunks, counts.links, counts.unresolved_links) == (1, 0, 1, 1)
    assert [problem.path for problem in catalog.link_problems("lib")] == ["b.md"]
    assert catalog.by_id(id_of("a.md"), whole()).num == num  # type: ignore[union-attr]
    assert catalog.by_path("a.md", whole()).num == num  # type: ignore[union-attr]
    put(catalog, recorded("a.md", num=num))
    assert passing(catalog, whole()) == ["a.md", "b.md"]
    assert catalog.counts(whole(), DAY).unresolved_links == 0


# --- pages


def test_pages_are_ordered_with_ties_by_date_then_id(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("c.md", title="Same", day=1),
        recorded("B.md", title="same", day=2),
        recorded("a.md", title="Älter", day=2),
    )

    def order(sort: Sort, descending: bool) -> list[str]:
        page = catalog.page(Listing(filter=whole(), sort=sort, descending=descending))
        return [entry.path for entry in page.entries]

    by_id = sorted(["B.md", "a.md"], key=id_of)
    assert order(Sort.UPDATED, True) == [*by_id, "c.md"]
    assert order(Sort.UPDATED, False) == ["c.md", *by_id]
    assert order(Sort.CREATED, True) == [*by_id, "c.md"]
    assert order(Sort.TITLE, False) == ["a.md", "B.md", "c.md"]
    assert order(Sort.PATH, False) == ["a.md", "B.md", "c.md"]
    assert order(Sort.PATH, True) == ["c.md", "B.md", "a.md"]


def test_pages_are_cut_and_count_everything(catalog: Catalog) -> None:
    put(catalog, *(recorded(f"{n:02}.md", tags=("t",), day=n) for n in range(10)))
    for filter in (whole(), replace(whole(), tags=("t",))):
        listing = Listing(filter=filter, sort=Sort.PATH, descending=False, limit=3, offset=8)
        page = catalog.page(listing)
        assert ([entry.path for entry in page.entries], page.total) == (["08.md", "09.md"], 10)
        assert catalog.page(replace(listing, limit=0)).total == 10
        assert catalog.page(replace(listing, offset=99)).entries == ()


def test_pages_by_substring(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("1", title="Café Noir", body="Something about ÉCLAIRS"),
        recorded("2", title="cafeteria", body="100% 今天整理知识"),
        recorded("3", title="tea", body="nothing"),
    )

    def found(**asked: str) -> list[str]:
        page = catalog.page(Listing(filter=whole(), sort=Sort.PATH, descending=False, **asked))  # type: ignore[arg-type]
        assert page.total == len(page.entries)
        return [entry.path for entry in page.entries]

    assert found(title_contains="CAFE") == ["1", "2"]
    assert found(content_contains="eclair") == ["1"]
    assert found(content_contains="0% 今") == ["2"]
    assert found(content_contains="0_") == []
    assert found(title_contains="cafe", content_contains="知识") == ["2"]
    assert found(title_contains="\ud800") == []


# --- texts


def test_chunk_texts(catalog: Catalog) -> None:
    nums = put(
        catalog,
        recorded("a.md", parts=["erster \U0001f680", "zwei\0ter"], collaborator_notes="between us"),
        recorded("b.md", parts=["x"]),
    )
    a, b = nums["a.md"], nums["b.md"]
    texts = catalog.chunk_texts([(a, 1), (a, 2), (b, 0), (a, 0), (b, 7), (Num(99), 0)])
    assert {key: text.text for key, text in texts.items()} == {
        (a, 0): "erster \U0001f680",
        (a, 1): "zwei\0ter",
        (a, 2): "between us",
        (b, 0): "x",
    }
    assert texts[a, 1].headings == ("Top",)
    assert (texts[a, 1].section, texts[a, 2].section) == ("body", "notes")
    assert catalog.chunk_counts([a, b, Num(99)]) == {a: 3, b: 1}


# --- counts and problems


def test_tags_are_counted_by_their_commonest_spelling(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("1", tags=("Foo", "a/b")),
        recorded("2", tags=("foo",)),
        recorded("3", tags=("foo", "a")),
        recorded("4", extra={"tags": {"real": 1}}, tags=("inline",)),
    )
    counted = catalog.tag_counts(whole())
    assert counted == {"foo": 3, "a": 1, "a/b": 1, "inline": 1}
    assert next(iter(counted)) == "foo"
    assert catalog.tag_counts(replace(whole(), tags=("a",))) == {"Foo": 2, "a": 1, "a/b": 1}
    assert catalog.tag_counts(replace(whole(), path_prefix="3")) == {}


def test_counts(catalog: Catalog) -> None:
    catalog.record_scan("lib", ScanState(), frozenset({"pic.png"}))
    put(
        catalog,
        recorded("a/todo.md", parts=["x", "y"], expires_at=DAY, tags=("T",)),
        recorded("b/todo.md", parts=["x"], expires_at=DAY + timedelta(days=1), tags=("t",), title="todo"),
        recorded("n.md", links=(*wiki("todo", "none", "pic.png", "gone.png", "b/todo", ""), *markdown("x.py"))),
    )
    counts = catalog.counts(whole(), DAY)
    assert (counts.documents, counts.chunks, counts.tags, counts.links) == (3, 3, 1, 7)
    assert (counts.unresolved_links, counts.ambiguous_links, counts.missing_attachments) == (1, 1, 2)
    assert (counts.expired, counts.duplicate_urls, counts.pending_vectors) == (1, 0, 2)
    assert catalog.counts(replace(whole(), tags=("t",)), DAY).pending_vectors == 2


def test_counts_of_links_follow_what_the_caller_sees(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("n.md", links=wiki("todo", "secret", "same")),
        recorded("private/todo.md"),
        recorded("work/todo.md"),
        recorded("private/secret.md"),
        recorded("private/same.md"),
        recorded("private/2/same.md"),
    )
    counts = catalog.counts(whole(), DAY)
    assert (counts.unresolved_links, counts.ambiguous_links) == (0, 2)
    counts = catalog.counts(seen_by(None, "private"), DAY)
    assert (counts.unresolved_links, counts.ambiguous_links) == (2, 0)


def test_problems(catalog: Catalog) -> None:
    odd = Problem("bad_yaml", "what is this?", 3)
    num = put(catalog, recorded("a.md", problems=(odd, Problem("x", "y"))), recorded("b.md"))["a.md"]
    found = catalog.problems("lib")
    assert [(each.library, each.path, each.problem) for each in found] == [
        ("lib", "a.md", odd),
        ("lib", "a.md", Problem("x", "y")),
    ]
    put(catalog, recorded("a.md", num=num))
    assert catalog.problems("lib") == ()


def test_problems_of_links_name_the_line_where_it_is_known(catalog: Catalog) -> None:
    body = "one\r\n# Head\n[[gone]]\n[[lost]]"
    links = (Link(LinkKind.WIKI, "gone", start=12, end=20), Link(LinkKind.WIKI, "lost", start=21, end=29))
    above = Link(LinkKind.WIKI, "above")
    put(catalog, recorded("a.md", body=body, links=(*links, above), headings=(Heading(1, "Head", 5, 6),)))
    put(catalog, recorded("b.md", body=body, links=links))
    found = [(each.path, each.problem.message, each.problem.line) for each in catalog.link_problems("lib")]
    assert found == [
        ("a.md", "[[gone]] leads to no note", 7),
        ("a.md", "[[lost]] leads to no note", 8),
        ("a.md", "[[above]] leads to no note", None),
        ("b.md", "[[gone]] leads to no note", None),
        ("b.md", "[[lost]] leads to no note", None),
    ]


def test_many_problems_of_one_note_are_told_at_once(catalog: Catalog) -> None:
    body = "\n" * 5_000
    links = tuple(Link(LinkKind.WIKI, "gone", start=at, end=at + 1) for at in range(5_000))
    put(catalog, recorded("a.md", body=body, links=links, headings=(Heading(1, "Head", 0, 1),)))
    assert [each.problem.line for each in catalog.link_problems("lib")] == list(range(1, 5_001))


def test_notes_are_odd_beside_others_and_as_time_goes_by(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("old.md", expires_at=DAY - timedelta(seconds=1)),
        recorded("later.md", expires_at=DAY + timedelta(1)),
    )
    put(catalog, recorded("one.md", source_url="https://x.org/a/"), recorded("two.md", source_url="HTTPS://x.org/a#b"))
    put(catalog, recorded("made.md", derived_from_ids=(id_of("old.md"), id_of("gone"))))
    put(catalog, recorded("away.md", expires_at=DAY - timedelta(1), status=Status.DISMISSED))
    found = [(each.path, each.problem.code, each.problem.message) for each in catalog.note_problems("lib", DAY)]
    assert found == [
        ("made.md", "unknown_source", f"derived_from_ids names {id_of('gone')}, which no note has"),
        ("old.md", "expired", f"expired on {DAY - timedelta(seconds=1):%Y-%m-%d}"),
        ("two.md", "duplicate_source_url", "has the same source_url as one.md"),
    ]
    assert catalog.note_problems("other", DAY) == ()


def test_scan_state(catalog: Catalog) -> None:
    skipped = (SkippedFile("bad\udcff.md", "no UTF-8 name"), SkippedFile("b", "too large"))
    state = ScanState(parser="7", finished_at=DAY, seen=12, skipped=skipped)
    before = catalog.sequence("lib")
    catalog.record_scan("lib", state, frozenset({"a.png", "bad\udcff.png"}))
    assert catalog.scan_state("lib") == state
    again = catalog.sequence("lib")
    catalog.record_scan("lib", replace(state, finished_at=None), frozenset({"a.png"}))
    assert catalog.scan_state("lib").finished_at is None
    assert before <= again == catalog.sequence("lib"), "a scan that finds nothing new feeds no view"


# --- generation and sequences


def test_the_generation_differs_after_every_change(catalog: Catalog, another: Callable[[], SqlCatalog]) -> None:
    seen = {catalog.generation()}

    def changed() -> None:
        now = catalog.generation()
        assert now not in seen
        assert catalog.generation() == now
        seen.add(now)

    nums = put(catalog, recorded("a.md", parts=["x"]))
    changed()
    catalog.store_vectors("lib", "m", ["a\nx"], np.zeros((1, 2), np.float16))
    changed()
    other = another()
    drop(other, *nums.values())
    changed()
    other.close()
    catalog.forget_library("lib")
    changed()


def test_queries_see_what_others_committed(catalog: Catalog, another: Callable[[], SqlCatalog]) -> None:
    other = another()
    assert passing(other, whole()) == []
    put(catalog, recorded("a.md"))
    assert passing(other, whole()) == ["a.md"]
    other.close()


# --- views


def test_full_text_items(catalog: Catalog) -> None:
    note = recorded("a/b.md", body="# T\ntext", headings=(Heading(1, "T", 0, 1), Heading(2, "U", 1, 2)))
    metadata = replace(EVERYTHING, title="T")
    note = replace(note, note=replace(note.note, metadata=metadata))
    num = put(catalog, note)["a/b.md"]
    (item,) = catalog.full_text_changes("lib", 0, 10).put
    assert (item.num, item.id, item.checksum, item.path) == (num, note.id, note.checksum, "a/b.md")
    assert (item.title, item.aliases, item.tags, item.author) == ("T", ("Z",), ("a/b", "Café"), "Ada")
    assert (item.summary, item.headings, item.body) == ("short", ("T", "U"), "# T\ntext")
    assert (item.status, item.visibility, item.collaborators) == ("validated", "link", ("eve",))
    assert (item.para, item.created_at, item.updated_at) == (("site",), note.created_at, note.updated_at)


def test_changes_come_in_bounded_batches_that_join_exactly(catalog: Catalog) -> None:
    nums = put(catalog, *(recorded(f"{n}.md") for n in range(7)))
    drop(catalog, nums["0.md"], nums["1.md"])
    put(catalog, recorded("2.md", num=nums["2.md"], title="again"))
    for limit in (1, 2, 3, 100):
        at, seen, gone = 0, [], []
        while at < catalog.sequence("lib"):
            changes = catalog.full_text_changes("lib", at, limit)
            assert len(changes.put) + len(changes.drop) <= limit
            assert changes.upto > at
            at = changes.upto
            seen += [item.path for item in changes.put]
            gone += changes.drop
        assert at == catalog.sequence("lib")
        assert seen == ["3.md", "4.md", "5.md", "6.md", "2.md"], "each once, at its last change"
        assert gone in ([], [nums["0.md"], nums["1.md"]]), "an empty view has nothing to drop"


def test_batches_of_changes_are_bounded_in_bytes(catalog: Catalog) -> None:
    """Each of these views takes over what it is given at once."""
    sizes = {"a.md": 9_000_000, "b.md": 5_000_000, "c.md": 5_000_000, "d.md": 1}
    put(catalog, *(replace(recorded(path), stamp=stamp(size=size)) for path, size in sizes.items()))
    for changes in (catalog.full_text_changes, catalog.chunk_changes):
        at, seen = 0, []
        while at < catalog.sequence("lib"):
            part = changes("lib", at, 10)
            at = part.upto
            seen.append(len(part.put))
        assert seen == [1, 2, 1]


def test_changes_since_a_number(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md"))
    at = catalog.sequence("lib")
    assert catalog.changed_since("lib", 0) == 2
    assert catalog.changed_since("lib", at) == 0
    drop(catalog, nums["a.md"])
    put(catalog, recorded("c.md"))
    assert catalog.changed_since("lib", at) == 2
    changes = catalog.full_text_changes("lib", at, 10)
    assert ([item.path for item in changes.put], changes.drop) == (["c.md"], (nums["a.md"],))
    assert (changes.upto, changes.anew) == (catalog.sequence("lib"), False)


def test_a_moved_note_changes_for_full_text(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md", parts=["x"]))["a.md"]
    at, vectors_at = catalog.sequence("lib"), catalog.vector_sequence("lib")
    catalog.record("lib", CatalogBatch(restamp=((num, "b/c.md", stamp()),)))
    assert [item.path for item in catalog.full_text_changes("lib", at, 10).put] == ["b/c.md"]
    assert catalog.vector_sequence("lib") > vectors_at
    changes = catalog.vector_changes("lib", "m", vectors_at, 10)
    assert (changes.put, changes.drop, changes.upto) == ((), (), catalog.vector_sequence("lib"))


def test_a_view_of_another_catalog_starts_anew(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"))
    for strange in (7, catalog.sequence("lib") + 1):
        changes = catalog.full_text_changes("lib", strange, 10)
        assert changes.anew
        assert [item.path for item in changes.put] == ["a.md"]
        assert catalog.changed_since("lib", strange) == 1
    assert not catalog.full_text_changes("lib", 0, 10).anew


def test_a_view_of_a_forgotten_library_starts_anew(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"))
    at = catalog.sequence("lib")
    catalog.forget_library("lib")
    assert catalog.full_text_changes("lib", at, 10).anew
    put(catalog, recorded("b.md"))
    changes = catalog.full_text_changes("lib", at, 10)
    assert changes.anew
    assert [item.path for item in changes.put] == ["b.md"]
    assert not catalog.full_text_changes("lib", changes.upto, 10).anew


# --- vectors


def store(catalog: Catalog, *texts: str, model: str = "m", library: str = "lib") -> None:
    rows = [[len(text), 1] for text in texts]
    catalog.store_vectors(library, model, texts, np.array(rows, np.float16).reshape(len(texts), 2))


def test_texts_wait_until_they_have_a_vector(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", parts=["one", "two", "one"]))
    put(catalog, recorded("b.md", title="a", parts=["two", "three"]))
    assert set(catalog.pending_texts("lib", "m", 10)) == {"a\none", "a\ntwo", "a\nthree"}
    assert catalog.pending_count("lib", "m") == 3
    store(catalog, "a\ntwo", "a\nthree")
    assert catalog.pending_texts("lib", "m", 10) == ["a\none"]
    assert catalog.pending_count("lib", "m") == 1
    assert catalog.counts(whole(), DAY).pending_vectors == 1
    assert catalog.pending_count("lib", "other model") == 3


def test_notes_are_stale_while_a_text_of_theirs_has_no_vector(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("a.md", parts=["one", "two"]),
        recorded("b.md", title="a", parts=["two"]),
        recorded("c.md"),
        recorded("d.md", parts=["one"], status=Status.DISMISSED),
    )
    assert catalog.stale_count(whole(), "m") == 2
    store(catalog, "a\ntwo")
    assert catalog.stale_count(whole(), "m") == 1
    assert catalog.stale_count(seen_by(""), "m") == 0
    store(catalog, "a\none", "d\none")
    assert catalog.stale_count(whole(), "m") == 0
    assert catalog.stale_count(whole(), "other model") == 2
    assert catalog.stale_count(whole("nowhere"), "m") == 0


def test_fresh_texts_come_first(catalog: Catalog) -> None:
    nums = put(catalog, *(recorded(f"{n}.md", parts=["x"]) for n in range(3)))
    store(catalog, "2\nx")
    put(catalog, recorded("0.md", num=nums["0.md"], parts=["x"]))
    assert catalog.pending_texts("lib", "m", 10) == ["0\nx", "1\nx"]
    assert catalog.pending_texts("lib", "m", 1) == ["0\nx"]
    put(catalog, recorded("shares.md", title="1", parts=["x"]))
    assert catalog.pending_texts("lib", "m", 1) == ["1\nx"]


def test_texts_of_all_sections_and_those_not_found_in_the_note(catalog: Catalog) -> None:
    note = recorded("a.md", parts=["own words"], collaborator_notes="between us")
    put(catalog, replace(note, embed_texts=("words of another kind", "T: between us (end)")))
    assert set(catalog.pending_texts("lib", "m", 10)) == {"words of another kind", "T: between us (end)"}


def test_vectors_reach_the_views_of_all_notes_that_have_the_text(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md", title="t", parts=["x", "y"]), recorded("b.md", title="t", parts=["x"]))
    put(catalog, recorded("c.md", title="t", parts=["x"]), library="other")
    at, other_at = catalog.vector_sequence("lib"), catalog.vector_sequence("other")
    before = catalog.sequence("lib")
    store(catalog, "t\nx")
    assert catalog.sequence("lib") == before
    changes = catalog.vector_changes("lib", "m", at, 10)
    assert {item.num for item in changes.put} == set(nums.values())
    for item in changes.put:
        assert item.ordinals.tolist() == [0]
        assert item.ordinals.dtype == np.int32
        assert item.vectors.dtype == np.float16
        assert item.vectors.tolist() == [[3, 1]]
    assert [len(i.ordinals) for i in catalog.vector_changes("other", "m", other_at, 10).put] == [1]
    store(catalog, "t\ny")
    first = catalog.vector_changes("lib", "m", changes.upto, 10).put
    assert [(item.num, item.ordinals.tolist()) for item in first] == [(nums["a.md"], [0, 1])]


def test_a_note_without_vectors_is_put_with_none(catalog: Catalog) -> None:
    note = recorded("a.md", parts=["x"])
    put(catalog, note, recorded("b.md"))
    items = catalog.vector_changes("lib", "m", 0, 10).put
    assert [len(item.ordinals) for item in items] == [0, 0]
    assert items[0].checksum == note.checksum
    store(catalog, "a\nx")
    items = catalog.vector_changes("lib", "m", 0, 10).put
    assert {item.vectors.shape for item in items} == {(1, 2), (0, 2)}


def test_a_text_seen_before_has_its_vector_at_once(catalog: Catalog) -> None:
    num = put(catalog, recorded("a.md", parts=["x"]))["a.md"]
    store(catalog, "a\nx", "never seen")
    drop(catalog, num)
    num = put(catalog, recorded("a.md", parts=["x"]), recorded("b.md", title="never", parts=["y"]))["a.md"]
    assert catalog.pending_texts("lib", "m", 10) == ["never\ny"]
    items = {item.num: item for item in catalog.vector_changes("lib", "m", 0, 10).put}
    assert items[num].vectors.tolist() == [[3, 1]]


def test_texts_that_nobody_has_any_more_do_not_wait(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md", title="t", parts=["x", "y"]), recorded("b.md", title="t", parts=["x"]))
    drop(catalog, nums["a.md"])
    assert catalog.pending_texts("lib", "m", 10) == ["t\nx"]
    put(catalog, recorded("b.md", num=nums["b.md"], title="t", parts=["z"]))
    assert catalog.pending_texts("lib", "m", 10) == ["t\nz"]
    assert catalog.pending_count("lib", "m") == 1


def test_vectors_of_lost_texts_go_at_the_end_of_a_scan(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md", title="t", parts=["x", "y"]))
    store(catalog, "t\nx", "t\ny")
    put(catalog, recorded("a.md", num=nums["a.md"], title="t", parts=["x"]))
    catalog.record_scan("lib", ScanState(finished_at=DAY), frozenset())
    put(catalog, recorded("a.md", num=nums["a.md"], title="t", parts=["x", "y"]))
    assert catalog.pending_texts("lib", "m", 10) == ["t\ny"]


def test_models_are_kept_apart(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", parts=["x", "y"]))
    store(catalog, "a\nx")
    store(catalog, "a\ny", model="n")
    assert catalog.pending_texts("lib", "m", 10) == ["a\ny"]
    assert catalog.pending_texts("lib", "n", 10) == ["a\nx"]
    put(catalog, recorded("b.md", parts=["z"]))
    assert catalog.pending_texts("lib", "m", 10) == ["b\nz", "a\ny"]
    assert catalog.pending_count("lib", "n") == 2
    store(catalog, "b\nz", model="m")
    assert catalog.pending_texts("lib", "n", 10) == ["b\nz", "a\nx"]
    assert [i.ordinals.tolist() for i in catalog.vector_changes("lib", "n", 0, 10).put] == [[1], []]


def test_a_second_library_knows_the_vectors_of_the_first(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", parts=["x"]))
    store(catalog, "a\nx")
    put(catalog, recorded("a.md", parts=["x", "y"]), library="other")
    assert catalog.pending_texts("other", "m", 10) == ["a\ny"]
    assert catalog.pending_count("other", "m") == 1
    store(catalog, "a\ny", library="other")
    assert catalog.pending_count("other", "m") == 0


def test_vectors_and_texts_must_be_as_many(catalog: Catalog) -> None:
    with pytest.raises(ValueError, match="1 vectors for 2 texts"):
        catalog.store_vectors("lib", "m", ["a", "b"], np.zeros((1, 2), np.float16))


def test_ids_are_looked_up_as_they_are(catalog: Catalog) -> None:
    put(catalog, recorded("a.md"))
    assert catalog.by_id(NoteId("%"), whole()) is None


# --- chunks one by one


def test_chunk_changes_tell_the_chunks_of_notes_with_their_texts(catalog: Catalog) -> None:
    nums = put(
        catalog,
        recorded("a.md", parts=["one", "two"], collaborator_notes="between us"),
        recorded("b.md", body="no chunks"),
    )
    first, second = catalog.chunk_changes("lib", 0, 10).put
    assert [(chunk.ordinal, first.text(chunk), chunk.section) for chunk in first.chunks] == [
        (0, "one", Section.BODY),
        (1, "two", Section.BODY),
        (2, "between us", Section.NOTES),
    ]
    assert (first.num, first.note.path, second.num, second.chunks) == (nums["a.md"], "a.md", nums["b.md"], ())
    at = catalog.chunk_changes("lib", 0, 10).upto
    drop(catalog, nums["a.md"])
    changes = catalog.chunk_changes("lib", at, 10)
    assert (changes.put, changes.drop) == ((), (nums["a.md"],))


def test_collaborator_notes_of_others_are_hidden_chunks(catalog: Catalog) -> None:
    nums = put(
        catalog,
        recorded(
            "a.md", parts=["one"], visibility=Visibility.PUBLIC, collaborators=("bob",), collaborator_notes="for bob"
        ),
        recorded("b.md", parts=["two"], collaborators=("eve",), collaborator_notes="private"),
        recorded("c.md", parts=["three"], visibility=Visibility.PUBLIC, collaborator_notes="for nobody"),
    )
    a, c = (nums["a.md"], 1), (nums["c.md"], 1)
    for reader, hidden in ((None, set()), ("", {a, c}), ("bob", {c}), ("eve", {a, c})):
        assert {(num, ordinal) for num, ordinal in catalog.allowed(seen_by(reader)).hidden.tolist()} == hidden
    assert catalog.allowed(replace(seen_by(""), tags=("x",))).hidden.tolist() == []
    assert [catalog.counts(seen_by(reader), DAY).chunks for reader in (None, "", "bob", "eve")] == [6, 2, 3, 4]


def test_whether_there_are_vectors_depends_on_model_and_filter(catalog: Catalog) -> None:
    put(catalog, recorded("a.md", parts=["one"]), recorded("p.md", parts=["two"], visibility=Visibility.PUBLIC))
    assert not catalog.has_vectors(whole(), "m")
    catalog.store_vectors("lib", "m", ["a\none"], np.zeros((1, 2), np.float16))
    assert catalog.has_vectors(whole(), "m")
    assert not catalog.has_vectors(whole(), "other")
    assert not catalog.has_vectors(seen_by(""), "m")
    assert not catalog.has_vectors(whole("elsewhere"), "m")


def test_a_listing_finds_a_text_in_title_tag_or_body(catalog: Catalog) -> None:
    put(
        catalog,
        recorded("t.md", title="Caf\u00e9 life", body="x"),
        recorded("g.md", tags=("kitchen/CAFE",), body="x"),
        recorded("b.md", body="the cafe\u0301 is open"),
        recorded("n.md", body="tea", collaborator_notes="cafe"),
        recorded("d.md", body="cafe", status=Status.DISMISSED),
    )
    for text in ("caf\u00e9", "CAFE"):
        page = catalog.page(Listing(filter=whole(), contains=text, sort=Sort.PATH, descending=False))
        assert [entry.path for entry in page.entries] == ["b.md", "g.md", "t.md"]
        assert page.total == 3
    tagged = replace(whole(), tags=("kitchen",))
    assert catalog.page(Listing(filter=tagged, contains="cafe")).total == 1
    assert catalog.page(Listing(filter=whole("elsewhere"), contains="cafe")).total == 0


def test_a_delta_tells_each_change_once_and_in_order(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md"), recorded("c.md"))
    start = DAY
    first = catalog.delta(whole(), start, 2)
    assert ([entry.path for entry in first.changed], first.gone, first.more) == (["a.md", "b.md"], (), True)
    assert first.upto is not None
    rest = catalog.delta(whole(), first.upto, 2)
    assert ([entry.path for entry in rest.changed], rest.more) == (["c.md"], False)
    assert rest.upto is not None
    put(catalog, recorded("a.md", num=nums["a.md"], body="new"))
    drop(catalog, nums["b.md"])
    later = catalog.delta(whole(), rest.upto, 10)
    assert [entry.path for entry in later.changed] == ["a.md"]
    assert later.gone == (Gone(id_of("b.md"), "lib"),)
    assert later.upto is not None
    assert catalog.delta(whole(), later.upto, 10) == Delta()


def test_what_came_back_or_was_dismissed_is_told_as_it_is_now(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md"))
    drop(catalog, nums["a.md"])
    put(catalog, recorded("a.md"), recorded("b.md", num=nums["b.md"], status=Status.DISMISSED))
    delta = catalog.delta(whole(), DAY, 10)
    assert ([entry.path for entry in delta.changed], delta.gone) == (["a.md"], (Gone(id_of("b.md"), "lib"),))


def test_a_delta_tells_a_reader_nothing_of_what_it_could_not_see(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md", visibility=Visibility.PUBLIC), recorded("b.md"), recorded("x/c.md"))
    drop(catalog, nums["b.md"], nums["x/c.md"])
    delta = catalog.delta(seen_by(""), DAY, 10)
    assert ([entry.path for entry in delta.changed], delta.gone) == (["a.md"], ())
    assert catalog.delta(seen_by(None, "x"), DAY, 10).gone == (Gone(id_of("b.md"), "lib"),)


def test_kin_are_all_notes_of_some_libraries_that_begin_alike(catalog: Catalog) -> None:
    nums = put(catalog, recorded("a.md"), recorded("b.md"))
    put(catalog, recorded("a.md"), library="other")
    start = digest_of(id_of("a.md"))[:6]
    (only,) = catalog.kin([start], ["lib"])
    assert (only.num, only.id, only.library, only.created_at) == (nums["a.md"], id_of("a.md"), "lib", DAY)
    assert {each.library for each in catalog.kin([start, start], ["lib", "other"])} == {"lib", "other"}
    assert catalog.kin([start], []) == catalog.kin([], ["lib"]) == ()
    assert len(catalog.kin([""], ["lib"])) == 2
