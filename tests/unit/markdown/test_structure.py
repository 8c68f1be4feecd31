from __future__ import annotations

import pytest

from trilith.markdown.structure import Kind, plain_text, read_blocks


def headings(text: str) -> list[tuple[int, str, int]]:
    return [(heading.level, heading.text, heading.line) for heading in read_blocks(text).headings]


def test_headings_of_both_kinds() -> None:
    text = "# One #\n\ntext\n\nTwo\nlines\n---\n\n### *Three* `x` ###\n#Not\n"
    assert headings(text) == [(1, "One", 1), (2, "Two lines", 5), (3, "Three x", 9)]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# x\n```",
        "~~~\n# x",
        "    # x",
        "<!--\n# x\n-->",
        "> # x",
        "- # x",
        "#x",
        "\\# x",
        "####### x",
        "<pre>\n# x\n</pre>",
    ],
)
def test_what_is_no_heading_of_the_document(text: str) -> None:
    assert headings(text) == []


def test_offsets_and_lines_with_any_line_end() -> None:
    text = "a\r\n\r\n# One\r\ntext\r# Two\n"
    blocks = read_blocks(text, first_line=10)
    assert [(text[h.start : h.start + 5], h.line) for h in blocks.headings] == [("# One", 12), ("# Two", 14)]


def test_code_is_apart_from_the_regions() -> None:
    text = "para\n\n```py\ncode\n```\n\n    indented\n\n- item\n\n  ~~~~\n  more\n  ~~~~\n\n<script>\nx\n</script>\n"
    blocks = read_blocks(text)
    assert [code.fence for code in blocks.code] == ["```", "", "~~~~", ""]
    outside = "".join(text[region.start : region.end] for region in blocks.regions)
    assert outside.split() == ["para", "-", "item"]


def test_kinds_of_regions() -> None:
    text = "# h\ntext\n\n<div>\nhtml\n</div>\n\n> ## quoted\n\n|a|b|\n|-|-|\n|c|d|\n"
    kinds = [(text[region.start : region.end].strip(), region.kind) for region in read_blocks(text).regions]
    assert kinds == [
        ("# h", Kind.HEADING),
        ("text", Kind.TEXT),
        ("<div>\nhtml\n</div>", Kind.HTML),
        ("> ## quoted", Kind.HEADING),
        ("|a|b|", Kind.TEXT),
        ("|-|-|", Kind.TEXT),
        ("|c|d|", Kind.TEXT),
    ]


def test_what_is_nested_too_deep_is_still_text() -> None:
    text = "\n".join("  " * depth + "- item" for depth in range(100))
    blocks = read_blocks(text)
    covered = "".join(text[region.start : region.end] for region in blocks.regions)
    assert covered.count("item") == 100


def test_empty_and_blank_texts_have_no_blocks() -> None:
    for text in ("", "\n\n", " \t\r\n"):
        blocks = read_blocks(text)
        assert (blocks.headings, blocks.regions, blocks.code) == ((), (), ())


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("Open items #work", "Open items #work"),
        ("**Bold** and _i_ and ~~gone~~", "Bold and i and gone"),
        ("snake_case_name", "snake_case_name"),
        ("`__init__` \\*x\\* &amp;", "__init__ *x* &"),
        ("[[Note|Shown]] [[Other]] [text](url)", "Shown Other text"),
        ("==marked== a == b", "marked a == b"),
        ("a <b>c</b> <!-- d -->", "a c"),
        ("![alt](x.png)", "alt"),
        ("C#", "C#"),
        ("two\nlines", "two lines"),
    ],
)
def test_plain_text_of_a_heading(source: str, plain: str) -> None:
    assert plain_text(source) == plain


def test_a_heading_without_end_is_cut() -> None:
    assert len(plain_text("*a* " * 10_000)) <= 500
