"""Why a hit is where it is: the sums are those that rank and score it, and nothing is told that is not the caller's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from tests.fakes import HashEmbedder

from trilith import wiring
from trilith.app import App
from trilith.model.explanation import Explanation, Voice
from trilith.model.hits import Hit
from trilith.model.principal import Principal, Scope
from trilith.model.query import Filter, Fusion, Mode, Query, Ranking
from trilith.search.explain import matched, shares
from trilith.settings import load
from trilith.wiring import open_app

BEFORE = "Something before all else, in words that fill a chunk. " * 12
NOTES = {
    "kneading.md": (
        "---\ntitle: Kneading\naliases: [Folding]\ntags: [bread/dough]\nsummary: How to fold\nvisibility: public\n---\n"
        f"{BEFORE}\n\n# Fold\n\nFold the dough until it is smooth and elastic.\n"
    ),
    "oven.md": "# Oven log\n\nThe dough went into a cold oven. Kneading was short.\n",
    "secret.md": (
        "---\nvisibility: public\ncollaborators: [ann]\ncollaborator_notes: The password is quokka.\n---\nAbout dough.\n"
    ),
    "empty.md": "---\ntitle: Dough\n---\n",
}


@contextmanager
def opened(folder: Path) -> Iterator[App]:
    (folder / "notes").mkdir()
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text, encoding="utf-8")
    with (
        mock.patch.object(wiring, "embedder_of", return_value=HashEmbedder()),
        open_app(load(folder / "home", watch="off"), [folder / "notes"]) as app,
    ):
        app.indexer.complete(app.gate.libraries()[0])
        yield app


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with opened(tmp_path_factory.mktemp("explain")) as app:
        yield app


def ask(app: App, text: str, mode: Mode = Mode.HYBRID, reader: str | None = None, **more: object) -> dict[str, Hit]:
    scope = Scope(library="notes", reader=reader)
    query = Query(text=text, filter=Filter(scopes=(scope,)), mode=mode, explain=True, **more)  # type: ignore[arg-type]
    return {hit.entry.path: hit for hit in app.searcher.search(query).hits}


def why(hit: Hit) -> Explanation:
    assert hit.explanation is not None
    return hit.explanation


def test_nothing_is_explained_unless_asked(app: App) -> None:
    query = Query(text="dough", filter=app.gate.filter(Principal()))
    assert all(hit.explanation is None for hit in app.searcher.search(query).hits)


def test_words_are_told_with_their_weight_and_where_they_stand(app: App) -> None:
    found = why(ask(app, "folding smooth dough zebra")["kneading.md"])
    terms = {term.text: term for term in found.terms}
    assert terms["folding"].fields == ("aliases", "summary", "headings", "body"), "other forms count"
    assert terms["dough"].fields == ("tags", "body")
    assert terms["smooth"].fields == ("body",)
    assert terms["smooth"].weight is not None
    assert terms["dough"].weight is not None
    assert terms["smooth"].weight > terms["dough"].weight, "the rarer word weighs more"
    assert found.missing == ("zebra",)


def test_the_best_chunk_is_named_by_its_place_and_headings(app: App) -> None:
    chunk = why(ask(app, "smooth elastic dough")["kneading.md"]).chunk
    assert chunk is not None
    assert "smooth and elastic" in chunk.text
    assert (chunk.position, chunk.headings) == (1, ("Fold",))
    assert chunk.section == "body"


@pytest.mark.parametrize("ranking", Ranking)
def test_the_shares_add_up_to_the_sum_that_orders(app: App, ranking: Ranking) -> None:
    hits = ask(app, "cold dough", ranking=ranking)
    assert len(hits) >= 3
    sums = [why(hit).fused for hit in hits.values()]
    assert all(sum(s.value for s in why(hit).shares) == pytest.approx(why(hit).fused) for hit in hits.values())
    if ranking is Ranking.PURE:
        assert sums == sorted(sums, reverse=True)  # type: ignore[type-var]
        assert [hit.score for hit in hits.values()] == sums
    for hit in hits.values():
        ranks = {share.voice: share.rank for share in why(hit).shares}
        assert ranks.get(Voice.FULLTEXT) == (hit.fulltext.rank if hit.fulltext else None)
        assert ranks.get(Voice.SEMANTIC) == (hit.semantic.rank if hit.semantic else None)
        assert (Voice.SCORES in ranks) == (ranking is Ranking.CALIBRATED and bool(hit.semantic))


def test_a_note_without_text_has_its_words_counted_for_all_lists(app: App) -> None:
    (share,) = why(ask(app, "dough oven")["empty.md"]).shares
    assert (share.voice, share.times) == (Voice.FULLTEXT, 5)
    assert share.value == pytest.approx(5 / (60 + share.rank))


def test_the_features_add_up_to_the_score(app: App) -> None:
    import math

    for hit in ask(app, "smooth elastic dough").values():
        found = why(hit).calibration
        assert found is not None
        logit = found.intercept + sum(each.logit for each in found.contributions)
        assert found.probability == pytest.approx(1 / (1 + math.exp(-logit)))
        assert why(hit).lowered == (hit.score < found.probability)
        if not why(hit).lowered:
            assert hit.score == pytest.approx(found.probability)


def test_a_note_called_by_its_name_says_so(app: App) -> None:
    hits = ask(app, "Folding")
    assert why(hits["kneading.md"]).named == "alias"
    assert why(hits["kneading.md"]).raised
    assert next(iter(hits)) == "kneading.md"
    assert hits["kneading.md"].score == pytest.approx(0.95)
    assert all(why(hit).named is None for path, hit in hits.items() if path != "kneading.md")
    assert why(ask(app, "oven", Mode.FULLTEXT)["oven.md"]).named == "stem"


@pytest.mark.parametrize("mode", [Mode.FULLTEXT, Mode.SEMANTIC])
def test_one_engine_has_no_fusion_and_no_calibration(app: App, mode: Mode) -> None:
    for hit in ask(app, "smooth dough", mode).values():
        found = why(hit)
        assert (found.fused, found.shares, found.calibration) == (None, (), None)
    assert [term.text for term in why(ask(app, "smooth dough", mode)["kneading.md"]).terms] == ["smooth", "dough"]


@pytest.mark.parametrize("reader", ["", "bob"])
def test_who_sees_a_part_is_told_nothing_of_the_rest(app: App, reader: str) -> None:
    hits = ask(app, "quokka dough", reader=reader)
    assert set(hits) == {"kneading.md", "secret.md"}
    for hit in hits.values():
        found = why(hit)
        assert found.calibration is None, "its features rest on how common a word is in all notes"
        assert [(term.text, term.weight) for term in found.terms] == [("dough", None)]
        assert found.missing == ("quokka",)
        assert found.chunk is None or found.chunk.section == "body"


def test_collaborator_notes_are_explained_to_those_who_may_read_them(app: App) -> None:
    for reader in ("ann", None):
        found = why(ask(app, "quokka dough", reader=reader)["secret.md"])
        assert {term.text: term.fields for term in found.terms}["quokka"] == ("notes",)


def test_terms_and_shares_are_pure() -> None:
    (term,) = matched(("gather*", "zebra"), {"gather*": 0.0}, {"title": "Gathering", "body": "none"})
    assert (term.text, term.fields, term.weight) == ("gather*", ("title",), 0.0)
    assert list(matched((), {}, {"title": "x"})) == []
    assert [
        share.rank
        for share in shares({Voice.FULLTEXT: [3, 7], Voice.SEMANTIC: [3]}, 7, {Voice.FULLTEXT: 1, Voice.SEMANTIC: 1})
    ] == [2]  # type: ignore[list-item]


def test_a_fusion_by_scores_has_a_sum_and_no_ranks(app: App) -> None:
    hits = ask(app, "cold dough", fusion=Fusion.WEIGHTED)
    sums = [why(hit).fused for hit in hits.values()]
    assert sums == sorted(sums, reverse=True)  # type: ignore[type-var]
    assert 0 < (sums[0] or 0) <= 1
    assert all(why(hit).shares == () for hit in hits.values())
