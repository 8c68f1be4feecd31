"""One field changes, nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trilith.errors import Refused
from trilith.markdown.editing import set_fields
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.values import to_json
from trilith.markdown.yamltree import Scalar, Sequence
from trilith.model.change import FieldValue

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
    assert "tags:\n  - one   # first\n  - three\n\n# the state\n" in edited
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


@settings(deadline=None)
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


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
def test_any_list_reads_back_as_it_was_set(values: list[str]) -> None:
    fields = read_frontmatter(set_fields(BLOCK, {"tags": values, "aliases": values})).fields.items
    for key in ("tags", "aliases"):
        node = fields[key]
        assert isinstance(node, Sequence)
        assert [item.text for item in node.items if isinstance(item, Scalar)] == values


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("k: a  # c", "b", "k: b  # c"),
        ("k: 'a'", "a", "k: 'a'"),
        ("k: # c", "b", "k: b # c"),
        ("k:   ", "b", "k: b"),
        ("k:\n  a  # c", "b", "k:\n  b  # c"),
        ("k: 'a\n  b'  # c", "b", "k: b  # c"),
        ("k: a\n  b  # c", "b", "k: b  # c"),
        ("k: |  # c\n  a\n\n  # no comment", "b", "k: b"),
        ("k: |2-\n    a\n   b", "b", "k: b"),
        ("k: >\n\n  a", "b", "k: b"),
        ("k: !!str a # c", "b", "k: b # c"),
        ("'k' : a", "b", "'k' : b"),
        ('"k":\n- a', "b", '"k": b'),
        ("k: a  # c", ["b"], "k: [b]  # c"),
        ("k: [a]  # c", ["b"], "k: [b]  # c"),
        ("k: [a,\n  b, # b\n] # c", ["b"], "k: [b] # c"),
        ("k: [a]", ["a"], "k: [a]"),
        ("k:", ["b"], "k: [b]"),
        ("k:\n- a # 1\n- b # 2", ["b", "c"], "k:\n- b # 2\n- c"),
        ("k: # c\n  -   a\n  # 2\n  -   b", ["a", "c"], "k: # c\n  -   a\n  # 2\n  -   c"),
        ("k:\n  - 'a'\n  -", ["a", "b"], "k:\n  - a\n  - b"),
        ("k:\n  -\n    a\n  - b", ["b"], "k:\n  - b"),
        ("k:\n  - |\n    a\n    # no comment", ["b"], "k:\n  - b"),
        ("k:\n  - {a: 1}\n  - [b]", ["b"], "k:\n  - b"),
        ("k:\n  a: [x]  # c\n  b:\n  - y  # c\n  c: z", {"b": ["y"], "c": ["x"]}, "k:\n  b:\n  - y  # c\n  c: [x]"),
        ("k: {a: [x]}  # c", {"a": ["z"]}, "k: {a: [z]}  # c"),
        ("k: [x]", {"a": ["z"], "b": []}, "k: {a: [z]}"),
        ("k:\n- x", {"a": ["z"]}, "k:\n  a: [z]"),
        ("k:\n  a: x", ["z"], "k: [z]"),
        ("k: *x  # c", "b", "k: b  # c"),
        ("k:\n- *x\n- a\n- *x", ["a"], "k:\n- a"),
        ("k: &y a", "b", "k: b"),
        ("k: !!seq\n  - a", ["a", "b"], "k: [a, b]"),
        ("k: 1", "null", 'k: "null"'),
        ("k: true", True, "k: true"),
        ("k: '1'", 1, "k: '1'"),
        ("k: null", "null", 'k: "null"'),
        ("k:", None, None),
        ("k: |\n  a", "", None),
        ("k:\n- a\n# in", {}, None),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_field_in_each_of_its_forms(
    field: str, value: str | bool | list[str] | dict[str, list[str]] | None, expected: str | None, line_end: str
) -> None:
    above, below = "---\nkk: &x a\n# above\n", "\n# below\n\nk2:\n- z\n...\nk: body\n"
    edited = set_fields(f"{above}{field}{below}".replace("\n", line_end), {"k": value})
    comment = "\n# in" if field.endswith("# in") else ""
    wanted = (
        f"{above}{comment.lstrip()}{below[0] if comment else ''}{below[1:]}"
        if expected is None
        else f"{above}{expected}{below}"
    )
    assert edited.replace("\r\n" if line_end == "\r\n" else line_end, "\n") == wanted


@pytest.mark.parametrize(
    ("block", "changes", "expected"),
    [
        ("  a: 1\n  b:\n    - x\n", {"a": "c", "b": ["x", "z"], "d": 2}, "  a: c\n  b:\n    - x\n    - z\n  d: 2\n"),
        ("? k\n: 1\nb: 2\n", {"b": "c", "d": 2}, "? k\n: 1\nb: c\nd: 2\n"),
        ("\"a\\\"b\": 1\n'it''s': 2\n", {'a"b': "c", "it's": "d"}, "\"a\\\"b\": c\n'it''s': d\n"),
        ("state: a\nstate_2: b\nmy state: c\n", {"state": "d"}, "state: d\nstate_2: b\nmy state: c\n"),
        ("a: |\n  b: 1\nb: 2\n", {"b": "c"}, "a: |\n  b: 1\nb: c\n"),
        ("a:\n  b: 1\n", {"b": "c"}, "a:\n  b: 1\nb: c\n"),
        ("# only a comment\n", {"b": "c"}, "# only a comment\nb: c\n"),
        ("мой ключ: 1\n", {"мой ключ": "c", "é": "d"}, "мой ключ: c\né: d\n"),
        ("a: 1\n", {"b: c": "d", "on": "e", "---": "f"}, 'a: 1\n"b: c": d\n"on": e\n"---": f\n'),
        ("&k a: 1\nb: *k\n", {"a": "c"}, "&k a: c\nb: *k\n"),
        ("a:\n- x\n# one\nb: 1\n# two\nc: 2\n", {"b": None}, "a:\n- x\n# one\n# two\nc: 2\n"),
    ],
)
def test_keys_of_all_kinds(block: str, changes: dict[str, str | int | list[str] | None], expected: str) -> None:
    assert set_fields(f"---\n{block}---\nx", changes) == f"---\n{expected}---\nx"


@pytest.mark.parametrize(
    ("block", "changes"),
    [
        ("? k\n: 1\nb: 2\n", {"k": "c"}),
        ("a: &x [y]\nb: *x\n", {"a": ["z"]}),
        ("a: &x 1\nb: *x\n", {"a": None}),
        ("~\n", {"a": "b"}),
        ("a: |+\n  x\nb: 1\n\n\n", {"b": None}),
        ("\nk: a\n# c\n", {"k": None}),
    ],
)
def test_a_field_that_cannot_be_changed_by_itself_is_refused(block: str, changes: dict[str, str | list[str]]) -> None:
    with pytest.raises(Refused):
        set_fields(f"---\n{block}---\nx", changes)


def test_text_between_rules_is_no_frontmatter_and_gets_one() -> None:
    text = "---\njust text\n---\n"
    assert set_fields(text, {"version": 1}) == f"---\nversion: 1\n---\n{text}"


def test_many_blank_lines_in_a_list_take_no_time() -> None:
    text = "---\na:\n- b\n" + "\n" * 60_000 + "- c\n---\n"
    assert set_fields(text, {"a": ["c"]}) == "---\na:\n- c\n---\n"


FORMS = [
    "{}: a",
    "{}: 'a: b'  # c",
    "{}:",
    "{}:   # c",
    "{}: |\n  t\n  # no comment",
    "{}: >-\n    t\n\n    u",
    "{}:\n- a # c\n- b",
    "{}:\n  - a\n  # in\n  - b",
    "{}: [a, b] # c",
    "{}: [a,\n   b # i\n  ] # c",
    "{}: {{x: [1]}}",
    "{}:\n  x: [1] # c\n  y:\n  - 2",
    '{}: "a\n  b" # c',
    "{}: a\n  b c",
    "'{}' : 2026-03-01",
    "{}: !!str 1",
    "{}:\n\n  - a",
    "{}:\n- \n- a",
    "{}:\n- - a\n  - b",
    "{}:\n# c\n  x: 1",
]
KEYS = ["k", "k1", "kk", "k 2", "ключ", "on", "k.x", "tags"]
VALUES = st.one_of(
    st.none(),
    st.text(alphabet="ab :#-'\"[]{},&*!|>%@`\\\n\té1y~", max_size=6),
    st.integers(-3, 99_999),
    st.booleans(),
    st.lists(st.sampled_from(["a", "b", "c d", "x, y", "1", "", "- a", "null"]), max_size=3),
    st.dictionaries(st.sampled_from(["x", "y", "a b"]), st.lists(st.sampled_from(["1", "2"]), max_size=2), max_size=2),
)


@st.composite
def blocks(draw: st.DrawFn) -> list[tuple[str | None, str]]:
    """The lines of a block: those of its keys, and between them comments and blank lines, which are no key's."""
    pieces: list[tuple[str | None, str]] = []
    for key in draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1, max_size=4)):
        pieces.append((key, draw(st.sampled_from(FORMS)).format(key) + "\n"))
        pieces += [(None, line) for line in draw(st.lists(st.sampled_from(["\n", "# c\n", "# k: x\n"]), max_size=2))]
    return pieces


@settings(max_examples=150, deadline=None)
@given(
    blocks(), st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=2), st.sampled_from(["\n", "\r\n"])
)
def test_whatever_a_block_holds_only_the_lines_of_its_changed_fields_change(
    pieces: list[tuple[str | None, str]], changes: dict[str, FieldValue | None], line_end: str
) -> None:
    text = f"---\n{''.join(lines for _, lines in pieces)}zz: last\n---\n# Body\n".replace("\n", line_end)
    edited = set_fields(text, changes)
    rest = edited
    for key, lines in pieces:
        if key not in changes:
            _, found, rest = rest.partition(lines.replace("\n", line_end))
            assert found
    assert rest.endswith("---\n# Body\n".replace("\n", line_end))
    assert set_fields(edited, changes) == edited
    fields = read_frontmatter(edited).fields.items
    for key, value in changes.items():
        if isinstance(value, list) and value:
            assert to_json(fields[key]) == value
