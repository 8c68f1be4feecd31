"""What do the words find? A Tantivy index per library: fed as a view, asked as a retriever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Query

from trilith.index.lexical.document import document
from trilith.index.lexical.fed import FedIndex, best_hits
from trilith.index.lexical.filters import AllowedNums, Filters
from trilith.index.lexical.schema import build_schema
from trilith.index.lexical.scoring import Scored, Scorer, best_of, idf
from trilith.index.lexical.shelf import Shelf
from trilith.index.lexical.state import State
from trilith.index.lexical.translate import TEXT_PLACES, Translator, text_places
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports.items import FullTextItem


class _Hits(NamedTuple):
    """Of one library, best first."""

    state: State
    addresses: list[tantivy.DocAddress]
    nums: NDArray[np.int64]
    scores: NDArray[np.float64]

    def values(self, field: str, wanted: NDArray[np.bool_]) -> list[float]:
        """A fast field of those that are wanted; 0 where a document has none."""
        found = self.state.searcher.fast_field_values(field, list(compress(self.addresses, wanted)))
        return [value or 0 for value in found]


class Listed(NamedTuple):
    """The notes found, best first, with their scores; `about` is the answer without them."""

    nums: list[Num]
    scores: list[float]
    about: Ranked


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

    hits: _Hits
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
        found = self.listed(query, match, filter, depth, count=count)
        return replace(found.about, candidates=tuple(map(Candidate, found.nums, found.scores)))

    def listed(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Listed:
        """As `retrieve`, for one who makes other candidates of it."""
        question = _Question(query, match, filter, depth, count)
        answers = []
        for library in dict.fromkeys(filter.libraries):
            with self.shelf.reading(library) as state:
                if state is not None and state.documents:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    answers.append(self._ask(state, question, scopes))
        nums, scores = _best_first([answer.hits for answer in answers], depth)
        about = Ranked(
            total=sum(answer.total for answer in answers) if count else None,
            bound=0.0
            if match is Match.SIMILAR
            else max([answer.bound for answer in answers] + scores[:1], default=0.0),
            weights={} if match is Match.SIMILAR else _weights(query, answers),
            interpretation=query.interpretation,
            reason=query.reason,
        )
        return Listed(nums, scores, about)

    def _ask(self, state: State, question: _Question, scopes: Sequence[Scope]) -> _Answer:
        """What one library holds of an answer. What several scopes let through counts once."""
        scorer = Scorer(state)
        scored = best_of(self._in_scope(scorer, question, scope) for scope in scopes)
        hits, total = _best(state, scored.query, question.depth, question.count)
        frequencies = {word: scorer.frequency(word, TEXT_PLACES) for word in asked_words(question.query.root)}
        return _Answer(hits, total, scored.bound, state.documents, frequencies)

    def _in_scope(self, scorer: Scorer, question: _Question, scope: Scope) -> Scored:
        places = TEXT_PLACES if scope.reader is None else text_places(self._filters.named(scope.reader))
        translator = Translator(self.schema, scorer, places, question.match)
        query, bound = translator.translate(question.query.root)
        return Scored(self._filters.narrow(query, question.filter, scope), bound)


def _weights(query: TextQuery, answers: Sequence[_Answer]) -> dict[str, float]:
    """The inverse document frequency of each of the query's words. The beginning of a word, `word*`, weighs nothing."""
    notes = sum(answer.notes for answer in answers)
    return {
        word: 0.0 if word.endswith("*") else idf(sum(answer.frequencies[word] for answer in answers), notes)
        for word in asked_words(query.root)
    }


def _tied(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which scores are there more than once."""
    order = np.argsort(-scores, kind="stable")
    same = np.flatnonzero(np.diff(scores[order]) == 0.0)
    tied = np.zeros(len(scores), np.bool_)
    tied[order[same]] = tied[order[same + 1]] = True
    return tied


def _best(state: State, query: Query, depth: int, count: bool) -> tuple[_Hits, int]:
    """The best `depth` hits and all that tie with the last of them, and how many there are in all when asked to count."""
    hits, total = best_hits(state.searcher, query, depth, count=count)
    addresses = [address for _, address in hits]
    nums = np.array(state.searcher.fast_field_values("num", addresses), np.int64)
    return _Hits(state, addresses, nums, np.array([score for score, _ in hits], np.float64)), total


def _best_first(parts: Sequence[_Hits], depth: int) -> tuple[list[Num], list[float]]:
    """The numbers and scores of the best `depth` hits, newest and then least id among equals. Most scores are nobody
    else's, and need no look at the dates."""
    if not parts:
        return [], []
    nums, scores = np.concatenate([part.nums for part in parts]), np.concatenate([part.scores for part in parts])
    tied = _tied(scores)
    updated, heads = np.zeros(len(scores), np.int64), np.zeros(len(scores), np.uint64)
    if tied.any():
        asked = np.split(tied, np.cumsum([len(part.nums) for part in parts])[:-1])
        of_ties = list(zip(parts, asked, strict=True))
        updated[tied] = [value for part, wanted in of_ties for value in part.values("updated", wanted)]
        heads[tied] = [value for part, wanted in of_ties for value in part.values("id_head", wanted)]
    order = np.lexsort((nums, heads, -updated, -scores))[:depth]
    return cast("list[Num]", nums[order].tolist()), scores[order].tolist()
