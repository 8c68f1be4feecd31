"""How a query is compared with each of a few texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trilith.ports.embedding import EmbedderStatus


class Reranker(Protocol):
    """Reads a query and a text together, which tells more than two vectors do and costs more. Loading happens in the
    background and is never waited for unless asked."""

    def status(self) -> EmbedderStatus: ...

    def wait(self, seconds: float) -> EmbedderStatus:
        """Wait until it is ready or has failed, at most so long; begins to load if nobody has."""
        ...

    def scores(self, query: str, texts: Sequence[str], seconds: float) -> list[float]:
        """How well each text answers the query, in the order of `texts`; more is better, and nothing else is said.

        Raises `Unavailable` when it is not ready, has failed, or has not come to its end within so many seconds: it is
        never late by more than one text.
        """
        ...
