"""What all embedders have in common that run in this process: they load in the background, and remember queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self

from trilith.embedding.background import Background, checkpoint
from trilith.embedding.recent import Recent
from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.ports.embedding import EmbedderStatus, Floats, Likeness, TokenCounter

RECENT_QUERIES = 256


class Encoder(Protocol):
    """A model in memory. Both take texts that are not blank, and give float32 [n, width], L2-normalised."""

    def passages(self, texts: Sequence[str]) -> Floats: ...

    def queries(self, texts: Sequence[str]) -> Floats: ...


class LoadedEmbedder:
    """An `Embedder` around a model that takes time to load.

    Args:
        model: see `Embedder.model`.
        flaw: why it can never be loaded, if that is known already.
        load: loads it, step by step; raises `ModelUnusable`.
        measure: finds out what its cosines mean, once it is loaded.
    """

    def __init__(
        self,
        model: str,
        width: int,
        tokens: TokenCounter,
        load: Callable[[], Encoder],
        *,
        flaw: str | None = None,
        measure: Callable[[Encoder], Likeness] | None = None,
    ) -> None:
        self.model = model
        self.width = width
        self.tokens = tokens
        self._flaw = flaw
        self._measure = measure
        self._likeness: Likeness | None = None
        self._loading = Background(lambda: self._loaded(load))
        self._recent = Recent(RECENT_QUERIES)

    @property
    def likeness(self) -> Likeness | None:
        return self._likeness

    def of(self, library: str) -> Self:  # noqa: ARG002 - the same for all
        return self

    def prepare(self) -> None:
        self._loading.start()

    def status(self) -> EmbedderStatus:
        flaw = self._flaw or self._loading.failure
        if flaw is not None:
            return EmbedderStatus(EngineState.DEGRADED, flaw)
        return EmbedderStatus(EngineState.LOADING if self._loading.result is None else EngineState.OK)

    def wait(self, seconds: float) -> EmbedderStatus:
        if self._flaw is None:
            self._loading.start()
            self._loading.wait(seconds)
        return self.status()

    def embed(self, texts: Sequence[str]) -> Floats:
        """Raises `ValueError` for a blank text: it has no meaning to embed."""
        return _encoded(self._encoder().passages, texts)

    def embed_query(self, text: str) -> Floats:
        """As `embed`; the vectors of the last queries are remembered."""
        known = self._recent.get(text)
        if known is not None:
            return known
        vector: Floats = _encoded(self._encoder().queries, [text])[0]
        vector.flags.writeable = False
        self._recent.put(text, vector)
        return vector

    def _loaded(self, load: Callable[[], Encoder]) -> Encoder:
        encoder = load()
        if self._measure is not None:
            checkpoint()
            self._likeness = self._measure(encoder)
        return encoder

    def _encoder(self) -> Encoder:
        encoder = self._loading.result
        if encoder is None:
            raise Unavailable(self.status().reason or "The embedding model is still loading; try again in a moment.")
        return encoder


def _encoded(encode: Callable[[Sequence[str]], Floats], texts: Sequence[str]) -> Floats:
    if not all(text.strip() for text in texts):
        raise ValueError("a blank text has no meaning to embed")
    try:
        return encode(texts)
    except Exception as error:  # ONNX Runtime's exceptions have no common base but this
        raise Unavailable(f"The embedding model failed: {error}") from error
