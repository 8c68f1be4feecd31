"""Text with the words that were looked for marked in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trilith.language.forms import Span, forms


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    hit: bool = False


def marked(text: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """The text in pieces; together they are the text. Other forms of a word count as that word."""
    if not words:
        return (Piece(text),)
    return tuple(piece for piece in _pieces(text, forms(tuple(words)).find(text)) if piece.text)


def _pieces(text: str, spans: Sequence[Span]) -> Iterator[Piece]:
    at = 0
    for start, end, _ in spans:
        if start >= at:
            yield Piece(text[at:start])
            yield Piece(text[start:end], hit=True)
            at = end
    yield Piece(text[at:])
