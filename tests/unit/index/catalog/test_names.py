from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.index.catalog.names import (
    KINDS,
    Wanted,
    folder_key,
    folder_of,
    key_of,
    names_of,
    path_key,
    storable,
    suffixes,
    wanted,
)
from trilith.model.ids import NoteId
from trilith.model.note import Link, LinkKind, Metadata
from trilith.ports.catalog import NameKind


def test_a_note_answers_to_its_path_suffixes_stem_id_title_and_aliases() -> None:
    metadata = Metadata(title="The Title", aliases=("Al", "b/al.md", "", " /"), extra={"id": "DEC-1"})
    names = names_of("A/b/C d/E.v2.md", NoteId("some-id"), metadata)
    assert {(name.key, KINDS[name.kind]) for name in names} == {
        ("a/b/c d/e.v2", NameKind.PATH),
        ("b/c d/e.v2", NameKind.SUFFIX),
        ("c d/e.v2", NameKind.SUFFIX),
        ("e.v2", NameKind.STEM),
        ("some-id", NameKind.ID),
        ("the title", NameKind.TITLE),
        ("al", NameKind.ALIAS),
        ("b/al", NameKind.ALIAS),
        ("dec-1", NameKind.ALIAS),
    }


def test_kinds_are_kept_in_the_order_of_resolution() -> None:
    assert [kind.value for kind in KINDS] == ["path", "suffix", "stem", "id", "title", "alias"]


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("A.md", "a"),
        ("a.MD", "a"),
        ("b/A.Markdown", "b/a"),
        ("b/.markdown", "b/.markdown"),
        (".md", ".md"),
        ("a.md.md", "a.md"),
        ("a.txt", "a.txt"),
        ("./x//y/../Z.md", "x/z"),
        ("../../a", "a"),
        ("E\u0301.md", "é"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("a ", "a "),
        ("", ""),
    ],
)
def test_keys_of_paths(path: str, key: str) -> None:
    assert path_key(path) == key


def test_keys_of_names_have_no_spaces_around() -> None:
    assert key_of("  A b ") == "a b"
    assert key_of(" / ") == ""


@pytest.mark.parametrize(
    ("link", "folder", "found"),
    [
        (Link(LinkKind.WIKI, "A/B.md"), "f", Wanted(None, "a/b")),
        (Link(LinkKind.WIKI, "/a"), "f", Wanted(None, "a")),
        (Link(LinkKind.WIKI, "./a"), "f/g", Wanted("f/g/a", "a")),
        (Link(LinkKind.WIKI, "../a"), "f/g", Wanted("f/a", "a")),
        (Link(LinkKind.EMBED, "a"), "f", Wanted(None, "a")),
        (Link(LinkKind.MARKDOWN, "a.md"), "f", Wanted("f/a", "a")),
        (Link(LinkKind.MARKDOWN, "a.md"), "", Wanted(None, "a")),
        (Link(LinkKind.MARKDOWN, "../f/a.md"), "f", Wanted(None, "f/a")),
        (Link(LinkKind.MARKDOWN, "/a.md"), "f", Wanted(None, "a")),
        (Link(LinkKind.MARKDOWN, "../../a.md"), "f", Wanted(None, None)),
        (Link(LinkKind.WIKI, "../a"), "", Wanted(None, None)),
        (Link(LinkKind.WIKI, ""), "f", Wanted(None, None)),
        (Link(LinkKind.MARKDOWN, "."), "f", Wanted(None, None)),
        (Link(LinkKind.TYPED, "ID/x.md", relation="r"), "f", Wanted(None, "id/x")),
    ],
)
def test_what_links_ask_for(link: Link, folder: str, found: Wanted) -> None:
    assert wanted(link, folder) == found


def test_folders() -> None:
    assert folder_of("a/b/c") == "a/b"
    assert folder_of("c") == ""
    assert folder_key("/A/b.md/") == "a/b.md"
    assert suffixes("A/b/C.png") == ["a/b/c.png", "b/c.png", "c.png"]


@given(st.text(alphabet=st.characters(), max_size=20))
def test_keys_take_any_text_and_are_their_own_keys(text: str) -> None:
    key = key_of(text)
    key.encode()
    assert storable(text) == text or "\ufffd" in storable(text) or "?" in storable(text)
    if not key.endswith(".md"):
        assert key_of(key) == key.strip()


def test_half_characters_are_replaced_one_for_one() -> None:
    assert storable("a\ud83db") == "a?b"
    assert storable("ä") == "ä"


parts = st.sampled_from(("a", "b", "..", ".", "A.md"))


@given(st.lists(parts, min_size=1, max_size=5), st.lists(st.sampled_from("abc"), max_size=3))
def test_what_answers_to_the_near_path_answers_to_the_key(target: list[str], folder: list[str]) -> None:
    found = wanted(Link(LinkKind.MARKDOWN, "/".join(target)), "/".join(folder))
    if found.near is not None:
        assert f"/{found.near}".endswith(f"/{found.key}")
