from __future__ import annotations

import math

import pytest

from trilith.evaluation.metrics import ndcg, percentile, recall, reciprocal_rank, success


def test_ndcg_is_one_for_the_ideal_order_and_zero_without_a_relevant_document() -> None:
    relevance = {"a": 2.0, "b": 1.0}
    assert ndcg(["a", "b", "x"], relevance) == pytest.approx(1.0)
    assert ndcg(["x", "y"], relevance) == 0.0
    assert ndcg(["a"], {"a": 0.0}) == 0.0


def test_ndcg_has_an_exponential_gain_and_a_logarithmic_discount() -> None:
    relevance = {"a": 2.0, "b": 1.0}
    gained = 1.0 / math.log2(2) + 3.0 / math.log2(3)
    ideal = 3.0 / math.log2(2) + 1.0 / math.log2(3)
    assert ndcg(["b", "a"], relevance) == pytest.approx(gained / ideal)


def test_ndcg_looks_no_further_than_its_depth() -> None:
    ranked = [f"x{n}" for n in range(10)] + ["a"]
    assert ndcg(ranked, {"a": 1.0}) == 0.0
    assert ndcg(ranked, {"a": 1.0}, depth=11) == pytest.approx(1.0 / math.log2(12))


def test_recall_is_the_share_of_all_relevant_documents() -> None:
    assert recall(["a", "x"], {"a": 1.0, "b": 1.0, "c": 0.0}) == 0.5
    assert recall([f"x{n}" for n in range(10)] + ["a"], {"a": 1.0}) == 0.0
    assert recall(["a"], {}) == 0.0


def test_reciprocal_rank_is_that_of_the_first_relevant_document() -> None:
    assert reciprocal_rank(["x", "a", "b"], {"a": 1.0, "b": 1.0}) == 0.5
    assert reciprocal_rank(["x"], {"a": 1.0}) == 0.0


def test_success_looks_at_the_first_document_alone() -> None:
    assert success(["a", "x"], {"a": 1.0}) == 1.0
    assert success(["x", "a"], {"a": 1.0}) == 0.0
    assert success([], {"a": 1.0}) == 0.0


def test_percentile_is_a_value_that_occurred() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert percentile(values, 0.50) == 50.0
    assert percentile(values, 0.95) == 95.0
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([], 0.5) == 0.0
