"""Full text in PostgreSQL beyond what every engine does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.conftest import Place
from tests.unit.index.lexical.notes import EVERYTHING, LIBRARY, ask, fed, found, note
from tests.unit.index.postgres.catalogued import CataloguedTexts

from trilith.errors import SearchBackendError
from trilith.index.postgres.catalog import PostgresCatalog
from trilith.index.postgres.lexemes import lexeme, plain_word, quoted, vector_and_content
from trilith.index.postgres.similar import pattern
from trilith.model.query import Match


@pytest.fixture
def catalog(postgres: Place) -> Iterator[PostgresCatalog]:
    opened = PostgresCatalog(postgres.url, postgres.schema)
    yield opened
    opened.close()


def test_the_score_is_that_of_bm25(catalog: PostgresCatalog) -> None:
    pick = random.Random(1)
    engine = CataloguedTexts(catalog)
    fed(
        engine,
        [note(n, " ".join(pick.choices(["red", "green", "blue", "café", "c++"], k=n % 9 + 1))) for n in range(1, 60)],
    )
    ranked = ask(engine, "red café c++", depth=60)
    with catalog.database.reading() as connection:
        asked = " ".join(
            [
                *map(plain_word, ("red", "café", "cafe", "c++")),
                *(plain_word(s, stem=True) for s in ("red", "cafe", "c++")),
            ]
        )
        rows = connection.execute(
            "SELECT v.num, -(v.content <@> to_bm25query(?, 'texts_ranked')) FROM texts v", (asked,)
        ).fetchall()
    expected = {num: score for num, score in rows if score}
    assert {c.num: pytest.approx(c.raw, rel=1e-4) for c in ranked.candidates} == expected


def test_without_the_extension_the_same_notes_are_found(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    with catalog.database.feeding() as connection:
        connection.execute("DROP INDEX texts_ranked")
    fed(
        engine,
        [note(1, "cats sleep"), note(2, "dogs bark at cats"), note(3, "cats", title="Dogs and cats"), note(4, "x")],
    )
    assert found(engine, "dogs and cats")[0] == 3
    assert sorted(found(engine, "dogs and cats")) == [1, 2, 3]
    assert ask(engine, "cat*").total == 3


def test_words_of_any_script_are_one_word_to_the_server(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    bodies = [
        "東京都の天気",
        "snake_case and camelCase",
        "c++ и собаки",
        "\U0001f680 launch",
        "it's a \\ 'quote'",
        "ünïcode",
    ]
    fed(engine, [note(n, body, title=f"n{n}") for n, body in enumerate(bodies, start=1)])
    asked = ["東京", "snake", "camelcase", "c++", "собака", "\U0001f680", "quote", "unicode"]
    assert [found(engine, text) for text in asked] == [[1], [2], [2], [3], [3], [4], [5], [6]]


def test_misspelt_words_are_looked_up(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    fed(engine, [note(1, "gardens in spring"), note(2, "guardians")])
    for text in ("gradens", "garden", "gardenss", "gerdens"):
        assert found(engine, text, Match.SIMILAR) == [1]
    assert found(engine, "xxxdens", Match.SIMILAR) == []
    assert "(" not in pattern("a", 0).strip("(?:)")


def test_a_note_of_too_many_words_keeps_the_first(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    fed(engine, [note(1, " ".join(f"word{n:06}" for n in range(120_000)))])
    assert found(engine, "word000003") == [1]
    assert engine.fingerprints(LIBRARY) == {1: "checksum-1"}


def test_counts_follow_what_is_there(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    fed(engine, [note(1, "alpha beta"), note(2, "alpha")])
    once = ask(engine, "alpha beta").weights
    fed(engine, [note(1, "alpha beta"), note(2, "alpha")])
    assert ask(engine, "alpha beta").weights == once
    fed(engine, [note(1, "gamma", status="dismissed")])
    assert ask(engine, "beta gamma", filter=EVERYTHING).weights["beta"] == ask(engine, "beta gamma").weights["gamma"]


def test_a_server_that_does_not_answer_is_a_failure_of_the_search(catalog: PostgresCatalog) -> None:
    engine = CataloguedTexts(catalog)
    catalog.close()
    with pytest.raises(SearchBackendError):
        ask(engine, "x")


def test_lexemes() -> None:
    assert lexeme("body", "word") == "bword"
    assert len(lexeme("tag", "x" * 9_000)) < 100
    assert quoted("it's \\") == "'it''s \\\\'"
    made, content = vector_and_content(note(1, "cats and cats", title="É"))
    assert "'bcats':1,3" in made
    assert "'Bcat'" in made
    assert content.split()[:3] == ["xe", "xe", "xcats"]
    assert vector_and_content(note(1, "x", status="dismissed")) == ("", "")
