"""How does a parsed query become one of tantivy's?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import tantivy
from tantivy import Occur, Query

from trilith.index.lexical.document import tag_key
from trilith.index.lexical.filters import between
from trilith.index.lexical.schema import BOOSTS, NOTE, stems_of
from trilith.index.lexical.scoring import (
    Place,
    Scored,
    Scorer,
    all_of,
    any_of,
    beginning_with,
    boosted,
    flat,
    nothing,
    sum_of,
)
from trilith.language.dates import half_open
from trilith.language.wanted import Wanted, Word, wanted
from trilith.language.words import characters, terms
from trilith.model.query import Match
from trilith.model.textquery import (
    Boolean,
    Boost,
    Everything,
    Field,
    Fuzzy,
    Node,
    Occurs,
    Phrase,
    Prefix,
    Range,
    Words,
)

TOGETHER = 0.2
"""What it is worth, beside the words themselves, that words which a query joins (`multi-agent`) are neighbours. In
retrieval sets of prose a full count costs a little; for identifiers any will do."""

MOST_SIMILAR = 8
"""Words for which similar ones are looked up in the whole dictionary."""
SHORTEST_SIMILAR = 5
"""Letters."""

_OCCUR = {Occurs.MUST: Occur.Must, Occurs.SHOULD: Occur.Should, Occurs.MUST_NOT: Occur.MustNot}
_PLACES = {
    Field.TITLE: (Place("title"), Place(stems_of("title"), stems=True)),
    Field.ALIASES: (Place("aliases"), Place(stems_of("aliases"), stems=True)),
    Field.HEADINGS: (Place("headings"), Place(stems_of("headings"), stems=True)),
    Field.BODY: (Place("body"), Place(stems_of("body"), stems=True)),
    Field.PATH: (Place("path"),),
    Field.AUTHOR: (Place("by"),),
}


def text_places(notes_guard: Query | None) -> tuple[Place, ...]:
    """Where a query without a field looks; `notes_guard` tells whose collaborator notes may be read, None: all."""
    guards = {"notes": notes_guard}
    return tuple(
        Place(stems_of(field) if stems else field, boost, stems, guards.get(field))
        for field, boost in BOOSTS.items()
        for stems in (False, True)
    )


TEXT_PLACES = text_places(None)
"""Where a query without a field looks for those who may read everything."""


class Translator:
    """Translates the nodes of one query, for one state of one index."""

    def __init__(self, schema: tantivy.Schema, scorer: Scorer, places: Sequence[Place], match: Match) -> None:
        self._schema = schema
        self._scorer = scorer
        self._text = places
        self._match = match

    def translate(self, node: Node, *, ends: bool = True) -> Scored:
        """`ends`: the last word of the query is in this node, and may be unfinished."""
        match node:
            case Words(text, None):
                return self._literal(wanted(text), ends)
            case Boolean(clauses):
                return sum_of(list(self._clauses(clauses, ends)))
            case Boost(inner, factor):
                return boosted(self.translate(inner, ends=ends), factor)
            case Everything():
                return flat(self._raw("kind", NOTE))
            case Range(_, None, None):
                return flat(self._raw("kind", NOTE))
            case Range(field, lower, upper, include_lower, include_upper):
                moments = half_open(lower, upper, include_lower, include_upper)
                return flat(between(self._schema, field.value, *moments))
            case _:
                return self._of_field(node)

    def _clauses(self, clauses: Sequence[tuple[Occurs, Node]], ends: bool) -> Iterator[tuple[Occur, Scored]]:
        """What must not be there is a whole word: `NOT gar` says nothing against gardens."""
        for place, (occurs, clause) in enumerate(clauses, start=1):
            last = ends and place == len(clauses) and occurs is not Occurs.MUST_NOT
            yield self._occur(occurs), self.translate(clause, ends=last)

    def _of_field(self, node: Words | Phrase | Prefix | Fuzzy) -> Scored:
        if node.field is Field.TAGS:
            return self._tag(node)
        places = self._text if node.field is None else _PLACES[node.field]
        found = terms(node.text).words.split()
        match node:
            case _ if not found:
                return nothing()
            case Words() if len(found) == 1:
                return self._scorer.word(found[0], places)
            case Fuzzy(distance=distance):
                return self._scorer.fuzzy(found[0], distance, places)
            case Phrase(slop=slop, prefix=prefix):
                return self._scorer.phrase(found, places, slop, prefix=prefix)
            case _:
                return self._scorer.phrase(found, places, prefix=isinstance(node, Prefix))

    def _tag(self, node: Words | Phrase | Prefix | Fuzzy) -> Scored:
        tag = tag_key(node.text)
        if isinstance(node, Prefix):
            return flat(Query.regex_query(self._schema, "tag", beginning_with(tag)))
        return flat(self._raw("tag", tag))

    def _literal(self, things: Sequence[Wanted], ends: bool) -> Scored:
        match self._match:
            case Match.ALL:
                return self._all(things, ends)
            case Match.SIMILAR:
                return self._similar(things)
            case _:
                return self._any(things)

    def _similar(self, things: Sequence[Wanted]) -> Scored:
        """Nothing where a word is too short to be mistyped, or holds a digit: `E-05` is not `E-04`."""
        words = [word.text for thing in things for word in thing.words]
        if len(words) > MOST_SIMILAR or not all(map(may_be_mistyped, words)):
            return nothing()
        return all_of([self._scorer.fuzzy(word, 1, self._text) for word in words])

    def _any(self, things: Sequence[Wanted]) -> Scored:
        words = dict.fromkeys(text for thing in things for word in thing.words for text in word.telling)
        phrases = [self._joined(thing) for thing in things if thing.phrase]
        return any_of([self._scorer.word(word, self._text) for word in words] + phrases)

    def _all(self, things: Sequence[Wanted], ends: bool) -> Scored:
        required = (self._required(thing, ends and thing is things[-1]) for thing in things)
        return sum_of(list(chain.from_iterable(required)))

    def _joined(self, thing: Wanted) -> Scored:
        phrase = self._scorer.phrase(thing.phrase, self._text)
        return phrase if thing.strict else boosted(phrase, TOGETHER)

    def _required(self, thing: Wanted, last: bool) -> Iterator[tuple[Occur, Scored]]:
        for word in thing.words:
            yield Occur.Must, self._required_word(word, begins=last and word is thing.words[-1])
        if thing.phrase:
            yield (
                Occur.Must if thing.strict else Occur.Should,
                self._scorer.phrase(thing.phrase, self._text, prefix=last and thing.strict),
            )

    def _required_word(self, word: Word, begins: bool) -> Scored:
        """The word, or all of its parts, or when it may be unfinished a word that begins so."""
        options = [self._scorer.word(word.text, self._text)]
        if word.parts:
            options.append(all_of([self._scorer.word(part, self._text) for part in word.parts]))
        if begins and not characters(word.text):
            options.append(self._scorer.beginning(word.text, self._text))
        return any_of(options)

    def _occur(self, occurs: Occurs) -> Occur:
        if occurs is Occurs.PLAIN:
            return Occur.Must if self._match is Match.ALL else Occur.Should
        return _OCCUR[occurs]

    def _raw(self, field: str, value: str) -> Query:
        return Query.term_query(self._schema, field, value, "basic")


def may_be_mistyped(word: str) -> bool:
    return len(word) >= SHORTEST_SIMILAR and word.isalpha() and not characters(word)
