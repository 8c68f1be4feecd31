"""How text becomes vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trilith.model.hits import EngineState

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderStatus:
    state: EngineState
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Likeness:
    """The mean cosine of texts that have nothing to do with each other, and of queries with what answers them."""

    unrelated: float
    related: float


class TokenCounter(Protocol):
    @property
    def window(self) -> int:
        """Most tokens that one text may have, special tokens included."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text; of one that fits the window, any number from that up to the window."""
        ...


class Embedder(Protocol):
    """Text to vectors. Loading happens in the background and is never waited for unless asked."""

    @property
    def model(self) -> str:
        """Identity of everything that shapes a vector; another value means that vectors cannot be mixed."""
        ...

    @property
    def width(self) -> int: ...

    @property
    def tokens(self) -> TokenCounter: ...

    @property
    def likeness(self) -> Likeness | None:
        """What its cosines mean, once it is loaded; None where they are those of the model that comes with the program."""
        ...

    def of(self, library: str) -> Embedder:
        """The embedder of a library: this one, unless its owner has chosen another."""
        ...

    def prepare(self) -> None:
        """Begin to load; returns at once."""
        ...

    def status(self) -> EmbedderStatus: ...

    def wait(self, seconds: float) -> EmbedderStatus:
        """Wait until it is ready or has failed, at most so long; begins to load if nobody has."""
        ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """float32 [n, width], L2-normalised, in the order of `texts`. Raises `Unavailable`."""
        ...

    def embed_query(self, text: str) -> Floats:
        """float32 [width], L2-normalised. Raises `Unavailable`."""
        ...
