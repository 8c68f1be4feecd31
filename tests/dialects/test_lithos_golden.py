"""What the Lithos pages show, asked of real servers by the official client: over stdio, and over HTTP in both eras."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.dialects.lithos_client import Lithos, over_http, over_stdio
from tests.dialects.lithos_vault import (
    BACKOFF,
    FILLERS,
    GATHER,
    LOOP,
    MISTAKES,
    ONBOARDING,
    PATTERNS,
    QUOTA,
    RUNNING,
    write,
)

RESULT_FIELDS = {
    "id",
    "title",
    "snippet",
    "score",
    "path",
    "source_url",
    "updated_at",
    "is_stale",
    "derived_from_ids",
}


@pytest.fixture(scope="module", params=["stdio", "http", "http 2026-07-28"])
def lithos(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lithos]:
    vault, home = write(tmp_path_factory.mktemp("vault")), tmp_path_factory.mktemp("home")
    with _server(request.param, vault, home) as lithos:
        yield lithos


def _server(how: str, vault: Path, home: Path) -> AbstractContextManager[Lithos]:
    if how == "stdio":
        return over_stdio(vault, home)
    return over_http(vault, home, mode="legacy" if how == "http" else "2026-07-28")


def refusal(answer: dict[str, Any]) -> tuple[str, str]:
    assert answer["status"] == "error"
    return answer["code"], answer["message"]


# --- lithos_search


def test_a_result_has_the_documented_fields(lithos: Lithos) -> None:
    for mode in ("hybrid", "fulltext", "semantic"):
        hit = next(
            hit for hit in lithos.search(query="event loop internals", mode=mode)["results"] if hit["id"] == LOOP
        )
        assert set(hit) == RESULT_FIELDS
        assert hit["title"] == "Python event loop internals"
        assert hit["path"] == "python-event-loop-internals.md"
        assert hit["source_url"] == "https://docs.example/event-loop"
        assert hit["updated_at"] == "2026-03-17T08:00:00Z"
        assert hit["is_stale"] is False
        assert hit["derived_from_ids"] == [GATHER]
        assert 0 < hit["score"] <= 1


def test_what_is_not_there_is_null_or_empty(lithos: Lithos) -> None:
    hit = lithos.search(query="gather patterns")["results"][0]
    assert (hit["id"], hit["source_url"], hit["derived_from_ids"]) == (GATHER, None, [])


def test_an_unknown_mode_is_refused_in_these_words(lithos: Lithos) -> None:
    assert refusal(lithos.search(query="x", mode="fuzzzy")) == (
        "invalid_mode",
        "Unknown search mode 'fuzzzy'. Valid modes: hybrid, fulltext, semantic, graph",
    )


def test_hybrid_is_the_mode_without_a_mode(lithos: Lithos) -> None:
    query = "asyncio concurrent patterns"
    assert lithos.search(query=query) == lithos.search(query=query, mode="hybrid")
    assert set(lithos.ids(query=query)[:3]) >= {GATHER, PATTERNS}


def test_full_text_finds_exact_names_with_their_snippet(lithos: Lithos) -> None:
    (hit, *_) = lithos.search(query="asyncio.gather return_exceptions", mode="fulltext")["results"]
    assert hit["id"] == GATHER
    assert "return_exceptions" in hit["snippet"] or "asyncio.gather" in hit["snippet"]
    assert "confidence" not in hit["snippet"], "frontmatter is no text"


def test_full_text_finds_error_messages_as_they_stand(lithos: Lithos) -> None:
    answer = lithos.search(query="RuntimeError: This event loop is already running", mode="fulltext")
    assert answer["results"][0]["id"] == RUNNING
    assert answer["query_interpretation"] == "literal"


def test_full_text_understands_fields_phrases_and_operators(lithos: Lithos) -> None:
    answer = lithos.search(query='title:"asyncio patterns" AND tags:python', mode="fulltext")
    assert [hit["id"] for hit in answer["results"]] == [PATTERNS]
    assert answer["query_interpretation"] == "syntax"


def test_semantic_search_answers_questions(lithos: Lithos) -> None:
    query = "how do I run several tasks at the same time in Python without blocking"
    (hit, *_) = lithos.search(query=query, mode="semantic")["results"]
    assert hit["id"] == GATHER
    assert "at the same time" in hit["snippet"]


@pytest.mark.parametrize(
    "start",
    ["python-asyncio-gather-patterns", GATHER, "python-asyncio-gather-patterns.md", "Python asyncio.gather patterns"],
)
def test_a_graph_is_walked_from_a_slug_an_id_a_path_or_a_title(lithos: Lithos, start: str) -> None:
    results = lithos.search(query=start, mode="graph", limit=20)["results"]
    assert [(hit["id"], hit["depth"], hit["score"]) for hit in results] == [(LOOP, 1, 1.0), (PATTERNS, 2, 0.5)]
    assert all(set(hit) == RESULT_FIELDS | {"depth"} for hit in results)


def test_a_graph_without_a_start_is_an_error(lithos: Lithos) -> None:
    assert refusal(lithos.search(query="no-such-note", mode="graph"))[0] == "doc_not_found"


def test_a_graph_does_not_filter_by_tags_and_path_and_says_so(lithos: Lithos) -> None:
    answer = lithos.search(query=GATHER, mode="graph", tags=["people"], path_prefix="procedures/")
    assert [hit["id"] for hit in answer["results"]] == [LOOP, PATTERNS]
    assert answer["ignored_filters"] == ["tags", "path_prefix"]


def test_all_tags_must_be_there(lithos: Lithos) -> None:
    assert lithos.ids(query="common mistakes", tags=["python", "antipattern"]) == [MISTAKES]
    assert set(lithos.ids(query="patterns", tags=["python", "asyncio"])) == {GATHER, PATTERNS}


def test_a_path_prefix_narrows(lithos: Lithos) -> None:
    assert lithos.ids(query="onboarding steps", path_prefix="procedures/") == [ONBOARDING]


def test_an_author_narrows(lithos: Lithos) -> None:
    assert lithos.ids(query="python", author="ops") == [BACKOFF]
    assert set(lithos.ids(query="python", author="research-agent")) == {GATHER, LOOP}


def test_staleness_is_a_sign_and_no_filter(lithos: Lithos) -> None:
    stale = {hit["id"]: hit["is_stale"] for hit in lithos.search(query="github api rate limits")["results"]}
    assert stale[QUOTA] is True
    assert stale[BACKOFF] is False


def test_limits_default_to_ten_and_end_at_fifty(lithos: Lithos) -> None:
    for mode in ("hybrid", "fulltext", "semantic"):
        filtered = {"query": "filler", "path_prefix": "fillers", "mode": mode}
        assert len(lithos.ids(**filtered)) == 10
        assert len(lithos.ids(**filtered, limit=3)) == 3
        assert len(lithos.ids(**filtered, limit=FILLERS + 1)) == 50


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "many"])
def test_other_limits_are_refused(lithos: Lithos, limit: object) -> None:
    assert refusal(lithos.search(query="filler", limit=limit))[0] == "invalid_input"


def test_the_research_cache_pattern_works(lithos: Lithos) -> None:
    (hit, *_) = lithos.search(query="Rate limiting with exponential backoff", mode="hybrid", limit=3)["results"]
    assert hit["id"] == BACKOFF
    assert hit["score"] > 0.8
    assert "jitter" in lithos.read(id=hit["id"], max_length=2000)["content"]


def test_what_is_not_there_stays_below_the_threshold(lithos: Lithos) -> None:
    hits = lithos.search(query="how to prune an apple tree in winter", limit=3)["results"]
    assert all(hit["score"] < 0.5 for hit in hits)


# --- lithos_read


def test_a_document_has_the_documented_shape(lithos: Lithos) -> None:
    document = lithos.read(id=GATHER)
    assert document["id"] == GATHER
    assert document["title"] == "Python asyncio.gather patterns"
    assert document["content"].startswith("With `asyncio.gather()` several tasks")
    assert document["truncated"] is False
    assert document["links"] == {"outgoing": [LOOP], "incoming": []}
    expected = {
        "author": "research-agent",
        "contributors": ["synthesis-agent"],
        "tags": ["python", "asyncio", "patterns"],
        "confidence": 0.95,
        "created_at": "2026-03-18T12:00:00Z",
        "updated_at": "2026-03-18T14:30:00Z",
        "version": 2,
        "source_url": None,
        "derived_from_ids": [],
        "expires_at": None,
    }
    assert {name: document["metadata"][name] for name in expected} == expected


def test_links_lead_both_ways(lithos: Lithos) -> None:
    assert lithos.read(id=LOOP)["links"] == {"outgoing": [PATTERNS], "incoming": [GATHER]}


def test_a_document_is_read_by_path_as_well(lithos: Lithos) -> None:
    whole = lithos.read(id=GATHER)
    assert lithos.read(path="python-asyncio-gather-patterns.md") == whole
    assert lithos.read(path="python-asyncio-gather-patterns") == whole


def test_truncation_ends_at_a_sentence_or_paragraph(lithos: Lithos) -> None:
    whole = lithos.read(id=GATHER)["content"]
    for most in (100, 180, 250):
        document = lithos.read(id=GATHER, max_length=most)
        assert document["truncated"] is True
        assert len(document["content"]) <= most
        assert whole.startswith(document["content"])
        assert document["content"].rstrip().endswith(".")
    assert lithos.read(id=GATHER, max_length=2000)["truncated"] is False
    assert lithos.read(id=GATHER, max_length=0)["content"] == ""


def test_a_document_that_is_not_there_is_an_error(lithos: Lithos) -> None:
    missing = "f47ac10b-0000-4372-a567-0e02b2c3d479"
    assert refusal(lithos.read(id=missing)) == ("doc_not_found", f"No document found with id '{missing}'")
    assert refusal(lithos.read(path="gather-patterns.md"))[0] == "doc_not_found", "part of a name is no path"


def test_exactly_one_of_id_and_path(lithos: Lithos) -> None:
    assert refusal(lithos.read())[0] == "invalid_input"
    assert refusal(lithos.read(id=GATHER, path="mistakes.md"))[0] == "invalid_input"


@pytest.mark.parametrize("most", [-1, 2.5, "long"])
def test_a_length_is_a_whole_number(lithos: Lithos, most: object) -> None:
    assert refusal(lithos.read(id=GATHER, max_length=most))[0] == "invalid_input"


@pytest.mark.parametrize(
    "path", ["../secret.md", "/etc/passwd", "..%2fsecret.md", "C:\\secret.md", "a/../../secret.md"]
)
def test_a_path_out_of_the_vault_is_forbidden(lithos: Lithos, path: str) -> None:
    assert refusal(lithos.read(path=path))[0] == "path_forbidden"
