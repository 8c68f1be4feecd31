"""Which notes does a parsed query mean? As a condition on a row `v` of `texts`; how good they are is asked elsewhere.

What is only of text is one tsquery, whatever its operators; dates are columns beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product

from trilith.index.catalog.filters import Condition, to_microseconds
from trilith.index.lexical.document import tag_key
from trilith.index.lexical.schema import BOOSTS, STEMMED, stems_of
from trilith.index.lexical.scoring import LONGEST_START
from trilith.index.lexical.translate import MOST_SIMILAR, may_be_mistyped
from trilith.index.postgres.lexemes import lexeme, quoted
from trilith.language.dates import half_open
from trilith.language.stems import stem, stem_in
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

Matched = Condition | str | None
"""A condition, or a tsquery that must hold; None is nothing at all."""

Similar = Callable[[str, int], Sequence[str]]
"""The words of the index's text fields that differ from one in at most so many letters."""

_PLACES = {
    Field.TITLE: ("title",),
    Field.ALIASES: ("aliases",),
    Field.HEADINGS: ("headings",),
    Field.BODY: ("body",),
    Field.PATH: ("path",),
    Field.AUTHOR: ("by",),
}
_MOST_GAPS = 64
_TRUE = Condition("true")


class Matcher:
    """Translates the nodes of one query.

    Args:
        reader: whose collaborator notes may be read; None: all, "": nobody's.
        languages: those of the notes, but English.
    """

    def __init__(self, match: Match, reader: str | None, languages: Sequence[str], similar: Similar) -> None:
        self._match = match
        self._reader = reader
        self._languages = languages
        self._similar_words = similar
        self._text = tuple(field for field in BOOSTS if field != "notes" or reader != "")

    def matches(self, node: Node) -> Condition | None:
        found = self._translate(node, ends=True)
        return None if found is None else _condition(found)

    def _translate(self, node: Node, *, ends: bool) -> Matched:
        """`ends`: the last word of the query is in this node, and may be unfinished."""
        match node:
            case Words(text, None):
                return self._literal(wanted(text), ends)
            case Boolean(clauses):
                return self._boolean(clauses, ends)
            case Boost(inner, _):
                return self._translate(inner, ends=ends)
            case Everything() | Range(_, None, None):
                return _TRUE
            case Range(field, lower, upper, include_lower, include_upper):
                start, end = half_open(lower, upper, include_lower, include_upper)
                bounds = [(">=", start), ("<", end)]
                parts = [(f"v.{field.value} {sign} ?", to_microseconds(at)) for sign, at in bounds if at is not None]
                return Condition(" AND ".join(sql for sql, _ in parts), tuple(value for _, value in parts))
            case _:
                return self._of_field(node)

    def _boolean(self, clauses: Sequence[tuple[Occurs, Node]], ends: bool) -> Matched:
        found: dict[Occurs, list[Matched]] = {occurs: [] for occurs in Occurs}
        for place, (occurs, clause) in enumerate(clauses, start=1):
            last = ends and place == len(clauses) and occurs is not Occurs.MUST_NOT
            plain = Occurs.MUST if self._match is Match.ALL else Occurs.SHOULD
            found[plain if occurs is Occurs.PLAIN else occurs].append(self._translate(clause, ends=last))
        positive = all_of(found[Occurs.MUST]) if found[Occurs.MUST] else any_of(found[Occurs.SHOULD])
        return all_of([positive, *(_without(each) for each in found[Occurs.MUST_NOT] if each is not None)])

    def _of_field(self, node: Words | Phrase | Prefix | Fuzzy) -> Matched:
        if node.field is Field.TAGS:
            return f"{quoted(lexeme('tag', tag_key(node.text)))}{':*' if isinstance(node, Prefix) else ''}"
        fields = self._text if node.field is None else _PLACES[node.field]
        found = terms(node.text).words.split()
        match node:
            case _ if not found:
                return None
            case Words() if len(found) == 1:
                return self._word(found[0], fields)
            case Fuzzy(distance=distance):
                return self._fuzzy(found[0], distance, fields)
            case Phrase(slop=slop, prefix=prefix):
                return self._phrase(found, fields, slop, prefix=prefix)
            case _:
                return self._phrase(found, fields, prefix=isinstance(node, Prefix))

    def _literal(self, things: Sequence[Wanted], ends: bool) -> Matched:
        match self._match:
            case Match.ALL:
                return all_of(list(chain.from_iterable(self._required(it, ends and it is things[-1]) for it in things)))
            case Match.SIMILAR:
                words = [word.text for thing in things for word in thing.words]
                if len(words) > MOST_SIMILAR or not all(map(may_be_mistyped, words)):
                    return None
                return all_of([self._fuzzy(word, 1, self._text) for word in words])
            case _:
                words = list(dict.fromkeys(text for thing in things for word in thing.words for text in word.telling))
                phrases = [self._phrase(thing.phrase, self._text) for thing in things if thing.phrase]
                return any_of([*(self._word(word, self._text) for word in words), *phrases])

    def _required(self, thing: Wanted, last: bool) -> Iterator[Matched]:
        for word in thing.words:
            yield self._required_word(word, begins=last and word is thing.words[-1])
        if thing.phrase and thing.strict:
            yield self._phrase(thing.phrase, self._text, prefix=last)

    def _required_word(self, word: Word, begins: bool) -> Matched:
        options: list[Matched] = [self._word(word.text, self._text)]
        if word.parts:
            options.append(all_of([self._word(part, self._text) for part in word.parts]))
        if begins and not characters(word.text):
            options.append(self._beginning(word.text, self._text))
        return any_of(options)

    # --- tsqueries

    def _word(self, word: str, fields: Sequence[str], *, stems: bool = True) -> str:
        """A word and its other forms, in any of the fields."""
        options = [self._guarded(field, quoted(lexeme(field, word))) for field in fields]
        if stems and not characters(word):
            for field in fields:
                if field in STEMMED:
                    options += [
                        self._guarded(field, quoted(lexeme(stems_of(field), root)))
                        for root in roots(word, self._languages)
                    ]
        return _joined("|", options)

    def _beginning(self, start: str, fields: Sequence[str]) -> str:
        if len(start) > LONGEST_START:
            return self._word(start, fields, stems=False)
        return _joined("|", [self._guarded(field, f"{quoted(lexeme(field, start))}:*") for field in fields])

    def _phrase(self, words: Sequence[str], fields: Sequence[str], slop: int = 0, *, prefix: bool = False) -> str:
        if len(words) == 1:
            return self._beginning(words[0], fields) if prefix else self._word(words[0], fields, stems=False)
        gaps = [each for each in product(range(slop + 1), repeat=len(words) - 1) if sum(each) <= slop][:_MOST_GAPS]
        options = []
        for field in fields:
            lexemes = [quoted(lexeme(field, word)) for word in words]
            lexemes[-1] += ":*" if prefix else ""
            for gap in gaps:
                steps = (f"<{more + 1}> {each}" for more, each in zip(gap, lexemes[1:], strict=True))
                options.append(self._guarded(field, f"({lexemes[0]} {' '.join(steps)})"))
        return _joined("|", options)

    def _fuzzy(self, word: str, distance: int, fields: Sequence[str]) -> Matched:
        return any_of([self._word(each, fields, stems=False) for each in self._similar_words(word, distance)])

    def _guarded(self, field: str, query: str) -> str:
        if field != "notes" or self._reader is None:
            return query
        return f"({query} & {quoted(lexeme('collaborator', self._reader))})"


def roots(word: str, languages: Sequence[str]) -> list[str]:
    """The stems of a word in the languages of the notes."""
    return list(dict.fromkeys((stem(word), *(stem_in(language, word) for language in languages))))


def any_of(options: Sequence[Matched]) -> Matched:
    found = [option for option in options if option is not None]
    return _combined("|", "OR", found) if found else None


def all_of(options: Sequence[Matched]) -> Matched:
    found = [option for option in options if option is not None]
    return _combined("&", "AND", found) if found and len(found) == len(options) else None


def _without(matched: Condition | str) -> Condition | str:
    if isinstance(matched, str):
        return f"!({matched})"
    return Condition(f"NOT ({matched.sql})", matched.params)


def _combined(sign: str, word: str, found: Sequence[Condition | str]) -> Condition | str:
    if len(found) == 1:
        return found[0]
    texts = [each for each in found if isinstance(each, str)]
    if len(texts) == len(found):
        return _joined(sign, texts)
    conditions = [_condition(each) for each in found]
    sql = f" {word} ".join(f"({each.sql})" for each in conditions)
    return Condition(sql, tuple(value for each in conditions for value in each.params))


def _condition(matched: Condition | str) -> Condition:
    return Condition("v.words @@ CAST(? AS tsquery)", (matched,)) if isinstance(matched, str) else matched


def _joined(sign: str, options: Sequence[str]) -> str:
    return options[0] if len(options) == 1 else f"({f' {sign} '.join(options)})"
