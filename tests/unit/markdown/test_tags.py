from __future__ import annotations

import re

import pytest

from trilith.markdown.tags import TAG, distinct_tags, inline_tag, tags_of
from trilith.markdown.yamltree import Mapping, read_tree


def inline(text: str) -> list[str]:
    return [tag for match in re.finditer(TAG, text) if (tag := inline_tag(match[0]))]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a and #b", ["a", "b"]),
        ("#project/alpha-1_x.", ["project/alpha-1_x"]),
        ("#1984 #y1984 #1990s #3-4", ["y1984", "1990s"]),
        ('(#a) x#b "#c" .#d /#e', []),
        ("\u00a0#a\u3000#b", ["a", "b"]),
        ("#café #知识，库 #हिन्दी #✅done #🚀", ["café", "知识", "हिन्दी", "✅done", "🚀"]),
        ("# a ## #-- #/ #_", []),
        ("#a/ #/b", ["a", "b"]),
        ("#" + "x" * 300, []),
    ],
)
def test_what_is_an_inline_tag(text: str, tags: list[str]) -> None:
    assert inline(text) == tags


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("a, b c", ("a", "b c")),
        ("a b", ("a", "b")),
        ("solo", ("solo",)),
        ("[a, 'b c', 2024, true]", ("a", "b c", "2024", "true")),
        ("[[a]]", None),
        ("{a: b}", None),
    ],
)
def test_lists_of_tags(written: str, tags: tuple[str, ...] | None) -> None:
    root = read_tree(f"tags: {written}").root
    assert isinstance(root, Mapping)
    assert tags_of(root.items["tags"]) == tags


def test_tags_are_distinct_but_for_case_and_have_no_mark() -> None:
    assert distinct_tags(["#Work", "work", " home ", "", "#", "##x", "a/", "WORK/b"]) == (
        "Work",
        "home",
        "x",
        "a",
        "WORK/b",
    )
