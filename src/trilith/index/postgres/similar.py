"""Which words differ from one by a letter or two? Pure: a regular expression for the server to look through its words with."""

from __future__ import annotations

from trilith.language.words import LONGEST

_ANY = "."


def pattern(word: str, distance: int) -> str:
    """Of all texts that come to be `word` by at most `distance` letters added, left out, changed, or two that change
    places (Damerau, 1964)."""
    found = {tuple(word[:LONGEST])}
    for _ in range(distance):
        found |= {changed for each in found for changed in _once(each)}
    return f"(?:{'|'.join(sorted(''.join(map(_literal, each)) for each in found))})"


def _once(word: tuple[str, ...]) -> set[tuple[str, ...]]:
    made = {(*word[:at], _ANY, *word[at:]) for at in range(len(word) + 1)}
    for at in range(len(word)):
        before, after = word[:at], word[at + 1 :]
        made |= {(*before, *after), (*before, _ANY, *after)}
        if after:
            made.add((*before, after[0], word[at], *after[1:]))
    return made


def _literal(letter: str) -> str:
    return letter if letter == _ANY or letter.isalnum() else f"\\{letter}"
