from __future__ import annotations

import pytest

from trilith.markdown.sections import SectionSpan, find_sections, near_headings, section_spans
from trilith.markdown.structure import read_blocks

BODY = """Opening.

# Plan

Text.

## Open items #work

- one

### Détails

`x`

## C# and *more* ##

```
# no heading
```

Setext
------
under it

# Plan
last"""


def find(wanted: str, body: str = BODY) -> tuple[SectionSpan, ...]:
    return find_sections(body, read_blocks(body).headings, wanted)


def test_a_section_ends_at_the_next_heading_of_its_level_or_above() -> None:
    (span,) = find("## Open items #work")
    assert BODY[span.start : span.end] == "## Open items #work\n\n- one\n\n### Détails\n\n`x`\n\n"
    assert BODY[span.content : span.end] == "\n- one\n\n### Détails\n\n`x`\n\n"


def test_the_last_section_ends_with_the_body() -> None:
    assert [BODY[span.content : span.end].rsplit(maxsplit=1)[-1] for span in find("Plan")] == ["it", "last"]
    assert find("Plan")[-1].end == len(BODY)


def test_a_heading_of_two_lines_has_its_content_below_both() -> None:
    (span,) = find("Setext")
    assert BODY[span.content : span.end] == "under it\n\n"


def test_code_neither_begins_nor_ends_a_section() -> None:
    (span,) = find("## C# and *more*")
    assert "# no heading" in BODY[span.start : span.end]
    assert find("no heading") == ()


@pytest.mark.parametrize("wanted", ["Détails", "### Détails", "De\u0301tails", " Détails ", "### Détails ###"])
def test_ways_to_name_a_heading(wanted: str) -> None:
    assert len(find(wanted)) == 1


@pytest.mark.parametrize("wanted", ["C# and more", "C# and *more*", "## C# and more ##"])
def test_markup_and_closing_marks_do_not_matter(wanted: str) -> None:
    assert len(find(wanted)) == 1


@pytest.mark.parametrize("wanted", ["Open items", "## Open items", "# Open items #work", "open items #work", "", "##"])
def test_nothing_is_guessed(wanted: str) -> None:
    assert find(wanted) == ()


def test_near_headings_are_offered() -> None:
    headings = read_blocks(BODY).headings
    assert near_headings(headings, "## Open items")[0] == "## Open items #work"
    assert near_headings(headings, "plan")[0] == "# Plan"
    assert near_headings(headings, "zzzzzz") == ()


def test_headings_with_windows_line_ends() -> None:
    body = "# A\r\n\r\ntext\r\n\r\nB\r\n===\r\nmore\r\n"
    spans = section_spans(body, read_blocks(body).headings)
    assert [(body[span.start : span.content], body[span.content : span.end]) for span in spans] == [
        ("# A\r\n", "\r\ntext\r\n\r\n"),
        ("B\r\n===\r\n", "more\r\n"),
    ]


def test_many_headings_are_no_trouble() -> None:
    body = "# a\n## b\n" * 5_000
    spans = section_spans(body, read_blocks(body).headings)
    assert len(spans) == 10_000
    assert {span.end - span.start for span in spans} == {4 + 5, 5}
