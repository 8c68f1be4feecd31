"""Edits of a part of a note, as far as its text alone decides them."""

from __future__ import annotations

import pytest

from trilith.errors import Ambiguous, InvalidInput, Refused
from trilith.markdown.amending import find_and_replace, replace_section
from trilith.markdown.editing import set_fields
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.structure import read_blocks


def replaced(body: str, section: str, replacement: str) -> str:
    return replace_section(body, read_blocks(body).headings, (section,), replacement)


def test_e01_replace_section_with_a_wrong_heading() -> None:
    """Fails, nothing changed, near headings listed."""
    with pytest.raises(InvalidInput) as refused:
        replaced("# Top\n\n## Open items #work\n\n- one\n", "## Open items", "- two\n")
    assert refused.value.details["near"] == ["## Open items #work"]
    assert "## Open items #work" in refused.value.message


NESTED = "# Plan\n\nold\n\n## Part\n\nmore\n\n### Detail\n\n# Next\n\nlast\n"


@pytest.mark.parametrize("repeated", ["", "# Plan\n\n", "\n# Plan #\n", "Plan\n====\n"])
def test_e02_replacement_containing_headings(repeated: str) -> None:
    """No duplicate heading if the caller repeats it; the section ends at the next same-or-higher level, sub-headings
    included."""
    assert replaced(NESTED, "# Plan", f"{repeated}new\n\n## Other\n") == "# Plan\n\nnew\n\n## Other\n\n# Next\n\nlast\n"
    assert replaced(NESTED, "## Part", "new") == NESTED.replace("more\n\n### Detail", "new")


def test_e02_a_replacement_cannot_swallow_what_follows() -> None:
    """A fence that is left open would make text of the next heading: refused."""
    with pytest.raises(InvalidInput):
        replaced(NESTED, "# Plan", "```\ncode\n")


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("## Détails — 知识", "Détails — 知识"),
        ("## De\u0301tails", "## Détails"),
        ("## Closed ##", "## Closed"),
        ("## Tagged #a #b", "Tagged #a #b"),
        ("## C#", "## C#"),
        ("## *Big* `x`", "Big x"),
        ("Set\n---", "## Set"),
    ],
)
def test_e04_headings_of_all_kinds_are_addressable(heading: str, section: str) -> None:
    """Non-ASCII, with trailing `#` or tags; a fenced `# x` is not a heading."""
    body = f"# Top\n\n```\n{heading}\n```\n\n{heading}\n\nold\n\n# Next\n"
    assert replaced(body, section, "new") == body.replace("old", "new")
    with pytest.raises(InvalidInput):
        replaced("```\n# x\n```\n", "# x", "new")


def test_e05_find_and_replace_reaches_the_body_only() -> None:
    """Body only; nothing is a pattern; a second find without `all` is refused."""
    text = "---\ntitle: Plan\n---\n# Plan\n\nPlan.\n"
    at = read_frontmatter(text).body
    body, count = find_and_replace(text[at:], "Plan", "Plan: B", every=True)
    assert (text[:at] + body, count) == ("---\ntitle: Plan\n---\n# Plan: B\n\nPlan: B.\n", 2)
    with pytest.raises(Ambiguous):
        find_and_replace(text[at:], "Plan", "Plan: B", every=False)


def test_e05_a_title_with_a_colon_still_parses() -> None:
    """A field that is set to such a text is quoted, so that the result parses."""
    assert set_fields("---\ntitle: Plan\n---\n", {"title": "Plan: B"}) == '---\ntitle: "Plan: B"\n---\n'


BLOCK = """---
# Kept by hand
zeta: 'quoted: text'   # why
title: "Ünïcode"
date: 2026-03-01
tags: [one, two]  # short

nested:
    deep:
    - {a: 1}
status: raw  # doing
text: |
  status: not this one
aliases:
- x
---
# Body

status: nor this
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_e06_a_one_field_edit_leaves_the_block(line_end: str, bom: str) -> None:
    """Every other byte identical; date not expanded; no `metadata: {}` added."""
    text = bom + BLOCK.replace("\n", line_end)
    edited = set_fields(text, {"status": "validated"})
    assert edited == text.replace("status: raw", "status: validated")


def test_e06_what_a_write_maintains_is_all_that_is_added() -> None:
    """Besides `id`, `updated_at`, `version`, `contributors`."""
    kept_up = {"status": "validated", "version": 2, "updated_at": "2026-03-02T00:00:00Z", "contributors": ["ada"]}
    added = "version: 2\nupdated_at: 2026-03-02T00:00:00Z\ncontributors: [ada]\n---\n# Body"
    edited = set_fields(BLOCK, kept_up)
    assert edited == BLOCK.replace("status: raw", "status: validated").replace("---\n# Body", added)
    again = set_fields(edited, {"version": 3, "contributors": ["ada", "ben"]})
    assert again == edited.replace("version: 2", "version: 3").replace("[ada]", "[ada, ben]")


def test_e06_a_list_that_grows_keeps_its_lines() -> None:
    """Comments, quoting and indentation of the entries that stay."""
    text = "---\ntags:\n    - 'one'  # first\n    # two is next\n    - two\n---\n"
    assert set_fields(text, {"tags": ["one", "two", "three"]}) == text.replace("- two\n", "- two\n    - three\n")


def test_e06_what_cannot_be_parsed_is_never_rewritten() -> None:
    """A block that YAML rejects stays as it is (P05)."""
    with pytest.raises(Refused):
        set_fields('---\nname: "x\n---\nbody', {"id": "4d3f2c7e-5b1a-4c55-9f3e-0a4c5f1e2d3b"})
