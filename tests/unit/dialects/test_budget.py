"""Answers stay within an agent's context."""

from __future__ import annotations

import pytest

from trilith.dialects.budget import fit, part


def test_what_fits_is_whole() -> None:
    assert fit([{"a": 1}, {"a": 2}]) == ([{"a": 1}, {"a": 2}], False)


def test_what_does_not_fit_is_cut_and_said() -> None:
    items = [{"text": "x" * 100} for _ in range(10)]
    kept, cut = fit(items, 350)
    assert (len(kept), cut) == (3, True)


def test_one_item_is_always_given() -> None:
    kept, cut = fit([{"text": "x" * 999}], 10)
    assert (len(kept), cut) == (1, False)


@pytest.mark.parametrize(
    "text", ["", "short", "line\n" * 50, "x" * 300, "e\u0301" * 150, "👩‍👩‍👧" * 40, "\n" * 300, "a\r\n" * 99]
)
def test_a_text_in_parts_is_whole_when_joined(text: str) -> None:
    parts, at = [], 0
    while at is not None:
        piece, at = part(text, at, 100)
        parts.append(piece)
        assert len(piece) <= 100
    assert "".join(parts) == text


def test_a_part_ends_at_a_line_where_it_can() -> None:
    assert part("a" * 60 + "\n" + "b" * 60, 0, 100) == ("a" * 60 + "\n", 61)
    assert part("a" * 30 + "\n" + "b" * 90, 0, 100) == ("a" * 30 + "\n" + "b" * 69, 100)
    assert part("abc", 7, 100) == ("", None)
