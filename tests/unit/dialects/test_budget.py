"""Answers stay within an agent's context."""

from __future__ import annotations

from trilith.dialects.budget import fit


def test_what_fits_is_whole() -> None:
    assert fit([{"a": 1}, {"a": 2}]) == ([{"a": 1}, {"a": 2}], False)


def test_what_does_not_fit_is_cut_and_said() -> None:
    items = [{"text": "x" * 100} for _ in range(10)]
    kept, cut = fit(items, 350)
    assert (len(kept), cut) == (3, True)


def test_one_item_is_always_given() -> None:
    kept, cut = fit([{"text": "x" * 999}], 10)
    assert (len(kept), cut) == (1, False)
