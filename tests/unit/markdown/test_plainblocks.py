"""Blocks that are told without a parser are those that the parser tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trilith.markdown import structure
from trilith.markdown.plainblocks import Piece, pieces
from trilith.markdown.structure import Blocks, read_blocks

LINES = st.sampled_from(
    [
        "text",
        "Text a | b",
        "- item",
        "* x",
        "1. one",
        "10. ten",
        "# head",
        "# [[a|b]]",
        "```a | b",
        "- a | b",
        "## two ##",
        "#tag words",
        "####### seven",
        "#",
        "# ",
        "```",
        "```py",
        "``` a`b",
        "~~~",
        "````",
        "  ```",
        "   ~~~",
        "    code",
        "\tcode",
        " in",
        "> q",
        "> ```",
        "---",
        "* * *",
        "===",
        "--- |",
        "|---|",
        "| a | b |",
        ":--",
        "-|-",
        "- |",
        "a | b",
        "<div>",
        "</div>",
        "<!-- c",
        "-->",
        "<pre>",
        "</pre>",
        "<?php",
        "<b",
        "",
        "",
        "",
        " ",
        "\t",
        "**bold** a",
        "__b__",
        "*em*",
        "_em_",
        "`code` s",
        "``c``",
        "2024 was",
        "3.14 is",
        "2024. was",
        "- [ ] task",
        "  - sub",
        "\t- sub",
        "- # h",
        "- ```",
        "- 1. x",
        "-",
        "*",
        "[a]: b",
        "\\# esc",
        "é",
        "日本",
        "\x0c",
        "\xa0x",
        "-a",
        "***x",
        "* **b**",
        "_",
        "- _x_",
        "- **",
        "1) a",
        "9999999999. x",
        "٣. x",
        "- ~~s~~",
        "# x#",
        "x\x00y",
    ]
)
END = st.sampled_from(["\n", "\n", "\r\n", "\r"])


def parsed(text: str) -> Blocks:
    """All of it by the parser."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure, "pieces", lambda text: [Piece("stretch", 0, len(text))])
        return read_blocks(text, first_line=5)


@settings(max_examples=600)
@given(st.lists(LINES, max_size=9), END, st.sampled_from(["", "\n", "\n\n", " "]))
def test_the_blocks_are_those_of_the_parser(lines: list[str], end: str, last: str) -> None:
    text = end.join(lines) + last
    assert read_blocks(text, first_line=5) == parsed(text)


def test_most_notes_need_no_parser() -> None:
    text = "# A note\n\nSome text\nover lines.\n\n- [ ] one\n- two\nand more\n\n1. a\n2. b\n\n```py\n# x\n\n```\n---\n**Bold** text\n"
    assert [piece.kind for piece in pieces(text)] == ["heading", *["text"] * 5, "code", "text", "text"]
    assert read_blocks(text, first_line=5) == parsed(text)


def test_only_what_is_odd_is_parsed() -> None:
    text = "One.\n\n- a\n  - b\n\n  c\n\nTwo.\n\n> quoted\n\nThree.\n"
    assert [(piece.kind, text[piece.start : piece.end].strip()) for piece in pieces(text)] == [
        ("text", "One."),
        ("stretch", "- a\n  - b\n\n  c"),
        ("text", "Two."),
        ("stretch", "> quoted"),
        ("text", "Three."),
    ]


@pytest.mark.parametrize("opening", ["<!--", "   ```", "<script>", "<?php", " ~~~", "> a\n```"])
def test_what_reaches_over_blank_lines_is_parsed_with_all_that_follows(opening: str) -> None:
    text = f"One.\n\n{opening}\n\n# Not sure\n\nText.\n"
    assert [piece.kind for piece in pieces(text)] == ["text", "stretch"]


def test_a_text_that_is_odd_everywhere_is_parsed_once() -> None:
    text = "- a\n  - b\n\n" * 3_000
    assert [piece.kind for piece in pieces(text)] == ["stretch"]


@pytest.mark.parametrize("head", ["# [[a|b]]", "```a | b", "~~~a|b"])
def test_the_head_of_a_table_is_one_whatever_it_begins_with(head: str) -> None:
    text = f"One.\n\n{head}\n---|:--\nc | d\n\nTwo.\n"
    assert read_blocks(text, first_line=5) == parsed(text)
