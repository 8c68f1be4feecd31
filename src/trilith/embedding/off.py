"""No embedder: the owner has switched search by meaning off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.ports.embedding import EmbedderStatus, TokenCounter

REASON = "semantic search is switched off in the settings"


class NoEmbedder:
    """An embedder that is off. Chunks are still cut to the window of `tokens`, so that switching it on needs no reading."""

    model = "off"
    width = 0
    likeness = None

    def __init__(self, tokens: TokenCounter) -> None:
        self.tokens = tokens

    def of(self, library: str) -> NoEmbedder:  # noqa: ARG002 - the same for all
        return self

    def prepare(self) -> None:
        """Nothing to load."""

    def status(self) -> EmbedderStatus:
        return EmbedderStatus(EngineState.OFF, REASON)

    def wait(self, seconds: float) -> EmbedderStatus:  # noqa: ARG002 - it will not change
        return self.status()

    def embed(self, texts: Sequence[str]) -> NoReturn:  # noqa: ARG002
        raise Unavailable(f"No vectors: {REASON}.")

    def embed_query(self, text: str) -> NoReturn:  # noqa: ARG002
        raise Unavailable(f"No vectors: {REASON}.")
