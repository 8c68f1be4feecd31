"""Where in a text do forms of a query's words stand?

Most words of a text are none, and telling the tokens of a whole note takes a millisecond. So only those pieces between
blanks are taken apart in which the beginning of an asked word stands, or a character that folding may change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from trilith.language.stems import stem
from trilith.language.words import occurrences

Span = tuple[int, int, str]

_FOLDABLE = re.compile(r"[^\x00-\x7f]")
_BLANK = re.compile(r"[ \n]|\Z")
_ONE_WORD = re.compile(r"""['"(\[*_`]*([A-Z]?[a-z]+)[.,;:!?'")\]*_`]*""")
"""What most pieces are: a word that has no parts, and punctuation around it."""
_REMEMBERED = 256
"""Pieces with their tokens: those of one query come again from note to note."""
_TEXTS = 16
"""Of a query's answer: what is scored by its words is shown by them, too."""


class Forms:
    """A query's words in normal form, ready to be looked for; `word*` stands for all that begin with it."""

    def __init__(self, asked: Sequence[str]) -> None:
        whole = [word for word in asked if not word.endswith("*")]
        self._exact = frozenset(whole)
        self._stems = {stem(word): word for word in whole}
        self._prefixes = tuple(word[:-1] for word in asked if word.endswith("*"))
        seeds = frozenset((*map(beginning, self._stems), *self._prefixes))
        self._seeds = [seed for seed in seeds if seed and seed.isascii()]
        self._spans = lru_cache(_REMEMBERED)(self._spans_of)
        self._found = lru_cache(_TEXTS)(self._find)

    def find(self, text: str) -> Sequence[Span]:
        """Start, end and asked word of each token that is a form of one, by place."""
        return self._found(text)

    def _find(self, text: str) -> tuple[Span, ...]:
        return tuple(
            [
                (at + start, at + end, word)
                for at, piece in self._promising(text)
                for start, end, word in self._spans(piece)
            ]
        )

    def _spans_of(self, piece: str) -> list[Span]:
        if word := _ONE_WORD.fullmatch(piece):
            name = self._name(word[1].lower())
            return [] if name is None else [(*word.span(1), name)]
        return sorted(occurrences(piece, self._name))

    def _promising(self, text: str) -> Iterator[tuple[int, str]]:
        """The pieces between blanks that may hold a form, and where each begins."""
        lowered = text.lower()
        if len(lowered) != len(text):  # a few letters become two
            yield 0, text
            return
        places = {place for seed in self._seeds for place in _places(lowered, seed)}
        if not text.isascii():
            places.update(match.start() for match in _FOLDABLE.finditer(text))
        end = 0
        for place in sorted(places):
            if place >= end:
                start = max(text.rfind(" ", end, place), text.rfind("\n", end, place), end - 1) + 1
                end = _end(text, place)
                yield start, text[start:end]

    def _name(self, token: str) -> str | None:
        """The asked word that a token is a form of."""
        if token in self._exact:
            return token
        word = self._stems.get(stem(token))
        if word is None and token.startswith(self._prefixes):
            return next(f"{prefix}*" for prefix in self._prefixes if token.startswith(prefix))
        return word


@lru_cache(maxsize=64)
def forms(asked: tuple[str, ...]) -> Forms:
    """The same for the same words: an answer looks through a dozen texts."""
    return Forms(asked)


def beginning(root: str) -> str:
    """What all words with this stem begin with. The stemmer takes endings off, but makes `happi` of `happy`, `abl` of
    `ability`, `hope` of `hoping`, `die` of `dying` and `sky` of `skies`."""
    for ending in ("ie", "i", "e", "l", "y"):
        if root.endswith(ending) and root != ending:
            return root.removesuffix(ending)
    return root


def _places(text: str, part: str) -> list[int]:
    places = []
    place = text.find(part)
    while place >= 0:
        places.append(place)
        place = text.find(part, place + 1)
    return places


def _end(text: str, place: int) -> int:
    match = _BLANK.search(text, place)
    assert match is not None
    return match.start()
