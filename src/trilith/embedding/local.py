"""The embedder that runs in this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from trilith.embedding.background import Background, checkpoint
from trilith.embedding.manifest import Manifest, ModelFile, ModelUnusable, read_manifest, verified
from trilith.embedding.network import Network, load_network
from trilith.embedding.recent import Recent
from trilith.embedding.tokens import WordPieces
from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.ports.embedding import EmbedderStatus, Floats

BUILT_IN = Path(__file__).parent / "model"
"""The folder of the model that comes with the program."""

RECENT_QUERIES = 256

_NO_FILE = ModelFile(file="", size=0, sha256="")
_NO_MODEL = Manifest(name="none", width=384, window=256, network=_NO_FILE, tokenizer=_NO_FILE)
"""Stands in where the manifest cannot be read: nothing is ever embedded under its identity."""


def half_the_processors() -> int:
    """Texts embedded side by side unless told otherwise: searches and the rest of the machine keep their share."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ours // 2)


class LocalEmbedder:
    """A sentence encoder in ONNX, loaded in the background from a folder with a manifest (see `manifest`).

    Args:
        folder: the model's files.
        threads: texts that are embedded side by side when there are many; a query always takes one thread.
    """

    def __init__(self, folder: Path = BUILT_IN, threads: int | None = None) -> None:
        self._folder = folder
        self._threads = threads or half_the_processors()
        self._flaw: str | None = None
        try:
            self._manifest = read_manifest(folder)
        except ModelUnusable as error:
            self._manifest, self._flaw = _NO_MODEL, str(error)
        self._tokens = WordPieces(folder / self._manifest.tokenizer.file, self._manifest.window)
        self._loading = Background(self._load)
        self._recent = Recent(RECENT_QUERIES)

    @property
    def model(self) -> str:
        return self._manifest.identity

    @property
    def width(self) -> int:
        return self._manifest.width

    @property
    def tokens(self) -> WordPieces:
        return self._tokens

    def of(self, library: str) -> LocalEmbedder:  # noqa: ARG002 - the same for all
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
        """Texts beyond the window are cut. Raises `ValueError` for a blank text: it has no meaning to embed."""
        if not all(text.strip() for text in texts):
            raise ValueError("a blank text has no meaning to embed")
        network = self._network()
        try:
            return network.run(self._tokens.encode(texts))
        except Exception as error:  # ONNX Runtime's exceptions have no common base but this
            raise Unavailable(f"The embedding model failed: {error}") from error

    def embed_query(self, text: str) -> Floats:
        """As `embed`; the vectors of the last queries are remembered."""
        known = self._recent.get(text)
        if known is not None:
            return known
        vector: Floats = self.embed([text])[0]
        vector.flags.writeable = False
        self._recent.put(text, vector)
        return vector

    def _network(self) -> Network:
        network = self._loading.result
        if network is None:
            raise Unavailable(self.status().reason or "The embedding model is still loading; try again in a moment.")
        return network

    def _load(self) -> Network:
        """Everything that takes time, step by step."""
        manifest = self._manifest
        verified(self._folder, manifest.tokenizer)
        path = verified(self._folder, manifest.network)
        checkpoint()
        self._tokens.encode(["warm"])
        checkpoint()
        network = load_network(path, manifest.width, self._threads)
        checkpoint()
        network.run(self._tokens.encode(["warm"]))
        return network
