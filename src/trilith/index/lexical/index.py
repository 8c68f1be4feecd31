"""What do the words find? A Tantivy index per library: fed as a view, asked as a retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import tantivy
from tantivy import Query

from trilith.errors import SearchBackendError
from trilith.index.lexical.document import document, mark
from trilith.index.lexical.filters import AllowedNums, Filters
from trilith.index.lexical.schema import MARK
from trilith.index.lexical.scoring import Scored, Scorer, best_of, idf
from trilith.index.lexical.shelf import Shelf
from trilith.index.lexical.translate import Translator, text_places
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery
from trilith.ports import Changes, FullTextItem

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


class LexicalIndex:
    """Implements `View[FullTextItem]` and `FullTextRetriever`.

    Args:
        folder: below it each library's index gets a folder.
        allowed_nums: tells which notes pass a filter; asked only about filters with `where`.
        read_only: nothing can be written to `folder`.
    """

    def __init__(self, folder: Path, allowed_nums: AllowedNums, *, read_only: bool = False) -> None:
        self._shelf = Shelf(folder, read_only=read_only)
        self._schema = self._shelf.schema
        self._filters = Filters(self._schema, allowed_nums)

    def applied(self, library: str) -> int:
        self._shelf.set_aside_if_damaged(library)
        return self._at(library)

    def reached(self, library: str) -> int:
        """The sequence number of what searches see: `applied` without its look for damage, which costs a millisecond."""
        try:
            return self._at(library)
        except SearchBackendError:
            return 0

    def apply(self, library: str, changes: Changes[FullTextItem]) -> None:
        with self._shelf.writing(library) as writer:
            if changes.anew:
                writer.delete_all_documents()
            for num in (*changes.drop, *(item.num for item in changes.put)):
                writer.delete_documents_by_term("num", num)
            for item in changes.put:
                writer.add_document(document(item, self._schema))
            writer.delete_documents_by_term("kind", MARK)
            writer.add_document(mark(changes.upto, self._schema))

    def fingerprints(self, library: str) -> dict[Num, str]:
        with self._shelf.reading(library) as searcher:
            if searcher is None or not searcher.num_docs:
                return {}
            hits = searcher.search(Query.exists_query("num"), searcher.num_docs, count=False).hits
            addresses = [address for _, address in hits]
            nums = searcher.fast_field_values("num", addresses)
            checksums = (bytes(searcher.doc(address).get_first("checksum") or b"") for address in addresses)
            return {Num(int(num or 0)): checksum.decode() for num, checksum in zip(nums, checksums, strict=True)}

    def check(self, library: str) -> bool:
        return not self._shelf.set_aside_if_damaged(library, thorough=True)

    def clear(self, library: str) -> None:
        self._shelf.clear(library)

    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        question = _Question(query, match, filter, depth, count)
        answers = []
        for library in dict.fromkeys(filter.libraries):
            with self._shelf.reading(library) as searcher:
                if searcher is not None and searcher.num_docs:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    answers.append(self._ask(searcher, question, scopes))
        hits = sorted(hit for answer in answers for hit in answer.hits)[:depth]
        best = -hits[0][0] if hits else 0.0
        return Ranked(
            candidates=tuple([Candidate(num, -score) for score, _, _, num in hits]),
            total=sum(answer.total for answer in answers) if count else None,
            bound=max([best, *(answer.bound for answer in answers)]),
            weights=_weights(query, answers),
            interpretation=query.interpretation,
            reason=query.reason,
        )

    def _at(self, library: str) -> int:
        with self._shelf.reading(library) as searcher:
            return 0 if searcher is None else self._sequence(searcher)

    def _sequence(self, searcher: tantivy.Searcher) -> int:
        found = searcher.search(Query.term_query(self._schema, "kind", MARK, "basic"), 1, count=False).hits
        return int(searcher.fast_field_values("sequence", [found[0][1]])[0] or 0) if found else 0

    def _ask(self, searcher: tantivy.Searcher, question: _Question, scopes: Sequence[Scope]) -> _Answer:
        """What one library holds of an answer. What several scopes let through counts once."""
        scorer = Scorer(self._schema, searcher)
        scored = best_of(self._in_scope(scorer, question, scope) for scope in scopes)
        hits, total = _best(searcher, scored.query, question.depth, question.count)
        places = text_places(None)
        frequencies = {word: scorer.frequency(word, places) for word in asked_words(question.query.root)}
        return _Answer(hits, total, scored.bound, searcher.num_docs, frequencies)

    def _in_scope(self, scorer: Scorer, question: _Question, scope: Scope) -> Scored:
        guard = None if scope.reader is None else self._filters.named(scope.reader)
        translator = Translator(self._schema, scorer, text_places(guard), question.match)
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
    wanted = depth + 1
    while True:
        result = searcher.search(query, max(wanted, 1), count=count)
        hits = result.hits
        if len(hits) < wanted or hits[-1][0] < hits[depth - 1][0]:
            break
        wanted *= 8
    total: int = result.count if count else 0  # type: ignore[attr-defined]  # missing in tantivy's stubs
    addresses = [address for _, address in hits]
    updated, heads = (
        [value or 0 for value in searcher.fast_field_values(field, addresses)] for field in ("updated", "id_head")
    )
    nums = cast("list[Num]", searcher.fast_field_values("num", addresses))
    found = zip([-score for score, _ in hits], [-moment for moment in updated], heads, nums, strict=True)
    return sorted(found)[:depth], total
