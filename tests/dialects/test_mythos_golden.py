"""What the MythOS page shows, asked of real servers: by the official client over stdio and HTTP, and by REST."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.dialects.mythos_client import over_http, over_stdio, ready
from tests.dialects.mythos_vault import BREAD, EMPTY, LOOPS, TEA, write
from tests.doors.command_line import serving

Ask = Callable[..., dict[str, Any]]

MEMO = {"memoId", "title", "tags", "url", "visibility", "accessReason"}
SEMANTIC = MEMO | {"memoScore", "chunkCount", "chunks"}


def memo_id(note_id: str) -> str:
    return f"owner-{hashlib.sha256(note_id.encode()).hexdigest()[:6]}"


@pytest.fixture(scope="module", params=["stdio", "http", "rest"])
def semantic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """A search by meaning at each door; `limit` and `library` are called `topK` and `username` by REST."""
    vault, home = write(tmp_path_factory.mktemp("vault")), tmp_path_factory.mktemp("home")
    if request.param == "rest":
        with _by_rest(vault, home) as ask:
            yield ask
        return
    with (over_stdio if request.param == "stdio" else over_http)(vault, home) as mythos:
        yield lambda query, **more: mythos.search_memos(query=query, mode="semantic", **more)


@contextmanager
def _by_rest(vault: Path, home: Path) -> Iterator[Ask]:
    with serving(vault, home=home, ready=ready) as url:

        def ask(query: str, **more: Any) -> dict[str, Any]:
            names = {"limit": "topK", "library": "username"}
            asked = urlencode({"q": query, **{names.get(name, name): value for name, value in more.items()}})
            connection = HTTPConnection(url.removeprefix("http://"))
            connection.request("GET", f"/api/internal/memos/semantic-search?{asked}")
            answer = connection.getresponse()
            body = json.loads(answer.read())
            assert body.get("status", 200) == answer.status
            return dict(body)

        yield ask


def test_an_answer_has_the_fields_on_the_page(semantic: Ask) -> None:
    answer = semantic("how hot should the water for green tea be")
    assert set(answer) == {"success", "memos", "diagnostics"}
    assert answer["success"] is True
    assert answer["diagnostics"] == {"vectorSearchFailed": False, "semantic": "ok", "reason": None, "pending": 0}
    memo = answer["memos"][0]
    assert set(memo) == SEMANTIC
    assert {name: memo[name] for name in MEMO} == {
        "memoId": memo_id(TEA),
        "title": "Brewing green tea",
        "tags": ["tea", "kitchen/kettle"],
        "url": f"/me/owner/{memo_id(TEA)[-6:]}",
        "visibility": "public",
        "accessReason": "owner",
    }
    assert all(set(chunk) == {"chunkText", "score", "section"} for chunk in memo["chunks"])


def test_chunks_come_best_first_with_their_own_text_and_section(semantic: Ask) -> None:
    chunks = semantic("saffron blend")["memos"][0]["chunks"]
    scores = [chunk["score"] for chunk in chunks]
    assert scores == sorted(scores, reverse=True)
    assert chunks[0]["section"] == "notes"
    assert chunks[0]["chunkText"] == "Ask Ada about the saffron blend before this is shared."
    assert {chunk["section"] for chunk in chunks} == {"notes", "body"}


def test_a_memo_is_scored_by_its_best_chunk_and_their_number(semantic: Ask) -> None:
    for memo in semantic("brewing tea with leaves")["memos"]:
        best = memo["chunks"][0]["score"]
        assert memo["memoScore"] == pytest.approx(best + 0.1 * math.log(memo["chunkCount"]), abs=2e-4)


def test_words_are_three_tenths_of_a_chunk(semantic: Ask) -> None:
    """Of two queries that mean nothing, the one whose word stands in a memo scores 0.3 more by that word."""
    found = {memo["memoId"]: memo for memo in semantic("crème", limit=20)["memos"]}
    assert found[memo_id(BREAD)]["chunks"][0]["score"] >= 0.3
    assert found[memo_id(BREAD)]["memoScore"] == max(memo["memoScore"] for memo in found.values())


def test_memos_come_best_first_and_no_more_than_asked_for(semantic: Ask) -> None:
    every = semantic("tea", limit=20)["memos"]
    scores = [memo["memoScore"] for memo in every]
    assert scores == sorted(scores, reverse=True)
    assert [memo["memoId"] for memo in semantic("tea", limit=1)["memos"]] == [every[0]["memoId"]]
    assert semantic("tea", limit="2")["memos"] == every[:2]
    assert semantic("tea", limit=10**9)["memos"] == every
    assert memo_id(EMPTY) not in [memo["memoId"] for memo in every]


def test_tags_are_a_comma_list_and_all_must_match(semantic: Ask) -> None:
    assert [memo["memoId"] for memo in semantic("loop", tags="#Tea, kitchen")["memos"]] == [memo_id(TEA)]
    assert semantic("tea", tags="tea,baking")["memos"] == []
    assert len(semantic("tea", tags=" , ")["memos"]) == 3


def test_a_library_is_named_by_its_user_or_by_itself(semantic: Ask) -> None:
    assert semantic("tea", library="owner") == semantic("tea")
    refusal = semantic("tea", library="nobody")
    assert refusal == {"success": False, "error": "No user or library named 'nobody'.", "status": 404}


@pytest.mark.parametrize("limit", [0, -1, 2.5, "many", True])
def test_a_limit_that_is_none_is_refused(semantic: Ask, limit: Any) -> None:
    refusal = semantic("tea", limit=limit)
    assert (refusal["success"], refusal["status"]) == (False, 400)
    assert "must be a whole number from 1" in refusal["error"]


@pytest.mark.parametrize("query", ["", "   ", "x" * 10_001])
def test_a_query_that_asks_nothing_or_too_much_is_refused(semantic: Ask, query: str) -> None:
    refusal = semantic(query)
    assert (refusal["success"], refusal["status"]) == (False, 400)


@pytest.mark.parametrize("query", ["the of and", "?!", "東京", "a" * 9_999, "\u0000"])
def test_odd_queries_are_answered(semantic: Ask, query: str) -> None:
    assert semantic(query)["success"] is True


def test_unlisted_is_link(semantic: Ask) -> None:
    memo = next(memo for memo in semantic("asyncio.gather")["memos"] if memo["memoId"] == memo_id(LOOPS))
    assert memo["visibility"] == "link"
