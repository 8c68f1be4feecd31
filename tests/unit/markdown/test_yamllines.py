"""What is read line by line is what a parser of YAML reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trilith.markdown.yamllines import read_lines
from trilith.markdown.yamltree import YamlFailure, read_tree

USUAL = [
    "title: A plan: not yet\n",
    "title: A plan\nauthor: ada\ntags: [a, b/c, 'd e']\ncreated: 2026-03-01T09:30:00Z\n",
    "aliases:\n  - One two\n  - \"x: y\"\nup: '[[Home]]'\n",
    "tags:\n- größe\n- 日本\nempty:\nurl: https://a.example/b?c=d:e\nlast: []\n",
    'links: [ "[[A]]" , b.c ]  \nrating: 4.5\ndone: yes\nnothing: ~\n',
]
PIECES = st.sampled_from(
    [
        "title: ",
        "a",
        "a: b",
        "\n",
        "\n- ",
        "\n  - ",
        ": ",
        " #",
        "#",
        "-",
        "- ",
        "[",
        "]",
        "[]",
        "{",
        "}",
        ",",
        '"',
        "'",
        "''",
        "\\",
        "&x ",
        "*x",
        "!!str ",
        "|",
        ">",
        "%",
        "@",
        "`",
        "?",
        "? ",
        "~",
        "null",
        "12:30",
        "é",
        "日",
        "\xa0",
        "\x85",
        "\u2028",
        "\t",
        "\r",
        "\ufeff",
        "�",
        "😀",
        "  ",
        " ",
        ":",
        "---\n",
        "...\n",
        "<<: ",
        "key:\n",
        "2024-01-01",
        "0x1F",
        "/",
        "(",
        "+",
        ".",
    ]
)


def agrees(source: str) -> bool:
    """Whether a text is read line by line; it is then held against the parser."""
    simple = read_lines(source)
    if simple is None:
        return False
    tree = read_tree(source)
    assert (tree.root, tree.duplicates) == (simple, ())
    assert list(tree.root.items) == list(simple.items)  # type: ignore[union-attr]
    return True


def test_what_people_write_needs_no_parser() -> None:
    assert [agrees(source) for source in USUAL] == [False, True, True, True, False]
    assert agrees('links: [ "[[A]]" , b.c ]  \nrating: 4.5\ndone: yes\n')


@pytest.mark.parametrize(
    "source",
    [
        "",
        "a: b",
        "a: b # c\n",
        "a: |\n  b\n",
        "a: b\n c\n",
        "a: &x b\n",
        "a: b\na: c\n",
        "a: {b: c}\n",
        "- a\n",
        "a:\n  b: c\n",
        "a: [b, [c]]\n",
        "a: 'it''s'\n",
        'a: "\\t"\n',
        "a: b\r\n",
        "a: \x85\n",
        "a:\n- b\n  - c\n",
        "a:\n- b: c\n",
        "a: -\n",
        "a: b:\n",
    ],
)
def test_whatever_is_less_simple_is_left_to_the_parser(source: str) -> None:
    assert read_lines(source) is None


@settings(max_examples=400)
@given(st.sampled_from(USUAL), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 3), PIECES), max_size=3))
def test_texts_that_differ_a_little_from_what_people_write(source: str, changes: list[tuple[int, int, str]]) -> None:
    for place, length, piece in changes:
        source = source[:place] + piece + source[place + length :]
    try:
        agrees(source)
    except YamlFailure as failure:
        raise AssertionError(source) from failure
