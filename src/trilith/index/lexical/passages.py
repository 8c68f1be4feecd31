"""How good is the best passage of a note? Full text by whole notes, and beside that by their chunks.

BM25 of a whole note cannot tell a long page that has the query's words in one paragraph from one that has them all over the
place. So what the best chunk scores is added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import starmap
from operator import itemgetter

from trilith.errors import SearchBackendError
from trilith.index.lexical.chunks import ChunkIndex
from trilith.index.lexical.index import LexicalIndex
from trilith.language.wanted import asked_words
from trilith.model.hits import Candidate, Ranked
from trilith.model.query import Filter, Match
from trilith.model.textquery import TextQuery

BESIDE = 0.8
"""What the best chunk's BM25 counts beside that of the note. On six judged sets 0.5 to 1.2 are alike."""


@dataclass(frozen=True, slots=True)
class NotesAndPassages:
    """Implements `FullTextRetriever`: the best notes of one index, ordered anew with what another says of their chunks."""

    notes: LexicalIndex
    chunks: ChunkIndex

    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        words = [word for word in asked_words(query.root) if not word.endswith("*")]
        if match is Match.SIMILAR or not words:
            return self.notes.retrieve(query, match, filter, depth, count=count)
        nums, scores, about = self.notes.listed(query, match, filter, depth, count=count)
        if not nums:
            return about
        try:
            best, bound = self.chunks.best(words, filter)
        except SearchBackendError:  # until sync has made it anew, whole notes are answer enough
            best, bound = {}, 0.0
        both = [score + BESIDE * best.get(num, 0.0) for num, score in zip(nums, scores, strict=True)]
        # The sort is stable: equals stay newest first.
        ordered = sorted(zip(nums, both, strict=True), key=itemgetter(1), reverse=True)
        candidates = tuple(starmap(Candidate, ordered))
        return replace(about, candidates=candidates, bound=(about.bound or 0.0) + BESIDE * bound)
