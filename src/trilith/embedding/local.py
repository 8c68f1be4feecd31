"""The embedder that comes with the program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trilith.embedding.background import checkpoint
from trilith.embedding.loaded import LoadedEmbedder
from trilith.embedding.manifest import Manifest, ModelFile, ModelUnusable, read_manifest, verified
from trilith.embedding.network import Network, load_network
from trilith.embedding.tokens import WordPieces
from trilith.ports.embedding import Floats

BUILT_IN = Path(__file__).parent / "model"
"""The folder of the model that comes with the program."""

_NO_FILE = ModelFile(file="", size=0, sha256="")
_NO_MODEL = Manifest(name="none", width=384, window=256, network=_NO_FILE, tokenizer=_NO_FILE)
"""Stands in where the manifest cannot be read: nothing is ever embedded under its identity."""


def half_the_processors() -> int:
    """Texts embedded side by side unless told otherwise: searches and the rest of the machine keep their share."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ours // 2)


@dataclass(frozen=True, slots=True)
class LocalEncoder:
    """A network that pools by itself. Texts beyond its window are cut, and queries are embedded as passages are."""

    network: Network
    tokens: WordPieces

    def passages(self, texts: Sequence[str]) -> Floats:
        return self.network.run(self.tokens.encode(texts))

    def queries(self, texts: Sequence[str]) -> Floats:
        return self.passages(texts)


class LocalEmbedder(LoadedEmbedder):
    """A sentence encoder in ONNX, loaded in the background from a folder with a manifest (see `manifest`).

    Args:
        folder: the model's files.
        threads: texts that are embedded side by side when there are many; a query always takes one thread.
    """

    tokens: WordPieces

    def __init__(self, folder: Path = BUILT_IN, threads: int | None = None) -> None:
        flaw = None
        try:
            manifest = read_manifest(folder)
        except ModelUnusable as error:
            manifest, flaw = _NO_MODEL, str(error)
        tokens = WordPieces(folder / manifest.tokenizer.file, manifest.window)

        def load() -> LocalEncoder:
            return _load(folder, manifest, tokens, threads or half_the_processors())

        super().__init__(manifest.identity, manifest.width, tokens, load, flaw=flaw)


def _load(folder: Path, manifest: Manifest, tokens: WordPieces, threads: int) -> LocalEncoder:
    """Everything that takes time, step by step."""
    verified(folder, manifest.tokenizer)
    path = verified(folder, manifest.network)
    checkpoint()
    tokens.encode(["warm"])
    checkpoint()
    network = load_network(path, manifest.width, threads)
    checkpoint()
    network.run(tokens.encode(["warm"]))
    return LocalEncoder(network, tokens)
