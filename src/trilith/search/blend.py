"""The score of chunks and of the notes that they are from, as the MythOS pages define it. Pure.

chunk   0.7 * cosine + 0.3 * share of the query's words that it has
note    the best of its chunks + 0.1 * ln(number of its chunks that are nearly as good)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from trilith.language.wanted import asked_words
from trilith.language.words import words
from trilith.model.ids import Num
from trilith.model.textquery import Words
from trilith.ports.engines import ChunkKey

BY_MEANING = 0.7
BY_WORDS = 0.3
FOR_NUMBER = 0.1
NEARLY = 0.25
"""Share of the best chunk's score, of all notes, from which a chunk counts."""


@dataclass(frozen=True, slots=True)
class Blended:
    """A note's score, its chunks with theirs, best first, and how many of them count, at least 1."""

    score: float
    chunks: tuple[tuple[int, float], ...]
    count: int


def query_words(query: str) -> tuple[str, ...]:
    """The distinct tokens of the exact analyser that a query is about: no stop words, unless there is nothing else."""
    return tuple(asked_words(Words(query)))


def share(asked: Collection[str], text: str, around: Collection[str] = ()) -> float:
    """The share of the asked words among the tokens of a text and those `around` it, 0..1; 0 where nothing is asked."""
    if not asked:
        return 0.0
    missing = [word for word in asked if word not in around]
    return (len(asked) - len(missing) + len(_present(missing, text))) / len(asked)


def _present(asked: Sequence[str], text: str) -> set[str]:
    """Those of the asked words that are tokens of a text. To take texts apart would be most of a search: so only those
    that hold one of the words at all, or something that folding may change."""
    lowered = text.lower()
    if text.isascii() and not any(word in lowered for word in asked):
        return set()
    return set(asked).intersection(words(text))


def chunk_score(cosine: float, words_share: float) -> float:
    """`cosine` is clipped to 0..1."""
    return BY_MEANING * min(max(cosine, 0.0), 1.0) + BY_WORDS * words_share


def note_score(best: float, count: int) -> float:
    """May exceed 1."""
    return best + FOR_NUMBER * math.log(count)


def blend(scores: Mapping[ChunkKey, float]) -> dict[Num, Blended]:
    """The notes of these chunks; equal chunks stand in the order of the text."""
    of_note: dict[Num, list[tuple[int, float]]] = {}
    for (num, ordinal), score in scores.items():
        of_note.setdefault(num, []).append((ordinal, score))
    threshold = NEARLY * max(scores.values(), default=0.0)
    return {num: _blended(chunks, threshold) for num, chunks in of_note.items()}


def _blended(chunks: Collection[tuple[int, float]], threshold: float) -> Blended:
    best_first = tuple(sorted(chunks, key=lambda chunk: (-chunk[1], chunk[0])))
    count = max(1, sum(score >= threshold for _, score in best_first))
    return Blended(note_score(best_first[0][1], count), best_first, count)
