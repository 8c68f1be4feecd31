"""A cross-encoder that the owner has put into a folder: `tokenizer.json` and a network that gives `logits` for a pair."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from trilith.embedding.anynetwork import AnyNetwork, load_any
from trilith.embedding.background import Background, checkpoint
from trilith.embedding.files import find_files, window_of
from trilith.embedding.local import half_the_processors
from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.parts import Part, Parts
from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.ports.embedding import EmbedderStatus

OUTPUTS = ("logits", "scores")


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokens: Parts
    network: AnyNetwork


class FolderReranker:
    """A `Reranker`. Pairs go through one by one, each on one thread, several side by side.

    Args:
        folder: of the model, laid out as the folder of an embedder is (see `files`).
        network: the network's file within it, where the owner has chosen it.
    """

    def __init__(self, folder: Path, network: str | None = None, threads: int | None = None) -> None:
        self._folder = folder
        self._named = network
        self._threads = threads or half_the_processors()
        self._loading = Background(self._load)

    def status(self) -> EmbedderStatus:
        if self._loading.failure is not None:
            return EmbedderStatus(EngineState.DEGRADED, self._loading.failure)
        return EmbedderStatus(EngineState.LOADING if self._loading.result is None else EngineState.OK)

    def wait(self, seconds: float) -> EmbedderStatus:
        self._loading.start()
        self._loading.wait(seconds)
        return self.status()

    def scores(self, query: str, texts: Sequence[str], seconds: float) -> list[float]:
        loaded = self._loading.result
        if loaded is None:
            raise Unavailable(self.status().reason or "The reranker is still loading.")
        deadline = time.monotonic() + seconds
        try:
            pairs = loaded.tokens.pairs(query, texts)
            with ThreadPoolExecutor(self._threads) as pool:
                found = list(pool.map(lambda pair: _score(loaded.network, pair, deadline), pairs))
        except Exception as error:  # ONNX Runtime's exceptions have no common base but this
            raise Unavailable(f"The reranker failed: {error}") from error
        scores = [score for score in found if score is not None]
        if len(scores) < len(texts):
            raise Unavailable(
                f"The reranker has read {len(scores)} of {len(texts)} notes within {seconds * 1000:.0f} ms."
            )
        return scores

    def _load(self) -> _Loaded:
        """Raises `ModelUnusable`."""
        files = find_files(self._folder, self._named)
        tokens = Parts(files.tokenizer, window_of(self._folder))
        tokens.pairs("warm", ["warm"])
        checkpoint()
        network = load_any(files.network, OUTPUTS)
        checkpoint()
        answer = network.run(tokens.pairs("warm", ["warm"])[0])
        if answer.ndim != 1 or len(answer) > 2:
            raise ModelUnusable(
                f"{files.network} is no cross-encoder: it gives numbers of shape {answer.shape} for a pair."
            )
        return _Loaded(tokens, network)


def _score(network: AnyNetwork, pair: Part, deadline: float) -> float | None:
    """None once the time is up. Of two classes, by how much the second one leads."""
    if time.monotonic() >= deadline:
        return None
    answer = network.run(pair)
    return float(answer[-1] - answer[0]) if len(answer) == 2 else float(answer[0])
