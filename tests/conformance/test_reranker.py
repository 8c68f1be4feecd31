"""The suite of `Reranker`."""

from __future__ import annotations

import pytest
from tests.fakes import SharedWords
from tests.models import make_reranker

from trilith.embedding.crossencoder import FolderReranker
from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.ports.reranking import Reranker

PLENTY = 30.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> FolderReranker:
    return FolderReranker(make_reranker(tmp_path_factory.mktemp("reranker") / "small"), threads=2)


@pytest.fixture(params=["folder", "shared"])
def reranker(request: pytest.FixtureRequest) -> Reranker:
    made: Reranker = SharedWords() if request.param == "shared" else request.getfixturevalue(request.param)
    assert made.wait(30).state is EngineState.OK
    return made


def test_the_text_that_answers_is_above_the_others(reranker: Reranker) -> None:
    texts = ["cats sleep most of the day", "a recipe for sourdough bread", "the boundary layer of a flat plate"]
    scores = reranker.scores("sourdough bread recipe", texts, PLENTY)
    assert len(scores) == 3
    assert scores[1] > max(scores[0], scores[2])


def test_scores_stand_in_the_order_of_the_texts_and_hang_on_no_other(reranker: Reranker) -> None:
    texts = ["owls and bread", "bread", "cats", "the day " * 400, "知识 🚀 \ud800 \x00"]
    together = reranker.scores("bread", texts, PLENTY)
    assert together == pytest.approx([reranker.scores("bread", [text], PLENTY)[0] for text in texts], abs=1e-5)
    assert reranker.scores("bread", texts[::-1], PLENTY) == pytest.approx(together[::-1], abs=1e-5)


def test_no_texts_no_scores(reranker: Reranker) -> None:
    assert reranker.scores("bread", [], PLENTY) == []


def test_what_is_not_done_in_time_is_not_done(reranker: Reranker) -> None:
    with pytest.raises(Unavailable):
        reranker.scores("bread", ["a text"] * 50, 0.0)


def test_before_it_is_ready_it_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    fresh = FolderReranker(make_reranker(tmp_path_factory.mktemp("fresh") / "small"))
    for each in (fresh, SharedWords(state=EngineState.LOADING)):
        assert each.status().state is EngineState.LOADING
        with pytest.raises(Unavailable):
            each.scores("bread", ["bread"], PLENTY)
