"""One embedder for most libraries, others for those whose owners have chosen so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trilith.ports.embedding import Embedder, EmbedderStatus, Floats, Likeness, TokenCounter


class Embedders:
    """An embedder that is `usual`, and knows which library has another.

    Args:
        chosen: by name of the library.
    """

    def __init__(self, usual: Embedder, chosen: Mapping[str, Embedder]) -> None:
        self._usual = usual
        self._chosen = chosen

    def of(self, library: str) -> Embedder:
        return self._chosen.get(library, self._usual)

    @property
    def model(self) -> str:
        return self._usual.model

    @property
    def width(self) -> int:
        return self._usual.width

    @property
    def likeness(self) -> Likeness | None:
        return self._usual.likeness

    @property
    def tokens(self) -> TokenCounter:
        return self._usual.tokens

    def prepare(self) -> None:
        self._usual.prepare()

    def status(self) -> EmbedderStatus:
        return self._usual.status()

    def wait(self, seconds: float) -> EmbedderStatus:
        return self._usual.wait(seconds)

    def embed(self, texts: Sequence[str]) -> Floats:
        return self._usual.embed(texts)

    def embed_query(self, text: str) -> Floats:
        return self._usual.embed_query(text)
