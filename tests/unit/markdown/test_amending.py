"""A part of a body changes, the rest stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trilith.errors import Ambiguous, InvalidInput
from trilith.markdown.amending import append, find_and_replace, prepend, replace_section
from trilith.markdown.sections import section_spans
from trilith.markdown.structure import read_blocks

BODY = """# Plan

Intro.

## Open items

- one

### Later

- two

## Done

- three
"""


def replaced(body: str, path: Sequence[str] | str, replacement: str) -> str:
    wanted = (path,) if isinstance(path, str) else path
    return replace_section(body, read_blocks(body).headings, wanted, replacement)


@pytest.mark.parametrize(
    ("body", "addition", "expected"),
    [
        ("", "x", "x\n"),
        ("a", "x", "a\nx\n"),
        ("a\n", "x\n", "a\nx\n"),
        ("a\n\n", "x\n\n", "a\n\nx\n\n"),
        ("a\r\nb", "x\ny", "a\r\nb\r\nx\r\ny\r\n"),
        ("a\rb\r", "x\ny", "a\rb\rx\ry\r"),
        ("a\n", "", "a\n"),
        ("a", "---\nx", "a\n\n---\nx\n"),
        ("a\n", "===", "a\n\n===\n"),
        ("a\n\n", "---", "a\n\n---\n"),
        ("", "---", "---\n"),
    ],
)
def test_append(body: str, addition: str, expected: str) -> None:
    assert append(body, addition) == expected


@pytest.mark.parametrize(
    ("body", "addition", "expected"),
    [("", "x", "x\n"), ("a", "x\n", "x\na"), ("a\r\nb", "x\ny", "x\r\ny\r\na\r\nb"), ("a", "", "a")],
)
def test_prepend(body: str, addition: str, expected: str) -> None:
    assert prepend(body, addition) == expected


def test_a_body_of_one_line_takes_the_line_ends_of_its_file() -> None:
    assert append("a", "x\ny", "\r\n") == "a\r\nx\r\ny\r\n"
    assert prepend("a", "x\ny", "\r\n") == "x\r\ny\r\na"
    assert prepend("a\nb", "x", "\r\n") == "x\na\nb"
    assert find_and_replace("a", "a", "x\ny", every=False, line_end="\r\n") == ("x\r\ny", 1)


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    assert replaced(BODY, "Open items", "- new\n") == BODY.replace("- one\n\n### Later\n\n- two", "- new")
    assert replaced(BODY, "Later", "- new") == BODY.replace("- two", "- new")
    assert replaced(BODY, "Done", "- new") == BODY.replace("- three", "- new")
    assert replaced(BODY, "Plan", "all new") == "# Plan\n\nall new\n"


@pytest.mark.parametrize(
    ("body", "replacement", "expected"),
    [
        ("# A\n\nold\n\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A\nold\n# B\n", "new\n", "# A\nnew\n# B\n"),
        ("# A\n\n\nold\n\n\n# B\n", "new\n\n", "# A\n\n\nnew\n\n\n# B\n"),
        ("# A\n\nold\n\n# B\n", "\nnew\n", "# A\n\nnew\n\n# B\n"),
        ("# A\n\nold\n\n# B\n", "", "# A\n\n# B\n"),
        ("# A\n\nold\n", "", "# A\n"),
        ("# A\nold\n# B\n", " \n", "# A\n# B\n"),
        ("# A\n# B\n", "new", "# A\nnew\n\n# B\n"),
        ("# A\n\n# B\n", "new", "# A\n\nnew\n\n# B\n"),
        ("# A\n\n# B\n", "", "# A\n\n# B\n"),
        ("# A", "new", "# A\nnew\n"),
        ("# A", "", "# A"),
        ("# A\n\nold", "new\n", "# A\n\nnew"),
        ("# A\n\nold\n", "new", "# A\n\nnew\n"),
        ("a\n\nA\n===\nold\n\nB\n===\n", "new", "a\n\nA\n===\nnew\n\nB\n===\n"),
        ("# A\nold\n\n## Sub\n\nmore\n\n# B\n", "new", "# A\nnew\n\n# B\n"),
        ("# A\r\n\r\nold\r\n\r\n# B\r\n", "one\ntwo\n", "# A\r\n\r\none\r\ntwo\r\n\r\n# B\r\n"),
        ("# A\rold\r# B\r", "one\ntwo", "# A\rone\rtwo\r# B\r"),
        ("# A\nold\n# B\n", "    code  \n", "# A\n    code\n# B\n"),
        ("# A\nold\n# B\n", "<div>\n", "# A\n<div>\n\n# B\n"),
    ],
)
def test_a_section_gives_way_and_the_blank_lines_around_it_stay(body: str, replacement: str, expected: str) -> None:
    assert replaced(body, "A", replacement) == expected


@pytest.mark.parametrize(
    "repeated",
    ["# A #b\n", "\n# A #b\n\n", "## A #b ##\n", "  # A #b\n", "A #b\n====\n", "# **A** #b\r\n", "# A \\#b\n"],
)
def test_a_replacement_that_repeats_its_heading_does_not_double_it(repeated: str) -> None:
    assert replaced("# *A* #b\n\nold\n", "# A #b", f"{repeated}new\n") == "# *A* #b\n\nnew\n"


@pytest.mark.parametrize("other", ["# B", "#hashtag", "x\n# A", "```\n# A\n```"])
def test_another_first_line_is_no_repetition(other: str) -> None:
    assert replaced("# A\nold\n", "A", other) == f"# A\n{other}\n"


@pytest.mark.parametrize("opened", ["```\ncode", "~~~~\n~~~", "<!-- note", "<script>", "<pre>\n\n"])
def test_what_would_swallow_the_sections_below_is_refused(opened: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        replaced("# A\nold\n\n# B\n\ntext\n", "A", opened)
    assert refused.value.details["field"] == "content"
    assert replaced("# A\nold\n", "A", opened) == f"# A\n{opened.rstrip()}\n"


def test_a_heading_that_stands_twice_is_told_by_those_above_it() -> None:
    body = "# A\n\n## Notes\n\none\n\n# B\n\n## Notes\n\ntwo\n"
    with pytest.raises(Ambiguous, match="lines 3, 9") as several:
        replaced(body, "Notes", "new")
    assert several.value.details["lines"] == [3, 9]
    assert replaced(body, ("B", "Notes"), "new") == body.replace("two", "new")
    assert replaced(body, ("# A", "## Notes"), "new") == body.replace("one", "new")


@pytest.mark.parametrize("wanted", ["Open", "open items", "Open items #work", "### Open items"])
def test_a_heading_is_never_guessed_and_near_ones_are_named(wanted: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        replaced(BODY, wanted, "x")
    assert refused.value.details["near"][0] == "## Open items"


@pytest.mark.parametrize(
    ("path", "named"), [(("C", "Done"), "C > Done"), (("Done", "Later"), "Later"), ((), "heading")]
)
def test_a_path_of_headings_that_is_not_there(path: tuple[str, ...], named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        replaced(BODY, path, "x")


def test_code_is_no_heading() -> None:
    body = "# A\n\n```\n# not one\n```\n\nold\n"
    with pytest.raises(InvalidInput):
        replaced(body, "not one", "x")
    assert replaced(body, "A", "x") == "# A\n\nx\n"


@pytest.mark.parametrize(
    ("body", "find", "new", "expected"),
    [
        ("a.b a+b", "a.b", "+", "+ a+b"),
        ("a\\1", "\\1", "\\2\\g<0>", "a\\2\\g<0>"),
        ("a\r\nb", "a\nb", "x\ny", "x\r\ny"),
        ("a\nb\r\nc", "b\nc", "x\ny", "a\nx\ny"),
        ("z\na\r\nb", "a\r\nb", "x", "z\nx"),
        ("a\r\nb", "\n", " ", "a b"),
        ("a\r\nb", "\nb", "\nc", "a\r\nc"),
        ("a\r\nb", "a\r", "c\r", "c\r\nb"),
        ("a\rb", "\n", "\n\n", "a\r\rb"),
        ("é知", "知", "", "é"),
    ],
)
def test_text_is_replaced_as_it_stands_whatever_its_line_ends(body: str, find: str, new: str, expected: str) -> None:
    assert find_and_replace(body, find, new, every=False) == (expected, 1)


def test_several_are_replaced_only_when_that_is_asked_for() -> None:
    with pytest.raises(Ambiguous, match="3 times") as several:
        find_and_replace("aXaXa", "a", "b", every=False)
    assert several.value.details["count"] == 3
    assert find_and_replace("aXaXa", "a", "aa", every=True) == ("aaXaaXaa", 3)


@pytest.mark.parametrize("find", ["", "A", "a\n\nb", "\r\n"])
def test_what_is_not_there_is_refused(find: str) -> None:
    with pytest.raises(InvalidInput, match="'find'"):
        find_and_replace("ab", find, "x", every=True)


BLOCKS = st.sampled_from(
    [
        "text",
        "# A",
        "## A",
        "## B #t",
        "### C",
        "Set\n===",
        "Set\n---",
        "- # no",
        "> # no",
        "```\n# no\n```",
        "",
        "| a |\n|---|",
    ]
)
BODIES = st.lists(BLOCKS, min_size=1, max_size=8).map("\n".join)


@settings(deadline=None)
@given(BODIES, st.one_of(BODIES, st.sampled_from(["", "```", "<!--", "<div>", "\n\nx  \n\n"])), st.data())
def test_whatever_stands_there_all_other_sections_stay(body: str, replacement: str, data: st.DataObject) -> None:
    headings = read_blocks(body).headings
    spans = section_spans(body, headings)
    assume(spans)
    span = data.draw(st.sampled_from(spans))
    try:
        edited = replaced(body, "#" * span.heading.level + " " + span.heading.text, replacement)
    except Ambiguous:
        return
    except InvalidInput:
        assert span.end < len(body)
        return
    assert edited.startswith(body[: span.content])
    assert edited.endswith(body[span.end :])
    after = section_spans(edited, read_blocks(edited).headings)
    above = [each.heading for each in spans if each.start <= span.start]
    below = [each.heading.text for each in spans if each.start >= span.end]
    assert [each.heading for each in after[: len(above)]] == above
    assert [each.heading.text for each in after[len(after) - len(below) :]] == below
