"""The best of a hybrid answer in a better order, or in the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes import HashEmbedder, SharedWords

from trilith import wiring
from trilith.app import App
from trilith.model.hits import EngineState, Outcome
from trilith.model.ids import Num
from trilith.model.principal import Principal, Scope
from trilith.model.query import Filter, Mode, Query, Ranking
from trilith.search.rerank import Reranking, reordered
from trilith.settings import load
from trilith.wiring import open_app

QUERY = "bread oven stone"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("rerank")
    (folder / "notes").mkdir()
    for number in range(12):
        words = "bread " * (12 - number) + "oven " * number + "filler " * (number % 5) + "stone" * (number % 2)
        head = f"---\ntags: [t{number % 2}]\nvisibility: {'public' if number % 3 else 'private'}\n---\n"
        (folder / "notes" / f"n{number}.md").write_text(f"{head}{words}\n", encoding="utf-8")
    with (
        mock.patch.object(wiring, "embedder_of", return_value=HashEmbedder()),
        open_app(load(folder / "home", watch="off"), [folder / "notes"]) as app,
    ):
        app.indexer.complete(app.gate.libraries()[0])
        yield app


def ask(app: App, reranker: SharedWords | None, top: int = 5, seconds: float = 9.0, **query: object) -> Outcome:
    reranking = Reranking(reranker, top, seconds) if reranker is not None else None
    asked = {"text": QUERY, "filter": app.gate.filter(Principal()), "limit": 8, "explain": True, **query}
    return replace(app.searcher, reranking=reranking).search(Query(**asked))  # type: ignore[arg-type]


def paths(outcome: Outcome) -> list[str]:
    return [hit.entry.path for hit in outcome.hits]


def test_the_top_changes_places_among_itself_and_the_rest_stays(app: App) -> None:
    before, after = ask(app, None), ask(app, SharedWords())
    assert sorted(paths(before)[:5]) == sorted(paths(after)[:5])
    assert paths(before)[5:] == paths(after)[5:]
    assert (before.diagnostics.reranker, after.diagnostics.reranker) == (None, EngineState.OK)
    compared = [hit.explanation.reranked for hit in after.hits[:5] if hit.explanation]
    assert all(compared)
    assert [each.score for each in compared if each] == sorted((e.score for e in compared if e), reverse=True)
    assert [paths(before)[each.rank - 1] for each in compared if each] == paths(after)[:5]
    assert all(hit.explanation and hit.explanation.reranked is None for hit in after.hits[5:])
    assert before.total == after.total


def test_scores_never_rise_down_the_list(app: App) -> None:
    scores = [hit.score for hit in ask(app, SharedWords(), top=12).hits]
    assert scores == sorted(scores, reverse=True)


def test_a_note_below_the_limit_may_come_up(app: App) -> None:
    one = ask(app, SharedWords(), top=12, limit=1)
    assert paths(one) == paths(ask(app, SharedWords(), top=12, limit=12))[:1]


def test_a_note_called_by_its_name_stays_first(app: App) -> None:
    assert paths(ask(app, SharedWords(), top=12, text="n11"))[0] == "n11.md"


@pytest.mark.parametrize(
    ("reranker", "seconds", "state"),
    [
        (SharedWords(state=EngineState.LOADING, reason="loading"), 9.0, EngineState.LOADING),
        (SharedWords(state=EngineState.DEGRADED, reason="no such file"), 9.0, EngineState.DEGRADED),
        (SharedWords(seconds_each=1.0), 2.0, EngineState.DEGRADED),
    ],
)
def test_z06_a_failure_is_a_value_and_the_order_before_stands(
    app: App, reranker: SharedWords, seconds: float, state: EngineState
) -> None:
    """Rerank off by default, with a time budget."""
    before, after = ask(app, None), ask(app, reranker, seconds=seconds)
    assert paths(before) == paths(after)
    assert [hit.score for hit in before.hits] == [hit.score for hit in after.hits]
    assert after.diagnostics.reranker is state
    assert after.diagnostics.reranker_reason


@pytest.mark.parametrize(
    "query",
    [
        {"mode": Mode.FULLTEXT},
        {"mode": Mode.SEMANTIC},
        {"ranking": Ranking.PURE},
    ],
)
def test_other_modes_and_the_pure_fusion_are_left_alone(app: App, query: dict[str, object]) -> None:
    reranker = SharedWords()
    assert paths(ask(app, reranker, **query)) == paths(ask(app, None, **query))
    assert reranker.asked == []


def test_nothing_is_compared_that_does_not_pass_the_filter(app: App) -> None:
    reranker = SharedWords()
    filter = Filter(scopes=(Scope(library="notes", reader=""),), tags=("t1",))
    found = ask(app, reranker, top=12, filter=filter, limit=12)
    assert set(paths(found)) == {"n1.md", "n5.md", "n7.md", "n11.md"}
    assert len(reranker.asked[0]) == 4


@given(st.lists(st.integers(0, 30), unique=True), st.dictionaries(st.integers(0, 30), st.floats(-5, 5)))
def test_reordering_is_a_permutation_that_moves_nothing_without_a_score(
    order: list[int], scores: dict[int, float]
) -> None:
    nums, known = [Num(each) for each in order], {Num(num): score for num, score in scores.items()}
    after = reordered(nums, known)
    assert sorted(after) == sorted(nums)
    assert all(old == new for old, new in zip(nums, after, strict=True) if old not in known)
    ranked = [known[num] for num in after if num in known]
    assert ranked == sorted(ranked, reverse=True)
