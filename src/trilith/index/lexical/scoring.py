"""How much is a match worth? Queries with the most that each can score.

A word is looked for in several fields; what it is worth there is joined by a disjunction maximum with a tie breaker:
the best field counts in full, the others by half. (On four retrieval sets that does a little better than a plain sum,
and it bounds what a word can score.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import tantivy
from tantivy import Occur, Query

from trilith.index.lexical.schema import stems_of
from trilith.language.stems import stem
from trilith.language.words import characters

TIE_BREAKER = 0.5
MOST_PER_IDF = 2.2
"""BM25 gives a term at most idf * (k1 + 1); tantivy has k1 = 1.2."""
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
    stemmed: bool = True
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

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        self._schema = schema
        self._searcher = searcher
        self._notes = searcher.num_docs
        self._frequencies: dict[tuple[str, str], int] = {}

    def frequency(self, word: str, places: Sequence[Place]) -> int:
        """In how many notes a word, or a form of it, is found: the most of any field."""
        return max((self._frequency(*term) for place in places for term in _terms(word, place)), default=0)

    def word(self, word: str, places: Sequence[Place]) -> Scored:
        """A word and its other forms, in any of the places."""
        options = []
        for place in places:
            for field, text in _terms(word, place):
                frequency = self._frequency(field, text)
                if frequency:
                    query = Query.term_query(self._schema, field, text, "freq")
                    options.append(_placed(Scored(query, MOST_PER_IDF * self._idf(frequency)), place))
        # A word that is nowhere is still a part of what was asked: it keeps the others from looking like an answer.
        return best_of(options) if options else Scored(Query.empty_query(), MOST_PER_IDF * self._idf(0))

    def phrase(self, words: Sequence[str], places: Sequence[Place], slop: int = 0, *, prefix: bool = False) -> Scored:
        """Words in this order, exactly so; the last one a beginning when `prefix`."""
        options = [self._phrase(words, place, slop, prefix) for place in places]
        return best_of([option for option in options if option is not None])

    def beginning(self, start: str, places: Sequence[Place]) -> Scored:
        """Words that begin so."""
        pattern = beginning_with(start)
        return best_of(_placed(flat(Query.regex_query(self._schema, place.field, pattern)), place) for place in places)

    def fuzzy(self, word: str, distance: int, places: Sequence[Place]) -> Scored:
        """Words that differ in at most `distance` characters."""
        return best_of(
            _placed(flat(Query.fuzzy_term_query(self._schema, place.field, word, distance)), place) for place in places
        )

    def _phrase(self, words: Sequence[str], place: Place, slop: int, prefix: bool) -> Scored | None:
        if len(words) == 1:
            return self.beginning(words[0], [place]) if prefix else self._exact(words[0], place)
        frequencies = [self._frequency(place.field, word) for word in words[: -1 if prefix else None]]
        if not all(frequencies):
            return None
        most = MOST_PER_IDF * sum(map(self._idf, frequencies))
        if prefix:
            return _placed(flat(Query.phrase_prefix_query(self._schema, place.field, list(words)), FOUND), place)
        return _placed(Scored(Query.phrase_query(self._schema, place.field, list(words), slop), most), place)

    def _exact(self, word: str, place: Place) -> Scored | None:
        frequency = self._frequency(place.field, word)
        query = Query.term_query(self._schema, place.field, word, "freq")
        return _placed(Scored(query, MOST_PER_IDF * self._idf(frequency)), place) if frequency else None

    def _frequency(self, field: str, text: str) -> int:
        term = field, text
        if term not in self._frequencies:
            self._frequencies[term] = self._searcher.doc_freq(field, text)
        return self._frequencies[term]

    def _idf(self, frequency: int) -> float:
        return idf(frequency, self._notes)


def beginning_with(text: str) -> str:
    """The regular expression of all terms that begin so."""
    return "".join(f"\\{character}" if character in "\\.+*?()|[]{}^$" else character for character in text) + ".*"


def idf(frequency: int, notes: int) -> float:
    """BM25's inverse document frequency, as tantivy has it."""
    return math.log(1.0 + (max(notes, frequency) - frequency + 0.5) / (frequency + 0.5))


def _terms(word: str, place: Place) -> Iterable[tuple[str, str]]:
    """The fields and terms that stand for a word in a place. Scripts without spaces have no stems."""
    yield place.field, word
    if place.stemmed and not characters(word):
        yield stems_of(place.field), stem(word)


def _placed(scored: Scored, place: Place) -> Scored:
    query, bound = boosted(scored, place.boost)
    if place.guard is not None:
        query = Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(place.guard, 0.0))])
    return Scored(query, bound)
