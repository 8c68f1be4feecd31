"""One full-text query, put to PostgreSQL: what matches is decided by the tsvector, filters and permissions in the same condition;
BM25 puts it in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from trilith.index.catalog.filters import Condition
from trilith.index.lexical.schema import BOOSTS, stems_of
from trilith.index.lexical.scoring import FOUND, MOST_PER_IDF, idf
from trilith.index.postgres.database import PostgresConnection
from trilith.index.postgres.lexemes import lexeme
from trilith.index.postgres.matching import Matcher, roots
from trilith.index.postgres.narrowing import Narrowing
from trilith.index.postgres.ranking import Ranking
from trilith.index.postgres.similar import pattern
from trilith.language.tongues import LATIN
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter, Match
from trilith.model.textquery import Boolean, Boost, Node, TextQuery, Words

TABLE = "texts"
MOST_SIMILAR_WORDS = 50
"""That a misspelt word may stand for."""


class _Hit(NamedTuple):
    """Sorted as hits are: best first, newest and then least id among equals."""

    worse: float
    older: int
    id: str
    num: int


class Question:
    """One query, in one state of the tables."""

    def __init__(
        self, connection: PostgresConnection, narrowing: Narrowing, query: TextQuery, match: Match, filter: Filter
    ) -> None:
        self._connection = connection
        self._narrowing = narrowing
        self._query = query
        self._match = match
        self._filter = filter
        rows = connection.execute(
            "SELECT view, notes FROM text_views WHERE library IN (SELECT value FROM json_each(?) k)",
            (json.dumps(filter.libraries),),
        ).fetchall()
        self._views = [int(view) for view, _ in rows]
        self._notes = sum(int(notes) for _, notes in rows)
        self._languages = self._spoken()

    def answer(self, depth: int, count: bool) -> Ranked:
        words = asked_words(self._query.root)
        weights = self._weights(words)
        found = self._passing()
        similar = self._match is Match.SIMILAR
        flat = FOUND if similar or _is_flat(self._query.root) else 0.0
        ranked = [] if similar else [word for word in words if not word.endswith("*")]
        hits = [] if found is None else self._hits(found, ranked, flat, depth)
        bound = flat + sum(
            MOST_PER_IDF * weight * (1 + len(roots(word, self._languages))) for word, weight in weights.items()
        )
        best = -hits[0].worse if hits else 0.0
        return Ranked(
            candidates=tuple(Candidate(Num(hit.num), -hit.worse) for hit in hits),
            total=self._total(found) if count else None,
            bound=0.0 if similar else max(best, bound),
            weights={} if similar else weights,
            interpretation=self._query.interpretation,
            reason=self._query.reason,
        )

    def _passing(self) -> Condition | None:
        """Rows `v` of notes that match and pass; None where nothing can."""
        options: list[Condition] = []
        for reader in dict.fromkeys(scope.reader for scope in self._filter.scopes):
            scopes = tuple(scope for scope in self._filter.scopes if scope.reader == reader)
            matcher = Matcher(self._match, reader, self._languages, self._similar)
            matched = matcher.matches(self._query.root)
            if matched is not None:
                part = replace(self._filter, scopes=scopes)
                passing = self._narrowing(self._connection, part).notes
                options.append(Condition(f"({matched.sql}) AND {passing.sql}", (*matched.params, *passing.params)))
        if not options or not self._views:
            return None
        views = ", ".join(map(str, self._views))
        either = " OR ".join(f"({option.sql})" for option in options)
        return Condition(
            # The sum keeps the planner from looking through all notes of a view, for those that match are fewer.
            f"v.view + 0 IN ({views}) AND v.live = 1 AND ({either})",
            tuple(value for each in options for value in each.params),
        )

    def _hits(self, found: Condition, words: Sequence[str], flat: float, depth: int) -> list[_Hit]:
        """What has a word of the query by BM25, then what matches otherwise."""
        hits = self._ranked(found, words, flat, depth) if words and depth > 0 else []
        if len(hits) < depth:
            known = json.dumps([hit.num for hit in hits])
            rows = self._connection.execute(
                f"SELECT v.updated, v.id, v.num FROM {TABLE} v WHERE {found.sql}"
                " AND v.num NOT IN (SELECT value FROM json_each(?) j) ORDER BY v.updated DESC, v.id LIMIT ?",
                (*found.params, known, depth - len(hits)),
            )
            hits += [_Hit(-FOUND, -updated, note_id, num) for updated, note_id, num in rows]
        return sorted(hits)[:depth]

    def _ranked(self, found: Condition, words: Sequence[str], flat: float, depth: int) -> list[_Hit]:
        """At least the best `depth`, and with them all that tie with the last one."""
        rows = Ranking(self._connection, TABLE, self._languages).best("v.updated, v.id, v.num", found, words, depth)
        return [_Hit(worse - flat, -updated, note_id, num) for worse, updated, note_id, num in rows]

    def _total(self, found: Condition | None) -> int:
        if found is None:
            return 0
        row = self._connection.execute(f"SELECT count(*) FROM {TABLE} v WHERE {found.sql}", found.params).fetchone()
        return int(row[0])

    def _weights(self, words: Sequence[str]) -> dict[str, float]:
        """The inverse document frequency of each word, of the field that has it most. The beginning of a word, `word*`, weighs
        nothing."""
        forms = {word: self._forms(word) for word in words if not word.endswith("*")}
        frequencies = self._frequencies([form for found in forms.values() for form in found])
        most = {word: max(frequencies.get(form, 0) for form in found) for word, found in forms.items()}
        return {word: idf(most[word], self._notes) if word in most else 0.0 for word in words}

    def _forms(self, word: str) -> list[str]:
        asked = [lexeme(field, word) for field in BOOSTS]
        return asked + [lexeme(stems_of(field), root) for field in BOOSTS for root in roots(word, self._languages)]

    def _spoken(self) -> list[str]:
        marks = {lexeme("language", each): each for each in LATIN}
        return [marks[mark] for mark, notes in sorted(self._frequencies(list(marks)).items()) if notes]

    def _frequencies(self, lexemes: Sequence[str]) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT t.term, total(t.notes) FROM text_terms t WHERE t.view IN (SELECT value FROM json_each(?) j)"
            " AND t.term IN (SELECT value FROM json_each(?) k) GROUP BY t.term",
            (json.dumps(self._views), json.dumps(lexemes)),
        )
        return {term: int(notes) for term, notes in rows}

    def _similar(self, word: str, distance: int) -> Sequence[str]:
        """Words of the text fields, the most frequent first."""
        codes = "".join(lexeme(field, "") for field in BOOSTS)
        rows = self._connection.execute(
            "SELECT substr(t.term, 2), max(t.notes) FROM text_terms t WHERE t.view IN (SELECT value FROM json_each(?) j)"
            " AND t.notes > 0 AND t.term ~ ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?",
            (json.dumps(self._views), f"^[{codes}]{pattern(word, distance)}$", MOST_SIMILAR_WORDS),
        )
        return [text for text, _ in rows]


def _is_flat(node: Node) -> bool:
    """Whether BM25 has nothing to say of a part of the query."""
    match node:
        case Boolean(clauses):
            return any(_is_flat(clause) for _, clause in clauses)
        case Boost(inner):
            return _is_flat(inner)
        case _:
            return not isinstance(node, Words)
