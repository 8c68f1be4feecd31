"""An embedder behind an address: any server that speaks the OpenAI embeddings API (`POST /embeddings`)."""

from __future__ import annotations

import json
import math
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

import numpy as np

from trilith.embedding.recent import Recent
from trilith.embedding.tokens import sound
from trilith.errors import KeyRejected, Unavailable
from trilith.model.hits import EngineState
from trilith.ports.embedding import EmbedderStatus, Floats, TokenCounter

BATCH = 64
"""Texts in one request."""
QUERY_SECONDS, BATCH_SECONDS = 8.0, 60.0
"""What a request may take."""
MOST_PAUSE = 3_600.0
"""Seconds that the server may ask us to stay away for, at most."""
PAUSE = 20.0
"""The same where it does not say how long."""
RECENT_QUERIES = 256


class OpenAiEmbedder:
    """Embeds over HTTP; nothing is sent before somebody embeds.

    Args:
        base_url: such as `https://api.openai.com/v1`.
        name: of the model, as the server knows it.
        width: numbers of a vector; asked for only when `shortened`, for not every server understands that.
        key: the owner's; None when there is none, and `absence` then says where it was looked for.
        tokens: what chunks are cut by.
    """

    def __init__(
        self,
        base_url: str,
        name: str,
        width: int,
        key: str | None,
        tokens: TokenCounter,
        *,
        absence: str = "",
        shortened: bool = False,
    ) -> None:
        self._address = f"{base_url.rstrip('/')}/embeddings"
        self._name = name
        self._key = key
        self._absence = absence
        self._shortened = shortened
        self._recent = Recent(RECENT_QUERIES)
        self._resting_until = 0.0
        self.model = f"{name}/{width}@{base_url.rstrip('/')}"
        self.width = width
        self.tokens = tokens

    @property
    def likeness(self) -> None:
        """Not found out, for that would have to be asked of the server; current models' cosines are much as the usual ones."""
        return

    def of(self, library: str) -> OpenAiEmbedder:  # noqa: ARG002 - the same for all
        return self

    def prepare(self) -> None:
        """Nothing to load."""

    def status(self) -> EmbedderStatus:
        if self._key is None:
            return EmbedderStatus(EngineState.OFF, self._absence)
        return EmbedderStatus(EngineState.OK)

    def wait(self, seconds: float) -> EmbedderStatus:  # noqa: ARG002 - there is nothing to wait for
        return self.status()

    def embed(self, texts: Sequence[str]) -> Floats:
        """Raises `KeyRejected`, and `Unavailable` when the server fails, is silent, or has asked us to stay away."""
        if not all(text.strip() for text in texts):
            raise ValueError("a blank text has no meaning to embed")
        batches = [self._asked(texts[at : at + BATCH], BATCH_SECONDS) for at in range(0, len(texts), BATCH)]
        return np.concatenate([np.empty((0, self.width), np.float32), *batches])

    def embed_query(self, text: str) -> Floats:
        """As `embed`; the vectors of the last queries are remembered."""
        known = self._recent.get(text)
        if known is not None:
            return known
        if not text.strip():
            raise ValueError("a blank text has no meaning to embed")
        vector: Floats = self._asked([text], QUERY_SECONDS)[0]
        vector.flags.writeable = False
        self._recent.put(text, vector)
        return vector

    def _asked(self, texts: Sequence[str], seconds: float) -> Floats:
        if self._key is None:
            raise Unavailable(f"No vectors: {self._absence}.")
        rest = self._resting_until - time.monotonic()
        if rest > 0:
            raise Unavailable(f"{self._address} has asked to be left alone for another {math.ceil(rest)} s.")
        body: dict[str, Any] = {"model": self._name, "input": sound(texts)}
        if self._shortened:
            body["dimensions"] = self.width
        return self._vectors(self._answer(body, seconds), len(texts))

    def _answer(self, body: dict[str, Any], seconds: float) -> Any:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=seconds) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise self._refused(refusal) from None
        except (OSError, ValueError) as failure:
            raise Unavailable(f"{self._address} does not answer as it should: {failure}.") from None

    def _refused(self, refusal: urllib.error.HTTPError) -> Unavailable:
        if refusal.code in (401, 403):
            return KeyRejected(f"{self._address} has rejected the key ({refusal.code}).")
        if refusal.code == 429:
            pause = _seconds(refusal.headers.get("Retry-After"))
            self._resting_until = time.monotonic() + pause
            return Unavailable(f"{self._address} wants fewer requests (429); next one in {math.ceil(pause)} s.")
        return Unavailable(f"{self._address} has failed ({refusal.code}).")

    def _vectors(self, answer: Any, count: int) -> Floats:
        try:
            items = sorted(answer["data"], key=lambda item: item["index"])
            vectors = np.array([item["embedding"] for item in items], np.float32).reshape(len(items), -1)
        except (KeyError, TypeError, ValueError) as failure:
            raise Unavailable(f"{self._address} has given an answer that makes no sense: {failure!r}.") from None
        if vectors.shape != (count, self.width):
            raise Unavailable(f"{self._address} has given {vectors.shape} numbers, not ({count}, {self.width}).")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(norms) & (norms > 0)):
            raise Unavailable(f"{self._address} has given vectors without a direction.")
        unit: Floats = (vectors / norms).astype(np.float32)
        return unit


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key goes to the address that the owner has named and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _seconds(retry_after: str | None) -> float:
    try:
        return min(max(float(retry_after or PAUSE), 0.0), MOST_PAUSE)
    except ValueError:
        return PAUSE  # a date: rare, and not worth a clock
