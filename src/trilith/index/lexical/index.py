"""What do the words find? A Tantivy index per library: fed as a view, asked as a retriever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import tantivy
from tantivy import Query

from trilith.index.lexical.document import document
from trilith.index.lexical.fed import FedIndex, best_hits
from trilith.index.lexical.filters import AllowedNums, Filters
from trilith.index.lexical.schema import build_schema
from trilith.index.lexical.scoring import Scored, Scorer, best_of, idf
from trilith.index.lexical.shelf import Shelf
from trilith.index.lexical.translate import Translator, text_places
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports.items import FullTextItem

_Hit = tuple[float, float, float, Num]
"""Score and time of the last change, both negative, head of the id, number: sorted as hits are, best first, newest and
then least id among equals."""


@dataclass(frozen=True, slots=True)
class _Question:
    query: TextQuery
    match: Match
    filter: Filter
    depth: int
    count: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one library has to say."""

    hits: list[_Hit]
    total: int
    bound: float
    notes: int
    frequencies: Mapping[str, int]


class LexicalIndex(FedIndex[FullTextItem]):
    """Implements `View[FullTextItem]` and `FullTextRetriever`.

    Args:
        folder: below it each library's index gets a folder.
        allowed_nums: tells which notes pass a filter; asked only about filters with `where`.
        read_only: nothing can be written to `folder`.
    """

    def __init__(self, folder: Path, allowed_nums: AllowedNums, *, read_only: bool = False) -> None:
        super().__init__(Shelf(folder, build_schema(), read_only=read_only))
        self._filters = Filters(self.schema, allowed_nums)

    def documents(self, item: FullTextItem) -> Iterable[tantivy.Document]:
        return [document(item, self.schema)]

    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        question = _Question(query, match, filter, depth, count)
        answers = []
        for library in dict.fromkeys(filter.libraries):
            with self.shelf.reading(library) as searcher:
                if searcher is not None and searcher.num_docs:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    answers.append(self._ask(searcher, question, scopes))
        hits = sorted(hit for answer in answers for hit in answer.hits)[:depth]
        best = -hits[0][0] if hits else 0.0
        return Ranked(
            candidates=tuple([Candidate(num, -score) for score, _, _, num in hits]),
            total=sum(answer.total for answer in answers) if count else None,
            bound=0.0 if match is Match.SIMILAR else max([best, *(answer.bound for answer in answers)]),
            weights={} if match is Match.SIMILAR else _weights(query, answers),
            interpretation=query.interpretation,
            reason=query.reason,
        )

    def _ask(self, searcher: tantivy.Searcher, question: _Question, scopes: Sequence[Scope]) -> _Answer:
        """What one library holds of an answer. What several scopes let through counts once."""
        scorer = Scorer(self.schema, searcher)
        scored = best_of(self._in_scope(scorer, question, scope) for scope in scopes)
        hits, total = _best(searcher, scored.query, question.depth, question.count)
        places = text_places(None)
        frequencies = {word: scorer.frequency(word, places) for word in asked_words(question.query.root)}
        return _Answer(hits, total, scored.bound, searcher.num_docs, frequencies)

    def _in_scope(self, scorer: Scorer, question: _Question, scope: Scope) -> Scored:
        guard = None if scope.reader is None else self._filters.named(scope.reader)
        translator = Translator(self.schema, scorer, text_places(guard), question.match)
        query, bound = translator.translate(question.query.root)
        return Scored(self._filters.narrow(query, question.filter, scope), bound)


def _weights(query: TextQuery, answers: Sequence[_Answer]) -> dict[str, float]:
    """The inverse document frequency of each of the query's words. The beginning of a word, `word*`, weighs nothing."""
    notes = sum(answer.notes for answer in answers)
    return {
        word: 0.0 if word.endswith("*") else idf(sum(answer.frequencies[word] for answer in answers), notes)
        for word in asked_words(query.root)
    }


def _best(searcher: tantivy.Searcher, query: Query, depth: int, count: bool) -> tuple[list[_Hit], int]:
    """The best `depth` hits, ties at the edge settled, and how many there are in all when asked to count."""
    result = best_hits(searcher, query, depth, count=count)
    hits = result.hits
    total: int = result.count if count else 0  # type: ignore[attr-defined]  # missing in tantivy's stubs
    addresses = [address for _, address in hits]
    updated, heads = (
        [value or 0 for value in searcher.fast_field_values(field, addresses)] for field in ("updated", "id_head")
    )
    nums = cast("list[Num]", searcher.fast_field_values("num", addresses))
    found = zip([-score for score, _ in hits], [-moment for moment in updated], heads, nums, strict=True)
    return sorted(found)[:depth], total
