"""Parts of a body change, the rest does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from trilith.errors import Ambiguous, InvalidInput
from trilith.markdown.amending import append, find_and_replace, prepend, replace_section
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


def replaced(body: str, path: Sequence[str] | str, text: str) -> str:
    path = [path] if isinstance(path, str) else path
    return replace_section(body, read_blocks(body).headings, path, text)


@pytest.mark.parametrize(
    ("body", "addition", "expected"),
    [
        ("", "x", "x\n"),
        ("a", "x", "a\nx\n"),
        ("a\n", "x\n", "a\nx\n"),
        ("a\r\n", "x\ny", "a\r\nx\r\ny\r\n"),
        ("a\n", "", "a\n"),
    ],
)
def test_an_addition_is_put_on_lines_of_its_own(body: str, addition: str, expected: str) -> None:
    assert append(body, addition) == expected


def test_what_has_no_line_end_of_its_own_gets_those_of_the_file() -> None:
    assert append("a", "x\ny", "\r\n") == "a\r\nx\r\ny\r\n"
    assert prepend("a", "x", "\r\n") == "x\r\na"
    assert prepend("a\nb", "x", "\r\n") == "x\na\nb"


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    assert replaced(BODY, "Open items", "- new\n") == (
        "# Plan\n\nIntro.\n\n## Open items\n\n- new\n\n## Done\n\n- three\n"
    )
    assert replaced(BODY, "Later", "- new") == BODY.replace("- two", "- new")
    assert replaced(BODY, "Done", "- new") == BODY.replace("- three", "- new")
    assert replaced(BODY, "Plan", "all new") == "# Plan\n\nall new\n"


@pytest.mark.parametrize("heading", ["## Open items", "# Open items", "## Open items ##", "## **Open** items"])
def test_a_replacement_that_repeats_the_heading_does_not_double_it(heading: str) -> None:
    assert replaced(BODY, "Open items", f"{heading}\n\n- new\n") == replaced(BODY, "Open items", "- new\n")


def test_a_replacement_keeps_other_headings_of_its_own() -> None:
    changed = replaced(BODY, "Open items", "### Now\n\n- new")
    assert "## Open items\n\n### Now\n\n- new\n\n## Done" in changed


def test_an_empty_replacement_leaves_the_heading() -> None:
    assert replaced(BODY, "Done", "") == BODY.replace("## Done\n\n- three\n", "## Done\n")


@pytest.mark.parametrize("wanted", ["Open", "open items", "Open items #work", "### Open items"])
def test_a_heading_is_never_guessed_and_near_ones_are_named(wanted: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        replaced(BODY, wanted, "x")
    assert refusal.value.details["near"][0] == "## Open items"


def test_the_headings_above_tell_two_of_one_name_apart() -> None:
    body = "# A\n\n## Notes\n\na\n\n# B\n\n## Notes\n\nb\n"
    with pytest.raises(Ambiguous, match="lines 3, 9"):
        replaced(body, "Notes", "x")
    assert replaced(body, ["B", "Notes"], "x") == body.replace("\nb\n", "\nx\n")
    with pytest.raises(InvalidInput, match="C > Notes"):
        replaced(body, ["C", "Notes"], "x")


def test_a_heading_below_a_line_of_marks_is_one_too() -> None:
    assert replaced("Title\n=====\n\nold\n", "Title", "new") == "Title\n=====\n\nnew\n"
    assert replaced("# Only", "Only", "new") == "# Only\nnew\n"


def test_code_is_no_heading() -> None:
    body = "# A\n\n```\n# not one\n```\n\nold\n"
    with pytest.raises(InvalidInput):
        replaced(body, "not one", "x")
    assert replaced(body, "A", "x") == "# A\n\nx\n"


def test_text_is_replaced_as_it_stands() -> None:
    assert find_and_replace("a.b a*b", "a*b", r"\1", every=False) == (r"a.b \1", 1)
    assert find_and_replace("x x", "x", "y", every=True) == ("y y", 2)
    with pytest.raises(Ambiguous, match="2 times"):
        find_and_replace("x x", "x", "y", every=False)
    for find in ("z", ""):
        with pytest.raises(InvalidInput, match="'find'"):
            find_and_replace("x x", find, "y", every=False)


def test_several_lines_are_found_whatever_their_line_ends() -> None:
    assert find_and_replace("a\r\nb\r\nc", "a\nb", "x\ny", every=False) == ("x\r\ny\r\nc", 1)
    assert find_and_replace("z\na\r\nb", "a\r\nb", "x", every=False) == ("z\nx", 1)
