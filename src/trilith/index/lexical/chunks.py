"""Which chunks have the words? An index of its own, beside that of the notes: documents of another length and number in
the same one would change what BM25 says of notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

import tantivy
from tantivy import Occur, Query

from trilith.index.lexical.document import filter_fields, head, valid
from trilith.index.lexical.fed import FedIndex, best_hits
from trilith.index.lexical.filters import AllowedNums, Filters
from trilith.index.lexical.schema import CHUNK, build_chunk_schema
from trilith.index.lexical.scoring import MOST_PER_IDF, Place, Scored, Scorer, any_of, idf
from trilith.index.lexical.shelf import Shelf
from trilith.index.lexical.state import State
from trilith.language.words import terms
from trilith.model.hits import Candidate
from trilith.model.ids import Num
from trilith.model.note import Section, Status
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.items import ChunkedItem

MOST_BM25 = 0.5
"""What BM25 can add to a score in all, so that it decides among chunks that have as many of the words; each word adds 1."""

_PLACES = (Place("words"),)

MOST_CHUNKS = 300
"""The best chunks that are looked at for what they say of their notes: others say little. On five judged sets it makes no
difference to look at those of the two hundred notes alone, which takes five times as long."""


class ChunkIndex(FedIndex[ChunkedItem]):
    """Implements `View[ChunkedItem]` and `ChunkTextRetriever`.

    Args:
        folder: below it each library's index gets a folder.
        allowed_nums: tells which notes pass a filter; asked only about filters with `where`.
        read_only: nothing can be written to `folder`.
    """

    def __init__(self, folder: Path, allowed_nums: AllowedNums, *, read_only: bool = False) -> None:
        super().__init__(Shelf(folder, build_chunk_schema(), read_only=read_only))
        self._filters = Filters(self.schema, allowed_nums)

    def documents(self, item: ChunkedItem) -> Iterator[tantivy.Document]:
        """One of the note itself, and one of each chunk; none of the chunks of a dismissed note."""
        yield tantivy.Document.from_dict(head(item.note), self.schema)
        if item.note.status == Status.DISMISSED:
            return
        around = " ".join(_tokens(text) for text in (item.note.title, *item.note.tags))
        common = {"kind": CHUNK, "num": item.num, **filter_fields(item.note)}
        for chunk in item.chunks:
            own = {"ordinal": chunk.ordinal, "section": chunk.section.value}
            text = _tokens(item.text(chunk))
            yield tantivy.Document.from_dict({**common, **own, "words": f"{text} {around}"}, self.schema)

    def retrieve(self, words: Sequence[str], filter: Filter, depth: int) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for library in dict.fromkeys(filter.libraries):
            with self.shelf.reading(library) as state:
                if state is not None and state.documents:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    found += _best(state.searcher, self._in_scopes(self._scored(state, words), filter, scopes), depth)
        return tuple(sorted(found, key=_order)[:depth])

    def best(self, words: Sequence[str], filter: Filter) -> tuple[dict[Num, float], float]:
        """BM25 of each note's best chunk, of the notes that pass the filter and as far as it is among the best
        `MOST_CHUNKS`; and the most that a chunk could score. `words` are tokens of the exact analyser."""
        best: dict[Num, float] = {}
        bound = 0.0
        for library in dict.fromkeys(filter.libraries):
            with self.shelf.reading(library) as state:
                if state is not None and state.documents:
                    scopes = [scope for scope in filter.scopes if scope.library == library]
                    scored = _bm25(state, words)
                    best |= _best_of_notes(state.searcher, self._in_scopes(scored.query, filter, scopes))
                    bound = max(bound, scored.bound)
        return best, bound

    def _in_scopes(self, scored: Query, filter: Filter, scopes: Iterable[Scope]) -> Query:
        """What several scopes let through counts once."""
        in_scopes = [self._filters.narrow(self._readable(scored, scope), filter, scope) for scope in scopes]
        # Alone, a union of words is cut short by the engine where it cannot come among the best.
        return in_scopes[0] if len(in_scopes) == 1 else Query.disjunction_max_query(in_scopes, 0.0)

    def _scored(self, state: State, words: Sequence[str]) -> Query:
        frequencies = {valid(word): state.frequency("words", valid(word)) for word in words}
        bounds = [MOST_PER_IDF * idf(frequency, state.documents) for frequency in frequencies.values() if frequency]
        clauses: list[tuple[Occur, Query]] = []
        for word, frequency in frequencies.items():
            if frequency:
                term = Query.term_query(self.schema, "words", word, "freq")
                clauses.append((Occur.Should, Query.const_score_query(term, 1.0)))
                clauses.append((Occur.Should, Query.boost_query(term, MOST_BM25 / sum(bounds))))
        return Query.boolean_query(clauses) if clauses else Query.empty_query()

    def _readable(self, query: Query, scope: Scope) -> Query:
        """The same query, without the collaborator notes that are not for this reader."""
        if scope.reader is None:
            return query
        of_body = Query.term_query(self.schema, "section", Section.BODY.value, "basic")
        either = Query.boolean_query([(Occur.Should, of_body), (Occur.Should, self._filters.named(scope.reader))])
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(either, 0.0))])


def _tokens(text: str) -> str:
    """All tokens of a text, blanks between."""
    found = terms(text)
    return f"{found.words} {found.parts} {found.pairs}"


def _bm25(state: State, words: Sequence[str]) -> Scored:
    scorer = Scorer(state)
    return any_of([scorer.word(word, _PLACES) for word in dict.fromkeys(map(valid, words))])


def _best(searcher: tantivy.Searcher, query: Query, depth: int) -> list[Candidate]:
    """The best chunks, ties at the edge settled."""
    hits, _ = best_hits(searcher, query, depth)
    addresses = [address for _, address in hits]
    nums, ordinals = (cast("list[int]", searcher.fast_field_values(field, addresses)) for field in ("num", "ordinal"))
    found = zip(nums, hits, ordinals, strict=True)
    return sorted([Candidate(Num(num), score, ordinal) for num, (score, _), ordinal in found], key=_order)[:depth]


def _best_of_notes(searcher: tantivy.Searcher, query: Query) -> dict[Num, float]:
    """The score of each note's best chunk, among the best `MOST_CHUNKS`."""
    hits = searcher.search(query, MOST_CHUNKS, count=False).hits
    nums = cast("list[Num]", searcher.fast_field_values("num", [address for _, address in hits]))
    best: dict[Num, float] = {}
    for num, (score, _) in zip(nums, hits, strict=True):
        best.setdefault(num, score)
    return best


def _order(candidate: Candidate) -> tuple[float, Num, int]:
    return (-candidate.raw, candidate.num, candidate.chunk or 0)
