"""What do the words find? A Tantivy index per library: fed as a view, asked as a retriever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

import tantivy
from tantivy import Query

from trilith.index.lexical.document import document
from trilith.index.lexical.fed import FedIndex, best_hits
from trilith.index.lexical.filters import AllowedNums, Filters
from trilith.index.lexical.schema import build_schema
from trilith.index.lexical.scoring import Scored, Scorer, best_of, idf
from trilith.index.lexical.shelf import Shelf
from trilith.index.lexical.state import State
from trilith.index.lexical.translate import Translator, text_places
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports.items import FullTextItem


class _Hit(NamedTuple):
    score: float
    num: Num
    address: tantivy.DocAddress
    state: State


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
            with self.shelf.reading(library) as state:
                if state is not None and state.documents:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    answers.append(self._ask(state, question, scopes))
        hits = _settled([hit for answer in answers for hit in answer.hits])[:depth]
        best = hits[0].score if hits else 0.0
        return Ranked(
            candidates=tuple([Candidate(hit.num, hit.score) for hit in hits]),
            total=sum(answer.total for answer in answers) if count else None,
            bound=0.0 if match is Match.SIMILAR else max([best, *(answer.bound for answer in answers)]),
            weights={} if match is Match.SIMILAR else _weights(query, answers),
            interpretation=query.interpretation,
            reason=query.reason,
        )

    def _ask(self, state: State, question: _Question, scopes: Sequence[Scope]) -> _Answer:
        """What one library holds of an answer. What several scopes let through counts once."""
        scorer = Scorer(state)
        scored = best_of(self._in_scope(scorer, question, scope) for scope in scopes)
        hits, total = _best(state, scored.query, question.depth, question.count)
        places = text_places(None)
        frequencies = {word: scorer.frequency(word, places) for word in asked_words(question.query.root)}
        return _Answer(hits, total, scored.bound, state.documents, frequencies)

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


def _best(state: State, query: Query, depth: int, count: bool) -> tuple[list[_Hit], int]:
    """The best `depth` hits and all that tie with the last of them, and how many there are in all when asked to count."""
    result = best_hits(state.searcher, query, depth, count=count)
    total: int = result.count if count else 0  # type: ignore[attr-defined]  # missing in tantivy's stubs
    nums = cast("list[Num]", state.searcher.fast_field_values("num", [address for _, address in result.hits]))
    return [_Hit(score, num, address, state) for (score, address), num in zip(result.hits, nums, strict=True)], total


def _settled(hits: Sequence[_Hit]) -> list[_Hit]:
    """Best first, newest and then least id among equals. Most scores are nobody else's, and need no look at the dates."""
    times = Counter(hit.score for hit in hits)
    tied = [hit for hit in hits if times[hit.score] > 1]
    freshness = {num: key for state in {hit.state for hit in tied} for num, key in _freshness(state, tied)}
    return sorted(hits, key=lambda hit: (-hit.score, freshness.get(hit.num, ()), hit.num))


def _freshness(state: State, hits: Sequence[_Hit]) -> Iterator[tuple[Num, tuple[float, float]]]:
    """Of the hits of one library, what orders them among equals: time of the last change, negative, and head of the id."""
    own = [hit for hit in hits if hit.state is state]
    addresses = [hit.address for hit in own]
    updated, heads = (state.searcher.fast_field_values(field, addresses) for field in ("updated", "id_head"))
    for hit, moment, head in zip(own, updated, heads, strict=True):
        yield hit.num, (-(moment or 0), head or 0)
