"""A change becomes the text of a file: what changes in it, and what does not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import WordCounter

from trilith.errors import Ambiguous, ContentTooLarge, InvalidInput, NotUtf8, Refused
from trilith.markdown.parse import parse_note
from trilith.model.change import Draft, Edit, EditKind, Revision
from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Note
from trilith.notes.change import MAX_CONTENT, decoded, edited, line_of, revised, text_of_draft, warnings_of

NOW = datetime(2026, 3, 18, 14, 30, tzinfo=UTC)
STAMP = "2026-03-18T14:30:00Z"
OWN = NoteId("f47ac10b-58cc-4372-a567-0e02b2c3d479")
OTHER = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a01"


def read(text: str) -> Note:
    counter = WordCounter()
    return parse_note("a.md", text.encode(), count_tokens=counter.count, window=counter.window)


def entry_of(note: Note, steps: int = 0) -> Entry:
    known = note.metadata
    version = known.version + steps
    metadata = type(known)(**{name: getattr(known, name) for name in known.__dataclass_fields__} | {"version": version})
    return Entry(
        num=Num(1),
        id=OWN,
        library="notes",
        path="a.md",
        checksum="",
        size=0,
        metadata=metadata,
        created_at=NOW,
        updated_at=NOW,
    )


def revise(text: str, steps: int = 0, **changes: Any) -> str:
    note = read(text)
    return revised(text, entry_of(note, steps), note, Revision(**{"agent": "ann", **changes}), now=NOW)


def change(text: str, kind: EditKind, content: str, **more: Any) -> str:
    note, edit = read(text), Edit(kind=kind, content=content, **more)
    return edited(text, entry_of(note), note, edit, Revision(agent="ann"), now=NOW)[0]


def body_of(text: str) -> str:
    return read(text).body


# --- a new note


def test_a_draft_has_its_identity_and_its_body_as_it_was_given() -> None:
    draft = Draft(title="T: x", body="# Hi\r\n\r\n  text", agent="ann", fields={"tags": ("a", "b/c"), "summary": ""})
    text = text_of_draft(draft, OWN, NOW)
    assert text == (
        f'---\nid: {OWN}\ntitle: "T: x"\nauthor: ann\ncreated_at: {STAMP}\nupdated_at: {STAMP}\nversion: 1\n'
        "tags: [a, b/c]\n---\n# Hi\r\n\r\n  text"
    )
    note = read(text)
    assert (note.declared_id, note.body, note.metadata.title) == (OWN, draft.body, "T: x")
    assert (note.metadata.tags, note.metadata.version, note.problems) == (("a", "b/c"), 1, ())


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80))
def test_whatever_the_title_it_is_read_back(title: str) -> None:
    if not title.strip():
        return
    note = read(text_of_draft(Draft(title=title, body="x", agent="ann"), OWN, NOW))
    assert note.metadata.title == " ".join(title.split())
    assert (note.body, note.problems) == ("x", ())


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_whatever_the_body_it_is_read_back(body: str) -> None:
    draft = Draft(title="T", body=body, agent="ann")
    assert body_of(text_of_draft(draft, OWN, NOW)) == body
    line_ends = body.replace("\r\n", "\n").replace("\r", "\n")
    assert body_of(revise(text_of_draft(draft, OWN, NOW), body=line_ends)) == line_ends


@pytest.mark.parametrize("title", ["", "  ", "\n\t", "x" * 501, "a\0b", "a\x1bb", "\ud800"])
def test_titles_that_could_not_be_read_back_are_refused(title: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        text_of_draft(Draft(title=title, body="", agent="ann"), OWN, NOW)
    assert refusal.value.details["field"] == "title"


def test_a_title_is_one_line() -> None:
    assert line_of(" a\n b\tc ") == "a b c"
    assert line_of("x" * 500) == "x" * 500


@pytest.mark.parametrize("body", ["a\0b", "\udcff"])
def test_bodies_that_are_no_text_are_refused(body: str) -> None:
    with pytest.raises(InvalidInput, match="'content'"):
        text_of_draft(Draft(title="T", body=body, agent="ann"), OWN, NOW)
    with pytest.raises(InvalidInput, match="'content'"):
        revise("hi", body=body)
    with pytest.raises(InvalidInput, match="'content'"):
        change("hi", EditKind.APPEND, body)


@pytest.mark.parametrize("fields", [{"summary": "a\0"}, {"tags": ("a", "\x07")}, {"links": {"next": ("\ud800",)}}])
def test_fields_that_are_no_text_are_refused(fields: dict[str, Any]) -> None:
    for act in (lambda: text_of_draft(Draft(title="T", body="", agent="a", fields=fields), OWN, NOW),):
        with pytest.raises(InvalidInput, match=f"'{next(iter(fields))}'"):
            act()
    with pytest.raises(InvalidInput, match=f"'{next(iter(fields))}'"):
        revise("hi", fields=fields)


def test_the_limit_counts_bytes() -> None:
    fits = "é" * (MAX_CONTENT // 2)
    assert body_of(text_of_draft(Draft(title="T", body=fits, agent="ann"), OWN, NOW)) == fits
    for act in (
        lambda: text_of_draft(Draft(title="T", body=f"{fits}x", agent="ann"), OWN, NOW),
        lambda: revise("hi", body=f"{fits}x"),
        lambda: change(fits, EditKind.APPEND, "more"),
    ):
        with pytest.raises(ContentTooLarge):
            act()


def test_a_note_that_is_above_the_limit_already_may_shrink_and_change_its_fields() -> None:
    large = f"find me {'x' * MAX_CONTENT}"
    assert body_of(change(large, EditKind.FIND_REPLACE, "", find="find me ")) == "x" * MAX_CONTENT
    assert body_of(revise(large, fields={"tags": ("a",)})) == large


def test_more_frontmatter_than_is_read_is_not_written() -> None:
    with pytest.raises(ContentTooLarge, match="'tags'"):
        revise("hi", fields={"tags": tuple(f"tag-{number}" for number in range(20_000))})


# --- what a change maintains


def test_a_plain_file_gets_its_id_and_its_history() -> None:
    assert revise("# Hi\n", fields={"tags": ("a",)}) == (
        f"---\nid: {OWN}\ntags: [a]\nupdated_at: {STAMP}\nversion: 2\ncontributors: [ann]\n---\n# Hi\n"
    )


def test_changes_by_others_count_as_versions() -> None:
    text = f"---\nid: {OWN}\nversion: 3\n---\nhi\n"
    assert read(revise(text, steps=2, body="new\n")).metadata.version == 6


@pytest.mark.parametrize(
    ("front", "agent", "contributors"),
    [
        ("author: ann", "ann", ()),
        ("author: bob", "ann", ("ann",)),
        ("author: bob\ncontributors: [ann]", "ann", ("ann",)),
        ("author: bob\ncontributors: [zoe]", " ann\n lee ", ("zoe", "ann lee")),
    ],
)
def test_contributors_grow_by_who_wrote(front: str, agent: str, contributors: tuple[str, ...]) -> None:
    metadata = read(revise(f"---\n{front}\n---\nhi", agent=agent, body="new")).metadata
    assert metadata.contributors == contributors
    assert metadata.author == front.split("\n", maxsplit=1)[0].removeprefix("author: ")


def test_what_is_the_users_own_under_our_names_stays() -> None:
    text = "---\nid: 20240301\nversion: 1.2.0\nupdated_at: soon\ncontributors: {lead: ann}\n---\nhi\n"
    assert revise(text, body="new\n") == text.replace("hi", "new")


def test_a_copy_that_declares_the_id_of_another_note_gets_its_own() -> None:
    text = f"---\nid: {OTHER}\nversion: 1\n---\nhi\n"
    assert revise(text, body="new\n").startswith(f"---\nid: {OWN}\nversion: 2\n")


# --- fields


def test_fields_that_are_left_out_stay_and_empty_ones_go() -> None:
    text = f"---\nid: {OWN}\nsummary: s\ntags: [a]\nsource: x\n---\nhi\n"
    changed = revise(text, fields={"summary": "", "tags": ()})
    assert changed == (f"---\nid: {OWN}\nsource: x\nupdated_at: {STAMP}\nversion: 2\ncontributors: [ann]\n---\nhi\n")


def test_every_byte_but_those_of_the_field_and_the_history_stays() -> None:
    text = (
        "\ufeff---\r\n# mine\r\ntitle: 'It''s'  # why\r\ndate: 2026-03-01\r\naliases: [ x,  y ]\r\n"
        f"status: raw # todo\r\nodd: {{a: 1}}\r\nid: {OWN}\r\nupdated_at: 2026-01-01\r\nversion: 7 # mine\r\n"
        "contributors: [ann]\r\n---\r\n# Body\r\n\r\ntext  \r\n"
    )
    assert revise(text, fields={"status": "validated"}) == (
        text.replace("status: raw", "status: validated")
        .replace("updated_at: 2026-01-01", f"updated_at: {STAMP}")
        .replace("version: 7", "version: 8")
    )


def test_a_title_that_the_note_has_already_is_not_written_a_second_time() -> None:
    assert "title:" not in revise("# Hello\n\nx", fields={"title": "Hello"})
    assert "title: Other" in revise("# Hello\n\nx", fields={"title": "Other"})
    with pytest.raises(InvalidInput, match="'title'"):
        revise("# Hello\n\nx", fields={"title": "x" * 501})


@pytest.mark.parametrize(
    ("front", "fields", "names"),
    [("tag: y", {"tags": ("a",)}, ("a",)), ("tag: y", {"tags": ()}, ()), ("alias: y", {"aliases": ("a",)}, ("a",))],
)
def test_the_other_spelling_of_a_field_does_not_outlive_it(
    front: str, fields: dict[str, Any], names: tuple[str, ...]
) -> None:
    metadata = read(revise(f"---\n{front}\n---\nhi", fields=fields)).metadata
    assert metadata.tags + metadata.aliases == names


# --- the body


def test_a_new_body_takes_on_the_line_ends_of_the_file() -> None:
    changed = revise("---\r\nversion: 1\r\n---\r\nold\r\n", body="one\ntwo\n")
    assert changed.endswith("---\r\none\r\ntwo\r\n")
    assert "\n" not in changed.replace("\r\n", "")


def test_a_body_that_looks_like_frontmatter_is_a_body_and_warned_of() -> None:
    body = "---\ntitle: mine\n---\ntext\n"
    for text in ("plain\n", f"---\nid: {OWN}\n---\nold\n"):
        changed = revise(text, body=body)
        assert body_of(changed) == body
        assert read(changed).metadata.title == "a"
    assert warnings_of(body)
    assert warnings_of("# T\n\n---\n\ntext") == ()


def test_a_block_that_ends_with_the_file_is_parted_from_a_new_body() -> None:
    for changed in (
        revise("---\nversion: 1\n---", body="text"),
        change("---\nversion: 1\n---", EditKind.APPEND, "text"),
    ):
        assert body_of(changed).rstrip() == "text"
        assert read(changed).metadata.version == 2


def test_an_edit_leaves_line_ends_alone_that_it_was_not_asked_to_change() -> None:
    text = f"---\r\nid: {OWN}\r\n---\r\none\ntwo\r\nthree\n"
    assert body_of(change(text, EditKind.APPEND, "four")) == "one\ntwo\r\nthree\nfour\n"
    assert change("---\r\nversion: 1\r\n---\r\n", EditKind.APPEND, "a\nb").endswith("---\r\na\r\nb\r\n")


def test_an_edit_tells_how_often_it_replaced() -> None:
    text = "a b a"
    note, revision = read(text), Revision(agent="ann")
    edit = Edit(kind=EditKind.FIND_REPLACE, content="c", find="a", every=True)
    changed, replaced = edited(text, entry_of(note), note, edit, revision, now=NOW)
    assert (body_of(changed), replaced) == ("c b c", 2)
    with pytest.raises(Ambiguous):
        change(text, EditKind.FIND_REPLACE, "c", find="a")
    with pytest.raises(InvalidInput):
        change(text, EditKind.FIND_REPLACE, "c", find="z")


# --- what is left alone


@pytest.mark.parametrize("front", ['summary: "a" (b #1)', "{a: 1}", "a: 1\na: 2"])
def test_frontmatter_that_cannot_be_edited_safely_is_not_edited(front: str) -> None:
    with pytest.raises(Refused):
        revise(f"---\n{front}\n---\nhi\n", body="new\n")


def test_what_is_not_utf8_is_named_by_its_line() -> None:
    with pytest.raises(NotUtf8, match="line 2") as refusal:
        decoded(b"# hi\n\xff\xfe tail", "a.md")
    assert refusal.value.details["line"] == 2
    assert decoded("\ufeffé".encode(), "a.md") == "\ufeffé"


# --- typed links


def test_links_of_one_type_give_way_and_the_others_stay_as_written() -> None:
    before = '---\nlinks:\n  next: ["[[b]]"]   # then\n  related:\n    - x\n    - [[c]]\nmood: calm\n---\nb\n'
    after = revise(before.replace("    - [[c]]\n", ""), links={"related": [NoteId(OTHER)], "invokes": [OWN]})
    assert '  next: ["[[b]]"]   # then\n' in after
    assert f"  related: [{OTHER}]\n  invokes: [{OWN}]\nmood: calm\n" in after


@pytest.mark.parametrize(
    "text", ["b\n", "---\ntitle: T\n---\nb\n", "---\nlinks:\n---\nb\n", "---\nlinks: {}\n---\nb\n"]
)
def test_links_are_begun(text: str) -> None:
    assert read(revise(text, links={"next": [NoteId(OTHER)]})).metadata.typed_links == {"next": (OTHER,)}


@pytest.mark.parametrize("links", ["[a, b]", "see there", "{docs: https://a.example}"])
def test_links_that_are_the_users_own_are_left_alone(links: str) -> None:
    with pytest.raises(Refused, match="links"):
        revise(f"---\nlinks: {links}\n---\nb\n", links={"next": [NoteId(OTHER)]})


def test_a_body_with_a_nul_of_its_own_is_edited_around_it() -> None:
    text = "one\x00 two\n"
    assert body_of(change(text, EditKind.FIND_REPLACE, "three", find="two")) == "one\x00 three\n"
    with pytest.raises(InvalidInput, match="NUL"):
        change(text, EditKind.APPEND, "four\x00")
