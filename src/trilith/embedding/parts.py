"""Text to the tokens of a model that came as a folder, in as many parts as its window asks for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.tokens import load_tokenizer, sound

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

MOST_PARTS = 16
"""Of one text; what follows is cut off. A chunk has 1,000 characters at most."""


class Part(NamedTuple):
    """Numbers of tokens, special ones included, and of the segment that each is in."""

    ids: list[int]
    segments: list[int]


class Parts:
    """The tokens of a model; a `TokenCounter`. The tokenizer is loaded when first needed.

    Args:
        path: a `tokenizer.json`.
        window: most tokens that one text may have, special ones included.
        lower: the model knows lower case only, and its tokenizer does not see to that.
    """

    def __init__(self, path: Path, window: int, *, lower: bool = False) -> None:
        self._path = path
        self._window = window
        self._lower = lower
        self._loaded: Tokenizer | None = None
        self._loading = threading.Lock()

    @property
    def window(self) -> int:
        return self._window

    def count(self, texts: Sequence[str]) -> list[int]:
        """Never cut. Where the tokenizer cannot be loaded it is an upper bound for one that goes by bytes."""
        try:
            return [sum(len(part.ids) for part in parts) for parts in self._cut(texts, most=None)]
        except ModelUnusable:
            return [len(text.encode("utf-8", "replace")) + 2 for text in texts]

    def encode(self, texts: Sequence[str]) -> list[list[Part]]:
        """Each text in parts of at most `window` tokens, each with the special ones. Raises `ModelUnusable`."""
        return self._cut(texts, most=MOST_PARTS)

    def pairs(self, text: str, others: Sequence[str]) -> list[Part]:
        """A text with each of the others, for a network that compares two: the longer of them is cut to fit."""
        first = self._sound([text])[0]
        encodings = self._tokenizer().encode_batch([(first, other) for other in self._sound(others)])
        return [_part(encoding) for encoding in encodings]

    def _cut(self, texts: Sequence[str], most: int | None) -> list[list[Part]]:
        encodings = self._tokenizer().encode_batch(self._sound(texts))
        return [[_part(each) for each in [encoding, *encoding.overflowing][:most]] for encoding in encodings]

    def _sound(self, texts: Sequence[str]) -> list[str]:
        return sound([text.lower() for text in texts] if self._lower else texts)

    def _tokenizer(self) -> Tokenizer:
        with self._loading:
            if self._loaded is None:
                self._loaded = load_tokenizer(self._path)
                self._loaded.enable_truncation(self._window)
            return self._loaded


def _part(encoding: Encoding) -> Part:
    return Part(encoding.ids, encoding.type_ids)
