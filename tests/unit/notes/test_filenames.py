from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.access.paths import check
from trilith.notes.filenames import MAX_BYTES, file_name
from trilith.vault.names import is_note, why_skipped


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rate limits", "rate-limits.md"),
        ("  Hello --  World!! ", "hello-world.md"),
        ("Über CAFÉ", "über-café.md"),
        ("U\u0308ber", "über.md"),
        ("知识库", "知识库.md"),
        ("नमस्ते दुनिया", "नमस्ते-दुनिया.md"),
        ("İstanbul", "i̇stanbul.md"),
        ("getUserName v1.0.21", "getusername-v1-0-21.md"),
        ("a/b", "a-b.md"),
        ("a\\b", "a-b.md"),
        ("a:b?", "a-b.md"),
        ("x.", "x.md"),
        (".hidden", "hidden.md"),
        ("a\0b\nc", "a-b-c.md"),
        ("❤\ufe0f love", "love.md"),
        ("1\ufe0f\u20e3 first", "1\u20e3-first.md"),
        ("CON", "con-note.md"),
        ("Com1", "com1-note.md"),
        ("LPT¹", "lpt¹-note.md"),
        ("console", "console.md"),
        ("con 1", "con-1.md"),
    ],
)
def test_a_title_becomes_a_name(title: str, name: str) -> None:
    assert file_name(title) == name


@pytest.mark.parametrize("title", ["", "   ", "???", "🚀", "..", ".", "❤\ufe0f", "\u0301", "\ud800", "---", "\ufe0f"])
def test_a_title_without_letters_gets_a_name_of_its_own(title: str) -> None:
    assert file_name(title).startswith("note-")
    assert file_name(title) != file_name(title + "!")
    assert file_name(title) == file_name(title)


@pytest.mark.parametrize("character", ["x", "é", "知", "𠀀", "q\u0301", "ที่"])
def test_a_long_title_is_cut_between_characters(character: str) -> None:
    name = file_name(character * 300)
    stem = unicodedata.normalize("NFC", name.removesuffix(".md"))
    size = len(character.encode())
    assert MAX_BYTES - size < len(name.encode()) <= MAX_BYTES
    assert stem == unicodedata.normalize("NFC", character) * (len(stem) // len(unicodedata.normalize("NFC", character)))


def test_no_hyphen_is_left_where_a_title_is_cut() -> None:
    assert file_name(f"{'x' * 116} yyy") == f"{'x' * 116}.md"


@given(st.text(max_size=200))
def test_every_name_is_a_path_that_all_systems_take_and_every_walk_shows(title: str) -> None:
    name = file_name(title)
    assert 4 <= len(name.encode()) <= MAX_BYTES
    assert check(name, windows=True) == name
    assert check(name, windows=False) == name
    assert "/" not in name
    assert is_note(name)
    assert why_skipped(name) is None
    assert not name.startswith((".", "-", " "))
    assert not name.removesuffix(".md").endswith((".", " ", "-"))
    assert name == unicodedata.normalize("NFC", name)
