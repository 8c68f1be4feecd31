"""One field changes, nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.errors import Refused
from trilith.markdown.editing import set_fields
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.yamltree import Scalar, Sequence

BLOCK = """---
# who wrote it
title: "A: b"   # keep
date: 2026-03-01
tags:
  - one   # first
  - two

# the state
status: raw  # todo
aliases: [x, y]
nested:
  deep: {a: 1}
---
# Body

text
"""


def test_a_scalar_changes_in_place_and_its_comment_stays() -> None:
    assert set_fields(BLOCK, {"status": "validated"}) == BLOCK.replace(
        "status: raw  # todo", "status: validated  # todo"
    )


def test_a_new_field_comes_last() -> None:
    assert set_fields(BLOCK, {"version": 2}) == BLOCK.replace("  deep: {a: 1}\n", "  deep: {a: 1}\nversion: 2\n")


def test_lists_keep_their_kind() -> None:
    edited = set_fields(BLOCK, {"tags": ["one", "three"], "aliases": ["z"]})
    assert "tags:\n  - one\n  - three\n\n# the state\n" in edited
    assert "aliases: [z]\n" in edited


def test_a_field_is_taken_away_with_its_lines_only() -> None:
    assert set_fields(BLOCK, {"tags": []}) == BLOCK.replace("tags:\n  - one   # first\n  - two\n", "")


def test_a_block_is_made_where_there_is_none() -> None:
    assert set_fields("# Hi\n", {"version": 1}) == "---\nversion: 1\n---\n# Hi\n"
    assert set_fields("", {"title": "T"}) == "---\ntitle: T\n---\n"
    assert set_fields("# Hi\n", {"tags": []}) == "# Hi\n"


def test_windows_line_ends_and_the_byte_order_mark_stay() -> None:
    text = "\ufeff" + BLOCK.replace("\n", "\r\n")
    edited = set_fields(text, {"status": "archived", "version": 3, "tags": ["a"]})
    assert edited.startswith("\ufeff---\r\n")
    assert "\n" not in edited.replace("\r\n", "")


def test_an_empty_value_and_an_empty_block_are_filled() -> None:
    assert set_fields("---\nsummary:\ntitle: t\n---\n", {"summary": "s"}) == "---\nsummary: s\ntitle: t\n---\n"
    assert set_fields("---\n---\nx", {"version": 1}) == "---\nversion: 1\n---\nx"


def test_a_block_scalar_gives_way_whole() -> None:
    text = "---\nsummary: |\n  one\n  two\ntitle: t\n---\n"
    assert set_fields(text, {"summary": "s"}) == "---\nsummary: s\ntitle: t\n---\n"


def test_typed_links_are_a_map_of_lists() -> None:
    assert set_fields("x", {"links": {"related": ["a"]}}) == "---\nlinks:\n  related: [a]\n---\nx"


@pytest.mark.parametrize("text", ['---\nsummary: "a" (b #1)\n---\nx', "---\na: 1\na: 2\n---\n", "---\n{a: 1}\n---\n"])
def test_what_cannot_be_read_or_parted_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        set_fields(text, {"version": 2})


@given(st.text(max_size=40))
def test_any_text_reads_back_as_it_was_set(value: str) -> None:
    edited = set_fields(BLOCK, {"status": value, "title": value})
    fields = read_frontmatter(edited).fields.items
    if value == "":
        assert "status" not in fields
        return
    for key in ("status", "title"):
        node = fields[key]
        assert isinstance(node, Scalar)
        assert node.text == value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert edited.endswith("---\n# Body\n\ntext\n")


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
def test_any_list_reads_back_as_it_was_set(values: list[str]) -> None:
    fields = read_frontmatter(set_fields(BLOCK, {"tags": values, "aliases": values})).fields.items
    for key in ("tags", "aliases"):
        node = fields[key]
        assert isinstance(node, Sequence)
        assert [item.text for item in node.items if isinstance(item, Scalar)] == values
