"""How much is a match worth? Queries with the most that each can score.

A word is looked for in several fields; what it is worth there is joined by a disjunction maximum with a tie breaker:
the best field counts in full, the others by half. (On four retrieval sets that does a little better than a plain sum,
and it bounds what a word can score.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tantivy import Occur, Query

from trilith.index.lexical.state import State
from trilith.language.stems import stem, stem_in
from trilith.language.words import characters

TIE_BREAKER = 0.5
MOST_PER_IDF = 2.2
"""BM25 gives a term at most idf * (k1 + 1); tantivy has k1 = 1.2."""
LONGEST_START = 64
"""Characters."""
FOUND = 1.0
"""What a match is worth for which BM25 says nothing: a date, a tag, the beginning of a word."""


class Scored(NamedTuple):
    """A query, and the most that it can score on any note."""

    query: Query
    bound: float


@dataclass(frozen=True, slots=True)
class Place:
    """A field to look in. With `guard`, only in notes for which that holds."""

    field: str
    boost: float = 1.0
    stems: bool = False
    """Whether the field holds stems: other forms of a word, but neither phrases nor beginnings."""
    guard: Query | None = None


def nothing() -> Scored:
    return Scored(Query.empty_query(), 0.0)


def flat(query: Query, worth: float = FOUND) -> Scored:
    """A match that scores the same on every note."""
    return Scored(Query.const_score_query(query, worth), worth)


def best_of(options: Iterable[Scored]) -> Scored:
    """The best counts in full, the others by half."""
    found = list(options)
    if len(found) < 2:
        return found[0] if found else nothing()
    bounds = [option.bound for option in found]
    most = max(bounds) + TIE_BREAKER * (sum(bounds) - max(bounds))
    return Scored(Query.disjunction_max_query([option.query for option in found], TIE_BREAKER), most)


def sum_of(clauses: Sequence[tuple[Occur, Scored]]) -> Scored:
    if len(clauses) == 1 and clauses[0][0] is not Occur.MustNot:
        return clauses[0][1]
    most = sum(scored.bound for occur, scored in clauses if occur is not Occur.MustNot)
    return Scored(Query.boolean_query([(occur, scored.query) for occur, scored in clauses]), most)


def any_of(options: Sequence[Scored]) -> Scored:
    return sum_of([(Occur.Should, option) for option in options]) if options else nothing()


def all_of(options: Sequence[Scored]) -> Scored:
    return sum_of([(Occur.Must, option) for option in options]) if options else nothing()


def boosted(scored: Scored, factor: float) -> Scored:
    return scored if factor == 1.0 else Scored(Query.boost_query(scored.query, factor), scored.bound * factor)


class Scorer:
    """Makes queries for one state of one index."""

    def __init__(self, state: State) -> None:
        self._schema = state.schema
        self._notes = state.documents
        self._frequency = state.frequency
        self._state = state

    def word(self, word: str, places: Sequence[Place]) -> Scored:
        """A word and its other forms, in any of the places."""
        options = [
            _placed(Query.term_query(self._schema, place.field, text, "freq"), self._most(frequency), place)
            for place, text, frequency in self._occurrences(word, places)
        ]
        # A word that is nowhere is still a part of what was asked: it keeps the others from looking like an answer.
        return best_of(options) if options else Scored(Query.empty_query(), self._most(0))

    def frequency(self, word: str, places: Sequence[Place]) -> int:
        """In how many notes a word, or a form of it, is found: the most of any field."""
        return max((frequency for _, _, frequency in self._occurrences(word, places)), default=0)

    def phrase(self, words: Sequence[str], places: Sequence[Place], slop: int = 0, *, prefix: bool = False) -> Scored:
        """Words in this order, exactly so; the last one a beginning when `prefix`."""
        if len(words) == 1:
            exact = [place for place in places if not place.stems]
            return self.beginning(words[0], exact) if prefix else self.word(words[0], exact)
        options = [self._phrase(words, place, slop, prefix) for place in places if not place.stems]
        return best_of([option for option in options if option is not None])

    def beginning(self, start: str, places: Sequence[Place]) -> Scored:
        """Words that begin so. Nobody types a beginning that no automaton can hold: it is taken for the whole word."""
        if len(start) > LONGEST_START:
            return self.word(start, [place for place in places if not place.stems])
        pattern = beginning_with(start)
        return self._flat(lambda field: Query.regex_query(self._schema, field, pattern), places)

    def fuzzy(self, word: str, distance: int, places: Sequence[Place]) -> Scored:
        """Words that differ in at most `distance` characters."""
        return self._flat(lambda field: Query.fuzzy_term_query(self._schema, field, word, distance), places)

    def _occurrences(self, word: str, places: Sequence[Place]) -> Iterator[tuple[Place, str, int]]:
        """Where a word is found, as which term, in how many notes."""
        asks_stems = not characters(word) and any(place.stems for place in places)  # some scripts have none
        roots = self._roots(word) if asks_stems else ()
        for place in places:
            for text in roots if place.stems else (word,):
                if frequency := self._frequency(place.field, text):
                    yield place, text, frequency

    def _roots(self, word: str) -> tuple[str, ...]:
        """The stems of a word in the languages of the notes."""
        return tuple(dict.fromkeys((stem(word), *(stem_in(language, word) for language in self._state.languages))))

    def _flat(self, make: Callable[[str], Query], places: Sequence[Place]) -> Scored:
        exact = [place for place in places if not place.stems]
        return best_of(_placed(Query.const_score_query(make(place.field), FOUND), FOUND, place) for place in exact)

    def _phrase(self, words: Sequence[str], place: Place, slop: int, prefix: bool) -> Scored | None:
        frequencies = [self._frequency(place.field, word) for word in words[: -1 if prefix else None]]
        if not all(frequencies):
            return None
        if prefix:
            query = Query.phrase_prefix_query(self._schema, place.field, list(words))
            return _placed(Query.const_score_query(query, FOUND), FOUND, place)
        query = Query.phrase_query(self._schema, place.field, list(words), slop)
        return _placed(query, sum(map(self._most, frequencies)), place)

    def _most(self, frequency: int) -> float:
        return MOST_PER_IDF * idf(frequency, self._notes)


def beginning_with(text: str) -> str:
    """The regular expression of all terms that begin so."""
    return "".join(f"\\{character}" if character in "\\.+*?()|[]{}^$" else character for character in text) + ".*"


def idf(frequency: int, notes: int) -> float:
    """BM25's inverse document frequency, as tantivy has it."""
    return math.log(1.0 + (max(notes, frequency) - frequency + 0.5) / (frequency + 0.5))


def _placed(query: Query, bound: float, place: Place) -> Scored:
    if place.boost != 1.0:
        query, bound = Query.boost_query(query, place.boost), bound * place.boost
    if place.guard is not None:
        query = Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(place.guard, 0.0))])
    return Scored(query, bound)
