"""What does a literal query ask for? Its words, and where several are written as one, that they stand together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from trilith.language.stops import STOP_WORDS
from trilith.language.tongues import content_words, stop_words, tongue
from trilith.language.words import Kind, Token, tokens, words
from trilith.model.textquery import Boolean, Boost, Field, Fuzzy, Node, Occurs, Phrase, Prefix, Words

MOST_WANTED = 256
"""Of the distinct words that a query asks for, the first so many count."""

LONGEST_PHRASE = 16
"""Words."""

# What joins the words of an identifier, a version, a path or a URL.
_JOINER = re.compile(r"[-._/\\:@+#&=~\u2010\u2011]{0,3}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word; its `parts` together are as good as itself."""

    text: str
    parts: tuple[str, ...] = ()

    @property
    def telling(self) -> tuple[str, ...]:
        """What each makes a note better: the word, and its parts but for stop words."""
        return (self.text, *(part for part in self.parts if part not in STOP_WORDS))


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing that a query asks for.

    `words` each make a note better; a note that has all of them has the thing. `phrase` are words that better stand
    next to each other; with `strict` they must, as `1.0.21` is not in every note with a 1, a 0 and a 21.
    """

    words: tuple[Word, ...]
    phrase: tuple[str, ...] = ()
    strict: bool = False


def wanted(text: str) -> tuple[Wanted, ...]:
    """The distinct things that a literal query asks for, in order; without stop words, unless there is nothing else."""
    found = list(dict.fromkeys(_things(text)))
    stops = stop_words(tongue(word.text for thing in found for word in thing.words))
    kept = [thing for thing in found if thing.phrase or any(word.text not in stops for word in thing.words)]
    return tuple(_first(kept or found))


def _first(things: Iterable[Wanted]) -> Iterator[Wanted]:
    """The first things, of `MOST_WANTED` words in all: one run of characters without a blank can hold thousands."""
    left = MOST_WANTED
    for thing in things:
        if left <= 0:
            return
        yield replace(thing, words=thing.words[:left])
        left -= len(thing.words)


@lru_cache(maxsize=64)
def asked_words(node: Node) -> Sequence[str]:
    """The distinct words that a parsed query looks for in texts, for snippets and scores; `word*` is kept as such."""
    return tuple(content_words(_asked(node))[:MOST_WANTED])


def _asked(node: Node) -> Iterator[str]:
    match node:
        case Words(text, field) | Phrase(text, field) | Fuzzy(text, _, field) if _is_text(field):
            yield from words(text)
        case Prefix(text, field) if _is_text(field):
            found = [token.text for token in tokens(text) if token.kind in (Kind.WORD, Kind.LONE)]
            yield from found[:-1]
            yield from (f"{last}*" for last in found[-1:])
        case Boost(inner):
            yield from _asked(inner)
        case Boolean(clauses):
            for occurs, clause in clauses:
                if occurs is not Occurs.MUST_NOT:
                    yield from _asked(clause)


def _is_text(field: Field | None) -> bool:
    return field in (None, Field.TITLE, Field.ALIASES, Field.HEADINGS, Field.BODY)


def _things(text: str) -> Iterator[Wanted]:
    found = list(tokens(text))
    paired = {place for token in found if token.kind is Kind.PAIR for place in (token.start, token.end)}
    joined: list[Token] = []
    parts: list[tuple[str, ...]] = []
    for token in found:
        match token.kind:
            case Kind.PART:
                parts[-1] += (token.text,)
                continue
            case Kind.WORD if joined and _JOINER.fullmatch(text, joined[-1].end, token.start):
                pass
            case _:
                yield from _together(joined, parts)
                joined, parts = [], []
        if token.kind is Kind.WORD:
            joined.append(token)
            parts.append(())
        elif token.kind is Kind.PAIR or not paired & {token.start, token.end}:
            yield Wanted((Word(token.text),))
    yield from _together(joined, parts)


def _together(joined: list[Token], parts: list[tuple[str, ...]]) -> Iterator[Wanted]:
    """The words of one blank-separated expression."""
    each = [Word(token.text, own) for token, own in zip(joined, parts, strict=True)]
    if len(joined) > 1 and joined[0].text == "v" and joined[0].end == joined[1].start:
        del each[0]  # `v1.0` finds `1.0`
    if len(each) <= 1:
        yield from (Wanted((word,)) for word in each)
        return
    telling = tuple(word for word in each if word.text not in STOP_WORDS and _tells(word.text))
    strict = not telling or any(word.text not in STOP_WORDS for word in each if word not in telling)
    yield Wanted(telling, tuple(word.text for word in each[:LONGEST_PHRASE]), strict)


def _tells(word: str) -> bool:
    """Whether a word is worth finding apart from its neighbours: `gather` and `0054`, not the `1` of `1.0.21`."""
    return len(word) > 2 or (len(word) == 2 and not word.isdigit())
