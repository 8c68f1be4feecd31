"""Calibration of the shown score."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.search.calibrate import Evidence, Features, coverage, probability, running_minimum

NOTHING = Features(cosine=0.0, coverage=0.0, cosine_lead=0.0, bm25_lead=0.0, firsts=0)
PERFECT = Features(cosine=0.95, coverage=1.0, cosine_lead=0.5, bm25_lead=0.5, firsts=2)


def ranked(*scores: float, bound: float | None = None) -> Ranked:
    return Ranked(candidates=tuple(Candidate(Num(i), s) for i, s in enumerate(scores, start=1)), bound=bound)


def test_a_sure_answer_is_above_the_promise_and_no_evidence_is_far_below_half() -> None:
    assert probability(PERFECT) > 0.8
    assert probability(NOTHING) < 0.1


@pytest.mark.parametrize("feature", ["cosine", "coverage", "cosine_lead", "bm25_lead", "firsts"])
def test_more_evidence_of_any_kind_never_lowers_the_score(feature: str) -> None:
    assert probability(replace(NOTHING, **{feature: 1})) >= probability(NOTHING)


def test_the_leads_are_taken_over_the_ranks_behind() -> None:
    evidence = Evidence(ranked(8.0, 4.0, 2.0, bound=10.0), ranked(0.9, 0.5, 0.3)).about(Num(1), 0.5)
    assert evidence.cosine == pytest.approx(0.9)
    assert evidence.cosine_lead == pytest.approx(0.9 - 0.4)
    assert evidence.bm25_lead == pytest.approx((8.0 - 3.0) / 10.0)
    assert evidence.firsts == 2


def test_a_hit_of_one_engine_only_has_no_evidence_from_the_other() -> None:
    evidence = Evidence(ranked(8.0, bound=10.0), Ranked()).about(Num(1), 0.0)
    assert (evidence.cosine, evidence.cosine_lead, evidence.firsts) == (0.0, 0.0, 1)


@given(st.lists(st.floats(0, 1)))
def test_the_shown_scores_never_rise_down_the_list(scores: list[float]) -> None:
    shown = running_minimum(scores)
    assert shown == sorted(shown, reverse=True)
    assert all(low <= own for low, own in zip(shown, scores, strict=True))


def test_coverage_weighs_rare_words_more() -> None:
    weights = {"rare": 3.0, "common": 1.0}
    assert coverage(frozenset({"rare"}), weights) == pytest.approx(0.75)
    assert coverage(frozenset(), {}) == 0.0
