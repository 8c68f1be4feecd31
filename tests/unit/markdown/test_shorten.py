from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trilith.markdown.shorten import shorten
from trilith.markdown.structure import read_blocks


def test_what_fits_is_left_alone() -> None:
    assert shorten("Whole. Text", 11) == ("Whole. Text", False)
    assert shorten("", 0) == ("", False)


def test_zero_gives_nothing() -> None:
    assert shorten("Some text.", 0) == ("", True)


PROSE = "First one. Dr. Smith paid v1.5 of it, e.g. by card. Second? Third!\n\nA new paragraph. It goes on"


@pytest.mark.parametrize(
    ("limit", "end"),
    [
        (10, "First one."),
        (50, "First one."),
        (51, "by card."),
        (58, "by card."),
        (59, "Second?"),
        (66, "Third!"),
        (83, "Third!"),
        (84, "A new paragraph."),
        (94, "A new paragraph."),
    ],
)
def test_the_last_sentence_or_paragraph_within_the_limit(limit: int, end: str) -> None:
    text, truncated = shorten(PROSE, limit)
    assert truncated
    assert PROSE.startswith(text)
    assert text.endswith(end)
    assert len(text) <= limit


@pytest.mark.parametrize(
    ("content", "limit", "text"),
    [
        ("今天整理知识。管理系统！好吗？是的", 8, "今天整理知识。"),
        ("今天整理知识。管理系统！好吗？是的", 12, "今天整理知识。管理系统！"),
        ("こんにちは。「はい。」と言った。次の文", 12, "こんにちは。「はい。」"),
        ("यह है। वह है। और भी", 8, "यह है।"),
        ("정리했다. 다음 문장", 10, "정리했다."),
    ],
)
def test_sentence_ends_of_other_scripts(content: str, limit: int, text: str) -> None:
    assert shorten(content, limit) == (text, True)


@pytest.mark.parametrize(
    ("content", "limit", "text"),
    [
        ("# 1. A heading\n\nText without an end", 20, "# 1. A heading"),
        ("1. one\n2. two of these", 12, "1. one"),
        ("- one\n- two\n- three", 13, "- one\n- two"),
        ("|a|b|\n|-|-|\n|c|d|\n|e|f|\n", 20, "|a|b|\n|-|-|\n|c|d|"),
        ("Soft wrapped\nlines without\nan end", 20, "Soft wrapped\nlines w"),
    ],
)
def test_blocks_are_paragraphs_and_their_numbers_no_sentences(content: str, limit: int, text: str) -> None:
    assert shorten(content, limit) == (text, True)


def test_without_any_end_the_cut_is_hard() -> None:
    assert shorten("word " * 30, 12) == ("word word wo", True)


def test_an_end_far_before_the_limit_is_better_than_a_hard_cut() -> None:
    assert shorten("One sentence. " + "x" * 20_000, 15_000) == ("One sentence.", True)
    assert shorten("One sentence. " + "word " * 20_000, 50_000) == ("One sentence.", True)


@pytest.mark.parametrize("content", ["e\u0301" * 40, "👩\u200d🚀" * 20, "🇩🇪" * 20, "👍🏽" * 20])
def test_a_hard_cut_parts_no_character(content: str) -> None:
    whole = len(content) // 20 if "\u0301" not in content else 2
    for limit in range(len(content)):
        text, _ = shorten(content, limit)
        assert len(text) == limit // whole * whole


CODE = "Intro text here.\n\n```python\nx = 1. \nprint(x)\nfor i in range(10):\n    pass\n```\n\nAfter the code."


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (38, "Intro text here."),
        (39, "Intro text here.\n\n```python\nx = 1. \n```"),
        (47, "Intro text here.\n\n```python\nx = 1. \n```"),
        (48, "Intro text here.\n\n```python\nx = 1. \nprint(x)\n```"),
        (80, CODE.partition("\n\nAfter")[0]),
    ],
)
def test_a_fence_is_closed_within_the_limit(limit: int, text: str) -> None:
    assert shorten(CODE, limit) == (text, True)


@pytest.mark.parametrize(
    ("content", "limit", "text"),
    [
        ("- ````js\n  a();\n  b();\n  c();\n  ````\n", 30, "- ````js\n  a();\n  b();\n  ````"),
        ("> ~~~\n> a\n> b\n> c\n> ~~~\n", 19, "> ~~~\n> a\n> b\n> ~~~"),
        ("```\none long line of code", 15, "```\none lon\n```"),
        ("```\none long line of code", 7, ""),
        ("Text\n\n```\none long line of code", 13, "Text"),
        ("    a\n    b\n    c\n", 12, "    a\n    b"),
    ],
)
def test_code_is_cut_at_its_lines(content: str, limit: int, text: str) -> None:
    assert shorten(content, limit) == (text, True)


def test_a_fence_that_ends_with_its_list_item_is_no_place_to_cut() -> None:
    text, _ = shorten("- ```\n  code\n- next item is here and goes on", 20)
    assert "```" not in text or text.count("```") == 2


PIECES = [
    "Some words",
    ". ",
    "! ",
    "\n\n",
    "\n",
    "# H\n",
    "- ",
    "> ",
    "```\n",
    "~~~~\n",
    "    ",
    "。",
    "e\u0301",
    "🇩🇪",
    "1. ",
    "`",
    "|a|\n|-|\n",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(0, 150))
def test_whatever_the_text_the_answer_is_bounded_and_closed(content: str, limit: int) -> None:
    text, truncated = shorten(content, limit)
    assert truncated == (len(content) > limit)
    assert len(text) <= limit
    if not truncated:
        assert text == content
        return
    kept = text if content.startswith(text) else text[: text.rindex("\n")]
    assert content.startswith(kept)
    assert unicodedata.category((content + " ")[len(kept)]) != "Mn"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Some words. And more.\n\n", "- item\n\n", "```\ncode\nmore code\n```\n\n", "~~~~py\nx = 1\n~~~~\n\n"]
        ),
        max_size=15,
    ).map("".join),
    st.integers(0, 200),
)
def test_every_fence_of_a_shortened_text_is_closed(content: str, limit: int) -> None:
    text, _ = shorten(content, limit)
    for code in read_blocks(text).code:
        lines = text[code.start : code.end].rstrip().split("\n")
        assert len(lines) > 1
        assert lines[-1] == code.fence
