"""Fusion of ranked lists."""

from __future__ import annotations

import pytest

from trilith.model.hits import Candidate
from trilith.model.ids import Num
from trilith.search.fuse import imputed, reciprocal_rank, third, weighted

A, B, C = Num(1), Num(2), Num(3)


def test_a_note_in_both_lists_gets_both_shares() -> None:
    fused = reciprocal_rank([[A, B], [B, C]])
    assert fused[A] == pytest.approx(1 / 61)
    assert fused[B] == pytest.approx(1 / 62 + 1 / 61)
    assert fused[C] == pytest.approx(1 / 62)


def test_the_documented_example_score_comes_from_ranks_one_and_two() -> None:
    assert reciprocal_rank([[A], [B, A]])[A] == pytest.approx(0.0325, abs=5e-5)


def test_nothing_fused_is_nothing() -> None:
    assert reciprocal_rank([]) == {}
    assert reciprocal_rank([[], []]) == {}


def test_the_weighted_fusion_keeps_how_far_apart_scores_are() -> None:
    fused = weighted([Candidate(A, 10.0), Candidate(B, 1.0)], [Candidate(B, 0.5), Candidate(C, -0.2)])
    assert fused == {A: pytest.approx(0.3), B: pytest.approx(0.7 * 0.5 + 0.03), C: 0.0}
    assert weighted([], []) == {}


def test_the_third_list_is_the_order_of_the_weighted_fusion_equals_as_they_came() -> None:
    assert third([Candidate(A, 10.0), Candidate(B, 9.0)], [Candidate(B, 0.9), Candidate(A, 0.5)]) == [B, A]
    assert third([Candidate(B, 1.0), Candidate(A, 1.0)], []) == [B, A]


def test_a_note_without_text_is_placed_by_its_name_alone() -> None:
    fused = reciprocal_rank([[A, B], [B, C], [B, A]])
    assert imputed(fused, [A, B], frozenset({A}), 3)[A] == pytest.approx(3 / 61)
    assert imputed(fused, [A, B], frozenset({A}), 3)[B] == fused[B]
