"""Text to token numbers, and how many a text has."""

from __future__ import annotations

import string
import threading
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trilith.embedding.manifest import ModelUnusable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIAL = 2
"""A mark before the text and one after it."""

_MARKS = string.punctuation.encode()
"""A token each, and the end of the word before it, as blanks are."""
_PARTED = bytes.maketrans(_MARKS + b"\v\f", b" " * len(_MARKS) + b"\1\1")
"""To make blanks of marks; the two that Python takes for blanks, and the tokenizer for nothing, become others of that kind."""
_REMEMBERED = 1 << 15
"""Words whose tokens have been counted; with those of up to"""
_LONGEST = 40
"""bytes alone that is 7 MB."""


class WordPieces:
    """The tokens of a model; a `TokenCounter`. The tokenizer is loaded (30 ms) when first needed.

    Args:
        path: a `tokenizer.json`.
        window: most tokens that one text may have, special ones included.
    """

    def __init__(self, path: Path, window: int) -> None:
        self._path = path
        self._window = window
        self._loaded: Tokenizer | None = None
        self._loading = threading.Lock()
        self._sizes = _Sizes()

    @property
    def window(self) -> int:
        return self._window

    def count(self, texts: Sequence[str]) -> list[int]:
        """As in the port. Never cut, so above the window for texts that do not fit.

        No token reaches beyond a word, and has at least a byte: so a text is counted word by word, and of those that are not
        known the bytes are enough where the whole fits all the same. Marks of the model that a text spells out (`[MASK]`)
        count as words.

        Where the tokenizer cannot be loaded it is an upper bound: notes are then still cut into chunks, found by their
        words, and the embedder's status says what is wrong.
        """
        try:
            return [self._count(text.encode("utf-8", "replace")) for text in texts]
        except ModelUnusable:
            return [most_tokens(text) for text in texts]

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Token numbers with the special ones, cut to the window. Raises `ModelUnusable`."""
        return [fitted(encoding.ids, self._window) for encoding in self._tokenizer().encode_batch_fast(sound(texts))]

    def _count(self, text: bytes) -> int:
        marks = SPECIAL + len(text) - len(text.translate(None, _MARKS))
        words = text.translate(_PARTED).split()
        most = marks + sum(map(self._sizes.__getitem__, words))
        return most if most <= self._window else marks + sum(map(self._size, words))

    def _size(self, word: bytes) -> int:
        size = self._sizes.get(word)
        if size is None:
            size = len(self._tokenizer().encode(word.decode(), add_special_tokens=False))
            if len(word) <= _LONGEST:
                if len(self._sizes) >= _REMEMBERED:
                    self._sizes.clear()
                self._sizes[word] = size
        return size

    def _tokenizer(self) -> Tokenizer:
        with self._loading:
            if self._loaded is None:
                self._loaded = load_tokenizer(self._path)
            return self._loaded


class _Sizes(dict[bytes, int]):
    """How many tokens words have, as far as they have been counted; of others the most that they can have."""

    def __missing__(self, word: bytes) -> int:
        return len(word)


def load_tokenizer(path: Path) -> Tokenizer:
    """Raises `ModelUnusable`."""
    try:
        from tokenizers import Tokenizer

        loaded = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare `Exception` for a file that is missing or not a tokenizer
        raise ModelUnusable(f"The tokenizer {path} cannot be loaded: {error}") from error
    # The file asks for 128 tokens, cut and filled up; the window is the model's affair, and filling up the batch's.
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


def sound(texts: Sequence[str]) -> list[str]:
    """The texts with `?` for half a surrogate pair, which JSON can bring in and the tokenizer will not take."""
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def fitted(ids: list[int], window: int) -> list[int]:
    """At most `window` tokens, the closing one kept."""
    return ids if len(ids) <= window else [*ids[: window - 1], ids[-1]]


def most_tokens(text: str) -> int:
    """WordPiece makes no more tokens than a text has characters once taken apart (NFD), blanks left out."""
    return SPECIAL + sum(not character.isspace() for character in unicodedata.normalize("NFD", text))
