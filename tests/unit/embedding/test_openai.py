"""The embedder behind an address, against a server in this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.fakes import WordCounter
from tests.openai_server import KEY, Upstream, upstream

from trilith.embedding import openai
from trilith.embedding.openai import OpenAiEmbedder
from trilith.errors import KeyRejected, Unavailable
from trilith.model.hits import EngineState


@pytest.fixture
def server() -> Iterator[Upstream]:
    with upstream() as state:
        yield state


def embedder(server: Upstream, key: str | None = KEY, **more: Any) -> OpenAiEmbedder:
    return OpenAiEmbedder(server.url, "some-model", 64, key, WordCounter(), absence="no key is set", **more)


def test_texts_go_in_batches_and_vectors_come_in_their_order(server: Upstream) -> None:
    texts = [f"text number {number}" for number in range(150)]
    vectors = embedder(server).embed(texts)
    assert [len(asked["input"]) for asked in server.asked] == [64, 64, 22]
    assert server.asked[0] == {"model": "some-model", "input": texts[:64]}
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.allclose(vectors[149], embedder(server).embed_query(texts[149]))


def test_a_width_is_asked_for_only_when_it_was_chosen(server: Upstream) -> None:
    embedder(server, shortened=True).embed_query("x")
    assert server.asked[0]["dimensions"] == 64


def test_a_query_is_asked_once(server: Upstream) -> None:
    asking = embedder(server)
    assert np.array_equal(asking.embed_query("tea"), asking.embed_query("tea"))
    assert len(server.asked) == 1


def test_s17_another_model_width_or_address_is_another_identity(server: Upstream) -> None:
    """Vectors are keyed by what made them."""
    same = {"key": KEY, "tokens": WordCounter()}
    made = {
        OpenAiEmbedder(*kind, **same).model  # type: ignore[arg-type]
        for kind in (
            ("http://a/v1", "m", 64),
            ("http://b/v1", "m", 64),
            ("http://a/v1", "n", 64),
            ("http://a/v1", "m", 65),
        )
    }
    assert len(made) == 4


def test_without_a_key_it_is_off_and_asks_nobody(server: Upstream) -> None:
    off = embedder(server, key=None)
    assert (off.status().state, off.status().reason) == (EngineState.OFF, "no key is set")
    with pytest.raises(Unavailable, match="no key is set"):
        off.embed(["x"])
    assert server.asked == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_is_told_apart_and_never_shown(server: Upstream, status: int) -> None:
    server.answer = status
    with pytest.raises(KeyRejected) as failure:
        embedder(server).embed(["x"])
    assert KEY not in failure.value.message
    with pytest.raises(KeyRejected):
        embedder(server, key="sk-wrong").embed_query("x")


def test_429_is_left_alone_for_as_long_as_the_server_says(server: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(openai.time, "monotonic", lambda: now[0])
    asking = embedder(server)
    server.answer, server.headers = 429, {"Retry-After": "7"}
    with pytest.raises(Unavailable, match="7 s"):
        asking.embed(["x"])
    server.answer = None
    with pytest.raises(Unavailable, match="left alone"):
        asking.embed_query("x")
    assert len(server.asked) == 1
    now[0] += 7.1
    assert asking.embed_query("x").shape == (64,)


@pytest.mark.parametrize("header", [{}, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, {"Retry-After": "-3"}])
def test_429_without_a_number_of_seconds_does_no_harm(server: Upstream, header: dict[str, str]) -> None:
    server.answer, server.headers = 429, header
    with pytest.raises(Unavailable, match="429"):
        embedder(server).embed(["x"])


@pytest.mark.parametrize("status", [400, 404, 500, 502, 503, 302])
def test_any_other_status_is_a_failure_that_may_pass(server: Upstream, status: int) -> None:
    server.answer, server.headers = status, {"Location": "http://127.0.0.1:9/"} if status == 302 else {}
    with pytest.raises(Unavailable, match=str(status)) as failure:
        embedder(server).embed(["x"])
    assert not isinstance(failure.value, KeyRejected)


@pytest.mark.parametrize(
    "answer",
    [
        b"not json",
        {},
        {"data": None},
        {"data": [{"index": 0, "embedding": [1.0, 2.0]}]},
        {"data": [{"index": 0, "embedding": [0.0] * 64}]},
        {"data": [{"index": 0, "embedding": ["a"] * 64}]},
        {"data": []},
        [],
    ],
)
def test_an_answer_that_makes_no_sense_is_a_failure(server: Upstream, answer: Any) -> None:
    server.answer = answer
    with pytest.raises(Unavailable):
        embedder(server).embed(["x"])


def test_silence_is_a_failure(server: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "QUERY_SECONDS", 0.05)
    server.delay = 0.5
    with pytest.raises(Unavailable, match="does not answer"):
        embedder(server).embed_query("x")


def test_nobody_there_is_a_failure() -> None:
    nowhere = OpenAiEmbedder("http://127.0.0.1:9/v1", "m", 64, KEY, WordCounter())
    with pytest.raises(Unavailable):
        nowhere.embed(["x"])
