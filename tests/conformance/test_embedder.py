"""The suite of `Embedder`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from tests.fakes import HashEmbedder, WordCounter
from tests.models import make_embedder
from tests.openai_server import KEY, upstream

from trilith.embedding.folder import folder_embedder
from trilith.embedding.loaded import LoadedEmbedder
from trilith.embedding.local import LocalEmbedder
from trilith.embedding.multilingual import multilingual_embedder
from trilith.embedding.openai import OpenAiEmbedder
from trilith.model.hits import EngineState
from trilith.ports.embedding import Embedder

TEXTS = (
    "A boundary layer thickens along a flat plate.",
    "Cats sleep most of the day.",
    "def gather(*tasks): return asyncio.gather(*tasks)",
    "今天整理知识管理系统",
    "Кошки спят",
    "x",
    "   spaces around   ",
    "???",
    "🚀",
    "\x00 control",
    "half a pair \ud800 here",
    "word " * 400,
    "x" * 5_000,
)


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder(threads=2)


@pytest.fixture(scope="module")
def openai() -> Iterator[OpenAiEmbedder]:
    with upstream() as server:
        yield OpenAiEmbedder(server.url, "m", 64, KEY, WordCounter())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> LoadedEmbedder:
    return folder_embedder(make_embedder(tmp_path_factory.mktemp("folder") / "small"), threads=2)


@pytest.fixture(scope="module")
def multilingual() -> LoadedEmbedder:
    return multilingual_embedder(WordCounter())


@pytest.fixture(params=["local", "hash", "openai", "folder", "multilingual"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: Embedder = HashEmbedder() if request.param == "hash" else request.getfixturevalue(request.param)
    assert made.wait(30).state is EngineState.OK
    return made


def test_it_names_its_model_and_width_at_once() -> None:
    for make in (LocalEmbedder, HashEmbedder):
        first, second = make(), make()
        assert first.model == second.model
        assert first.width == second.width > 0


def test_vectors_are_of_length_one_in_the_order_of_the_texts(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    assert together.shape == (len(TEXTS), embedder.width)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-4)
    for text, vector in zip(TEXTS, together, strict=True):
        alone = embedder.embed([text])[0]
        assert np.allclose(alone, vector, atol=1e-5), "a vector must not hang on the other texts"


def test_s16_distinct_texts_have_distinct_vectors_of_length_one(embedder: Embedder) -> None:
    """Distinct texts give distinct vectors, norm ≈ 1."""
    texts = [f"note number {i} about {word}" for i, word in enumerate(("tides", "bread", "locks", "owls", "rust"))]
    vectors = embedder.embed(texts)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)
    likeness = vectors @ vectors.T - 2 * np.eye(len(texts))
    assert likeness.max() < 0.99


def test_a_query_has_the_vector_of_its_text(embedder: Embedder) -> None:
    query = embedder.embed_query(TEXTS[0])
    assert query.shape == (embedder.width,)
    assert query.dtype == np.float32
    assert np.allclose(query, embedder.embed([TEXTS[0]])[0], atol=1e-5)
    assert np.array_equal(embedder.embed_query(TEXTS[0]), query)


def test_the_nearer_text_is_nearer(embedder: Embedder) -> None:
    near, far = embedder.embed(["the boundary layer of a plate", "a recipe for sourdough bread"])
    query = embedder.embed_query("boundary layer")
    assert query @ near > query @ far


def test_no_texts_make_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.width)


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
def test_blank_texts_are_a_mistake_of_the_caller(embedder: Embedder, blank: str) -> None:
    with pytest.raises(ValueError, match="blank"):
        embedder.embed(["fine", blank])
    with pytest.raises(ValueError, match="blank"):
        embedder.embed_query(blank)


def test_tokens_are_counted_without_loading(embedder: Embedder) -> None:
    fresh: dict[type, Callable[[], Embedder]] = {LocalEmbedder: LocalEmbedder, LoadedEmbedder: lambda: embedder}
    tokens = fresh.get(type(embedder), HashEmbedder)().tokens
    assert tokens.window == 256
    short, long, empty = tokens.count(["one two three", "one two three " * 200, ""])
    assert empty < short < long
    assert long > tokens.window
    assert tokens.count([]) == []
    long_texts = [text * 300 for text in TEXTS]
    assert tokens.count(long_texts) == embedder.tokens.count(long_texts)


def test_preparing_twice_and_waiting_for_nothing_do_no_harm(embedder: Embedder) -> None:
    embedder.prepare()
    embedder.prepare()
    assert embedder.wait(0) == embedder.status()
    assert embedder.wait(-1).state is EngineState.OK


def test_it_is_the_embedder_of_every_library(embedder: Embedder) -> None:
    assert embedder.of("any") is embedder
