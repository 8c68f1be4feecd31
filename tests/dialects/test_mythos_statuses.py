"""Which status a search by meaning fails with, in the order of the checks; and what it answers when a part is down."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.dialects.mythos_vault import write
from tests.doors.doorkeepers import doorkeeper
from tests.doors.stdio_client import call
from tests.fakes import HashEmbedder

from trilith.access.keys import digest
from trilith.app import App
from trilith.errors import SearchBackendError
from trilith.model.hits import EngineState
from trilith.model.principal import Key, Right
from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.opening import Opening
from trilith.wiring import open_app

HERE = "http://127.0.0.1:8765"
PATH = "/api/internal/memos/semantic-search"
JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

Change = Callable[[App], App]


@contextmanager
def server(
    vault: Path,
    home: Path,
    change: Change = lambda app: app,
    keys: tuple[Key, ...] = (),
    embed: bool = True,
    **settings: Any,
) -> Iterator[TestClient]:
    """HTTP in this process, over an index that is ready, with whatever is changed about the app."""

    @contextmanager
    def opened() -> Iterator[App]:
        with open_app(load(home, **settings), [vault]) as app:
            for library in app.gate.libraries():
                app.indexer.refresh(library, emptied=True)
                if embed:
                    app.indexer.complete(library)
            yield change(app)

    door = application(Opening(opened), ["mythos"], "127.0.0.1", doorkeeper(lambda: keys), Meter())
    with TestClient(door, base_url=HERE) as client:
        yield client


def fails(client: TestClient, status: int, **asked: Any) -> dict[str, Any]:
    """The body of a refusal: over REST and over MCP it is the same."""
    answer = client.get(PATH, params={"q": "green tea", **asked})
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert (body["success"], body["status"]) == (False, status)
    names = {"username": "library"}
    given = {"query": "green tea", "mode": "semantic", **{names.get(key, key): value for key, value in asked.items()}}
    result = client.post("/mcp/mythos", json=call("search_memos", **given), headers=JSON).json()["result"]
    assert result["isError"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"] == body
    return dict(body)


def embedding(state: EngineState, reason: str) -> Change:
    """The same app with an embedder that is so."""

    def change(app: App) -> App:
        fake = HashEmbedder(model=app.chunk_searcher.embedder.model, state=state, reason=reason)
        return replace(app, chunk_searcher=replace(app.chunk_searcher, embedder=fake))

    return change


class Broken:
    """A retriever that cannot read its index."""

    def retrieve(self, *_: object) -> Any:
        raise SearchBackendError("The index is damaged.")

    chunks = retrieve


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "notes")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_403_without_a_key_and_with_a_wrong_one(vault: Path, home: Path) -> None:
    secret, now = f"tri_{secrets.token_urlsafe(32)}", datetime.now(UTC)
    key = Key(id="k1", user="owner", digest=digest(secret), rights=frozenset({Right.READ}), created_at=now)
    late = replace(key, id="k2", digest=digest(secret[:-1] + "_"), expires_at=now - timedelta(1))
    with server(vault, home, keys=(key, late)) as client:
        for headers in ({}, {"x-mythos-key": "wrong"}, {"x-mythos-key": secret[:-1] + "_"}, {"x-mythos-key": ""}):
            answer = client.get(PATH, params={"q": "tea"}, headers=headers)
            assert answer.status_code == 403
            assert answer.json()["success"] is False
            assert answer.json()["status"] == 403
            assert "www-authenticate" not in answer.headers
        for headers in ({"x-mythos-key": secret}, {"authorization": f"Bearer {secret}"}):
            answer = client.get(PATH, params={"q": "tea"}, headers=headers)
            assert answer.status_code == 200
            assert answer.json()["memos"][0]["accessReason"] == "owner"


def test_404_for_a_library_that_nobody_has(vault: Path, home: Path) -> None:
    with server(vault, home, semantic="off") as client:
        assert fails(client, 404, username="nobody")["error"] == "No user or library named 'nobody'."


def test_422_when_no_embedder_is_configured(vault: Path, home: Path) -> None:
    with server(vault, home, semantic="off", vector="off") as client:
        body = fails(client, 422)
        assert body["fallback"] == "substring"
        assert "switched off" in body["error"]


def test_422_when_there_are_no_embeddings_says_why(vault: Path, home: Path, tmp_path: Path) -> None:
    with server(vault, home, embed=False) as client:
        body = fails(client, 422)
        assert body["fallback"] == "substring"
        assert "still being indexed" in body["error"]
    (tmp_path / "empty").mkdir()
    with server(tmp_path / "empty", tmp_path / "other home") as client:
        body = fails(client, 422)
        assert body["fallback"] == "substring"
        assert "empty" in body["error"]


def test_503_when_the_server_keeps_no_vectors_says_what_to_do(vault: Path, home: Path) -> None:
    with server(vault, home, vector="off") as client:
        body = fails(client, 503)
        assert 'vector = "on"' in body["setup"]
        assert "fallback" not in body


def test_500_tells_nothing_of_what_went_wrong_inside(vault: Path, home: Path) -> None:
    def change(app: App) -> App:
        return replace(app, chunk_searcher=None)  # type: ignore[arg-type]

    with server(vault, home, change) as client:
        assert "NoneType" not in fails(client, 500)["error"]


@pytest.mark.parametrize(
    "change",
    [
        embedding(EngineState.DEGRADED, "the model file is damaged"),
        lambda app: replace(app, chunk_searcher=replace(app.chunk_searcher, vectors=Broken())),
    ],
    ids=["embedding", "vectors"],
)
def test_s16_when_the_search_by_meaning_fails_words_answer_and_say_so(vault: Path, home: Path, change: Change) -> None:
    """Degraded mode: 200, results of the text search alone, a flag and a reason."""
    with server(vault, home, change) as client:
        answer = client.get(PATH, params={"q": "green tea"})
        assert answer.status_code == 200
        body = answer.json()
        assert body["diagnostics"]["vectorSearchFailed"] is True
        assert body["diagnostics"]["semantic"] == "degraded"
        assert "damaged" in body["diagnostics"]["reason"]
        (memo,) = body["memos"]
        assert memo["title"] == "Brewing green tea"
        assert memo["chunks"][0]["score"] == pytest.approx(0.3)


def test_when_only_the_text_search_is_down_meaning_answers_and_says_so(vault: Path, home: Path) -> None:
    def change(app: App) -> App:
        return replace(app, chunk_searcher=replace(app.chunk_searcher, texts=Broken()))

    with server(vault, home, change) as client:
        body = client.get(PATH, params={"q": "green tea"}).json()
        assert body["memos"][0]["title"] == "Brewing green tea"
        diagnostics = body["diagnostics"]
        assert (diagnostics["vectorSearchFailed"], diagnostics["fulltext"]) == (False, "degraded")


def test_when_both_are_down_it_is_a_failure_and_no_empty_list(vault: Path, home: Path) -> None:
    def change(app: App) -> App:
        return replace(app, chunk_searcher=replace(app.chunk_searcher, texts=Broken(), vectors=Broken()))

    with server(vault, home, change) as client:
        assert "damaged" in fails(client, 503)["error"]


def test_a_method_that_is_none_of_its_own_is_refused(vault: Path, home: Path) -> None:
    with server(vault, home) as client:
        answer = client.post(PATH, params={"q": "tea"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
        assert client.get(PATH, params={"query": "tea"}).status_code == 400


def test_a_fresh_memo_is_found_by_its_words_at_once(vault: Path, home: Path) -> None:
    """Nobody has embedded it yet."""

    def change(app: App) -> App:
        (vault / "fresh.md").write_text("# Fresh\n\nThe zebra crossing was painted today.\n", encoding="utf-8")
        for library in app.gate.libraries():
            app.indexer.refresh(library)
        return app

    with server(vault, home, change) as client:
        body = client.get(PATH, params={"q": "zebra crossing"}).json()
        assert body["memos"][0]["title"] == "Fresh"
        assert body["diagnostics"]["pending"] == 1


def test_the_threads_of_the_process_are_not_waited_for_when_they_are_silent(
    vault: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search by meaning that does not answer in time counts as failed."""
    monkeypatch.setattr("trilith.search.chunks.ENGINE_DEADLINE", 0.05)

    class Silent(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Any:
            return super().submit(secrets.token_hex).__class__()

    def change(app: App) -> App:
        return replace(app, chunk_searcher=replace(app.chunk_searcher, threads=Silent(1)))

    with server(vault, home, change) as client:
        body = client.get(PATH, params={"q": "green tea"}).json()
        assert body["diagnostics"]["vectorSearchFailed"] is True
        assert "in time" in body["diagnostics"]["reason"]
        assert body["memos"][0]["title"] == "Brewing green tea"
