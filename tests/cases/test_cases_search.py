"""Searching, by the cases of the field: scores, names, paging, limits, dates, what is cached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from trilith.app import App
from trilith.dialects.lithos import LITHOS
from trilith.dialects.native.answers import Answers
from trilith.dialects.native.requests import Narrowing
from trilith.errors import InvalidInput, Unavailable
from trilith.model.principal import Principal
from trilith.settings import load
from trilith.wiring import open_app

NOTES = {
    "kneading.md": "---\ntitle: Kneading\nupdated_at: 2026-03-01\n---\nFold the dough until it is smooth and elastic.\n",
    "oven.md": "---\ntitle: Oven log\nupdated_at: 2026-03-02\n---\nThe dough went into a cold oven. Kneading was short.\n",
    "rota.md": "---\ntitle: Rota\nupdated_at: 2026-03-03\n---\nWho opens on Monday, who closes on Friday.\n",
    "undated.md": "Dough without a date.\n",
}


@contextmanager
def opened(tmp_path: Path, semantic: str = "off") -> Iterator[App]:
    vault = tmp_path / "notes"
    vault.mkdir(exist_ok=True)
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic=semantic, watch="off"), [vault]) as app:
        for library in app.gate.libraries():
            app.indexer.complete(library)
        yield app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with opened(tmp_path) as app:
        yield app


def lithos(app: App, **arguments: Any) -> list[dict[str, Any]]:
    results = LITHOS.call(app, Principal(), LITHOS.tool("lithos_search"), arguments)["results"]
    assert isinstance(results, list)
    return results


def titles(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["title"] for hit in hits]


def test_s12_a_hybrid_score_can_be_thresholded_and_says_who_found_it(tmp_path: Path) -> None:
    """Documented 0–1 score and `match: {fulltext: rank, raw; semantic: cosine}`; a top hit of one engine can be told from a
    top hit of both; ties are broken deterministically."""
    with opened(tmp_path, semantic="on") as app:
        hits = lithos(app, query="smooth elastic dough", explain=True)
        assert all(0.0 <= hit["score"] <= 1.0 for hit in hits)
        assert set(hits[0]["match"]) == {"fulltext", "semantic"}
        assert hits[0]["match"]["fulltext"]["rank"] == 1
        assert [set(hit["match"]) for hit in hits if hit["title"] == "Rota"] == [{"semantic"}]
        assert lithos(app, query="smooth elastic dough", explain=True) == hits
        both, alone = hits[0], lithos(app, query="who unlocks the door in the morning", explain=True)[0]
        assert set(both["match"]["fulltext"]) == {"rank", "raw"}
        assert set(both["match"]["semantic"]) == {"rank", "cosine"}
        assert set(alone["match"]) == {"semantic"}
        assert [each["list"] for each in both["explanation"]["fused"]["lists"]] == ["fulltext", "semantic", "scores"]
        assert [each["list"] for each in alone["explanation"]["fused"]["lists"]] == ["semantic", "scores"]
        assert "match" not in lithos(app, query="smooth elastic dough")[0]


def test_s12_equal_scores_have_one_order(tmp_path: Path) -> None:
    """Ties are broken deterministically: the newest first, then the least id."""
    ids = [f"0000000{number}-0000-4000-8000-000000000000" for number in (3, 1, 2)]
    (tmp_path / "notes").mkdir()
    for number, (note_id, day) in enumerate(zip(ids, ("01", "01", "02"), strict=True)):
        text = f"---\nid: {note_id}\ntitle: Twin\nupdated_at: 2026-05-{day}\n---\nIdentical brioche.\n"
        (tmp_path / "notes" / f"twin {number}.md").write_text(text, encoding="utf-8")
    with opened(tmp_path, semantic="on") as app:
        for mode in ("fulltext", "semantic", "hybrid"):
            found = [hit["id"] for hit in lithos(app, query="identical brioche", mode=mode)]
            assert [each for each in found if each in ids] == [ids[2], ids[1], ids[0]], mode


@pytest.mark.parametrize("mode", ["fulltext", "hybrid"])
def test_s13_an_exact_title_comes_first(app: App, mode: str) -> None:
    """A query that is a note's exact title finds it as hit 1, though another note says the word too."""
    assert titles(lithos(app, query="rota", mode=mode))[0] == "Rota"
    assert titles(lithos(app, query="Kneading", mode=mode))[0] == "Kneading"


def test_s18_a_failed_embedding_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be embedded stays pending, is counted, and is made good later."""
    with opened(tmp_path, semantic="on") as app:
        (library,) = app.gate.libraries()
        (tmp_path / "notes" / "new.md").write_text("A sentence that nobody has embedded yet.\n", encoding="utf-8")
        app.indexer.refresh(library)
        feeder = app.indexer.feeder
        assert feeder.catalog.pending_count(library.name, feeder.embedder.model) == 1

        def fail(texts: object) -> object:
            raise Unavailable("out of memory")

        with monkeypatch.context() as broken:
            broken.setattr(type(feeder.embedder), "embed", lambda _, texts: fail(texts))
            with pytest.raises(Unavailable):
                feeder.embed_some(library.name)
        assert feeder.catalog.pending_count(library.name, feeder.embedder.model) == 1
        assert feeder.embed_some(library.name) == 1
        assert feeder.catalog.pending_count(library.name, feeder.embedder.model) == 0


def test_s19_totals_and_paging(app: App) -> None:
    """`total`, `has_more`, a stable order across pages, an offset past the end gives nothing."""
    answers = Answers(app, Principal())
    pages = [answers.page(Narrowing(), limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [page["total"] for page in pages] == [4, 4, 4]
    assert [page["has_more"] for page in pages] == [True, False, False]
    assert len({item["id"] for page in pages for item in page["items"]}) == 4
    assert pages[2]["items"] == []
    assert answers.search("dough", "fulltext", 1, Narrowing())["total"] == 3


@pytest.mark.parametrize("limit", [0, -1, "0", 2.5, True, "many", [5]])
def test_s20_limits_below_one_and_of_another_kind_are_refused(app: App, limit: object) -> None:
    """0 and negative never mean unlimited and never mean that nothing exists."""
    with pytest.raises(InvalidInput, match="limit"):
        lithos(app, query="dough", limit=limit)


@pytest.mark.parametrize(("limit", "expected"), [("1", 1), (51, 3), (10**9, 3), (None, 3)])
def test_s20_limits_above_the_maximum_are_cut(app: App, limit: object, expected: int) -> None:
    """51 and 10⁹ count as the maximum, `"1"` as 1."""
    assert len(lithos(app, query="dough", mode="fulltext", limit=limit)) == expected


def test_s24_dates_filter_and_sort(app: App) -> None:
    """Day bounds are UTC: `after` takes the day in, `before` leaves it out."""
    answers = Answers(app, Principal())

    def found(**bounds: str) -> set[str]:
        return {item["title"] for item in answers.page(Narrowing(**bounds), limit=9, offset=0)["items"]}

    assert found(modified_after="2026-03-02", modified_before="2026-03-03") == {"Oven log"}
    assert found(modified_before="2026-03-02") == {"Kneading"}
    assert "undated" in found()
    newest = answers.search("dough", "fulltext", 9, Narrowing(modified_before="2026-04-01"), sort="updated")
    assert titles(newest["results"]) == ["Oven log", "Kneading"]


def test_s26_an_empty_result_is_not_remembered(app: App, tmp_path: Path) -> None:
    """A search that found nothing finds the note as soon as the index has it."""
    assert lithos(app, query="brioche", mode="fulltext") == []
    (tmp_path / "notes" / "brioche.md").write_text("Brioche wants cold butter.\n", encoding="utf-8")
    app.indexer.refresh(app.gate.libraries()[0])
    assert titles(lithos(app, query="brioche", mode="fulltext")) == ["brioche"]
