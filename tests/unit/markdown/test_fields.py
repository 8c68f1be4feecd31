from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from trilith.markdown.fields import extra_names
from trilith.model.note import Metadata, Note, Status, Visibility

Parse = Callable[..., Note]

UUID = "8f14e45f-ceea-467f-a834-000000000000"
OTHER = "8f14e45f-ceea-467f-a834-000000000001"


@pytest.fixture
def read(parse: Parse) -> Callable[[str], Metadata]:
    return lambda yaml: parse(f"---\n{yaml}\n---\nbody").metadata


def test_all_known_fields(parse: Parse) -> None:
    note = parse(f"""---
id: {UUID.upper()}
title: A title
author: ada
contributors: [bob, ada, bob, cyd]
tags: [x, Y]
aliases: [One, Two]
summary: In short
confidence: 0.5
created_at: 2026-03-01T10:00:00Z
updated_at: 2026-03-02
version: 7
source: a talk
source_url: HTTPS://Example.com/#top
derived_from_ids: [{OTHER}]
expires_at: 2026-12-31T12:00:00Z
para: [site-relaunch]
links:
  supersedes: [{OTHER}]
status: validated
visibility: public
collaborators: [eve]
collaborator_notes: between us
mine: 1
---
""")
    metadata = note.metadata
    assert note.declared_id == UUID
    assert metadata == Metadata(
        title="A title",
        author="ada",
        contributors=("bob", "cyd"),
        tags=("x", "Y"),
        aliases=("One", "Two"),
        summary="In short",
        confidence=0.5,
        created_at=datetime(2026, 3, 1, 10, tzinfo=UTC),
        updated_at=datetime(2026, 3, 2, tzinfo=UTC),
        version=7,
        source="a talk",
        source_url="HTTPS://Example.com/#top",
        derived_from_ids=(OTHER,),  # type: ignore[arg-type]
        expires_at=datetime(2026, 12, 31, 12, tzinfo=UTC),
        para=("site-relaunch",),
        typed_links={"supersedes": (OTHER,)},
        status=Status.VALIDATED,
        visibility=Visibility.PUBLIC,
        collaborators=("eve",),
        collaborator_notes="between us",
        extra={"mine": 1},
    )
    assert note.problems == ()


def test_an_empty_block_gives_the_defaults(read: Callable[[str], Metadata]) -> None:
    assert read("title:\ntags:\nauthor:\nversion:\nstatus:\nlinks:\nexpires_at: ~") == Metadata(title="A note")


@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        ("id: 20240301", 20240301),
        ("version: 1.2.0", "1.2.0"),
        ("version: 0", 0),
        ("status: doing", "doing"),
        ("status: Archived", "Archived"),
        ("author: [a, b]", ["a", "b"]),
        ("contributors: {a: b}", {"a": "b"}),
        ("confidence: high", "high"),
        ("visibility: friends", "friends"),
        ("summary: [a]", ["a"]),
        ("tags: {a: b}", {"a": "b"}),
        ("aliases: [[a]]", [["a"]]),
        ("links: ['[[Q]]']", ["[[Q]]"]),
        ("links: {home: 'https://example.com'}", {"home": "https://example.com"}),
        ("expires_at: [2026-01-01]", ["2026-01-01"]),
        ("title: {a: b}", {"a": "b"}),
    ],
)
def test_a_known_key_of_another_type_belongs_to_the_user(
    read: Callable[[str], Metadata], yaml: str, value: object
) -> None:
    metadata = read(yaml)
    assert metadata.extra == {yaml.partition(":")[0]: value}
    defaults = Metadata(title=metadata.title, extra=metadata.extra)
    assert metadata == defaults


@pytest.mark.parametrize(
    ("written", "confidence"),
    [("0.25", 0.25), ("7", 1.0), ("-1", 0.0), ("junk", 1.0), (".nan", 1.0), ("true", 1.0), ("'0.5'", 0.5), ("1", 1.0)],
)
def test_confidence_is_clamped_and_junk_is_full_confidence(
    read: Callable[[str], Metadata], written: str, confidence: float
) -> None:
    assert read(f"confidence: {written}").confidence == confidence


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("2026-03-01", "2026-03-01"),
        ("1458", "1458"),
        ("1.10", "1.10"),
        ("yes", "yes"),
        ("'quoted: yes'", "quoted: yes"),
        ("[a, b]", "a, b"),
        ("{{title}}", "{{title}}"),
        ("null", "A note"),
        ("''", "A note"),
        (">\n  two\n  lines", "two lines"),
        ("|\n  two\n  lines", "two lines"),
    ],
)
def test_titles_are_as_written(read: Callable[[str], Metadata], written: str, title: str) -> None:
    assert read(f"title: {written}").title == title


def test_a_title_that_is_no_text_is_reported(parse: Parse) -> None:
    assert [(p.code, p.line) for p in parse("---\na: b\ntitle: [a]\n---\n").problems] == [("odd_title", 3)]


def test_other_names_of_dates_are_read_in_order(read: Callable[[str], Metadata]) -> None:
    metadata = read("date: 2026-01-03\ncreated: 2026-01-02\nmodified: 2026-02-02")
    assert metadata.created_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert metadata.updated_at == datetime(2026, 2, 2, tzinfo=UTC)
    assert metadata.extra == {"date": "2026-01-03"}


def test_a_text_that_is_no_date_is_reported_and_the_next_key_read(parse: Parse) -> None:
    note = parse("---\ncreated_at: nope\ncreated: 2026-01-02\n---\n")
    assert note.metadata.created_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert note.metadata.extra == {"created_at": "nope"}
    assert [(p.code, p.line) for p in note.problems] == [("odd_date", 2)]


def test_a_placeholder_of_a_template_is_no_wrong_date(parse: Parse) -> None:
    assert parse("---\ncreated: {{date}}\n---\n").problems == ()


def test_unlisted_is_read_as_link(read: Callable[[str], Metadata]) -> None:
    assert read("visibility: unlisted").visibility is Visibility.LINK


def test_provenance_keeps_its_uuids_and_reports_the_rest(parse: Parse) -> None:
    note = parse(f"---\nderived_from_ids: [{UUID}, other, {UUID}]\n---\n")
    assert note.metadata.derived_from_ids == (UUID,)
    assert [p.code for p in note.problems] == ["odd_value"]


@pytest.mark.parametrize("yaml", ["collaborator_notes: [secret]", "collaborator_notes: {a: secret}"])
def test_collaborator_notes_are_never_among_the_unknown(parse: Parse, yaml: str) -> None:
    note = parse(f"---\n{yaml}\n---\n")
    assert "secret" not in repr(note)
    assert [p.code for p in note.problems] == ["odd_value"]


def test_tags_and_aliases_have_singular_forms(read: Callable[[str], Metadata]) -> None:
    metadata = read("tag: y\ntags: [x]\nalias: B\naliases: A, C")
    assert (metadata.tags, metadata.aliases) == (("x", "y"), ("A", "C", "B"))


def test_names_without_commas_may_be_listed_with_commas(read: Callable[[str], Metadata]) -> None:
    metadata = read("collaborators: ann, bob\npara: one, two\ncontributors: Doe, Jane")
    assert (metadata.collaborators, metadata.para) == (("ann", "bob"), ("one", "two"))
    assert metadata.contributors == ("Doe, Jane",)


def test_typed_links_may_be_wiki_links(read: Callable[[str], Metadata]) -> None:
    metadata = read(f"links:\n  next: '[[B|bee]]'\n  related: [{UUID}, {UUID}, note-7]")
    assert metadata.typed_links == {"next": ("B",), "related": (UUID, "note-7")}


@pytest.mark.parametrize(
    ("yaml", "names"),
    [
        ("id: 20240301\naliases: [A]", ("A", "20240301")),
        ("id: note-7", ("note-7",)),
        (f"id: {UUID}\naliases: A", ("A",)),
        ("id: [a]", ()),
        ("id: true", ()),
        ("id: A\nalias: A", ("A",)),
        ("x: y", ()),
    ],
)
def test_an_id_that_is_no_uuid_is_a_name(read: Callable[[str], Metadata], yaml: str, names: tuple[str, ...]) -> None:
    assert extra_names(read(yaml)) == names
