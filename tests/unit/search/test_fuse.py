"""Fusion of ranked lists."""

from __future__ import annotations

import pytest

from trilith.model.hits import Candidate
from trilith.model.ids import Num
from trilith.search.fuse import agreement, imputed, reciprocal_rank

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


def test_agreement_holds_only_notes_that_both_found_by_the_product_of_their_scores() -> None:
    fulltext = [Candidate(A, 10.0), Candidate(B, 9.0), Candidate(C, 1.0)]
    semantic = [Candidate(B, 0.9), Candidate(A, 0.5)]
    assert agreement(fulltext, semantic) == [B, A]


def test_a_negative_cosine_is_no_evidence() -> None:
    assert agreement([Candidate(A, 10.0), Candidate(B, 1.0)], [Candidate(B, 0.1), Candidate(A, -0.9)]) == [B, A]


def test_a_note_without_text_is_placed_by_its_name_alone() -> None:
    fused = reciprocal_rank([[A, B], [B, C], [B]])
    assert imputed(fused, frozenset({A}), 3)[A] == pytest.approx(3 / 61)
    assert imputed(fused, frozenset({A}), 3)[B] == fused[B]
