"""What does an index say between two commits? It stays the same, so that nothing about it needs to be asked twice."""

from __future__ import annotations

from functools import cached_property, lru_cache

import tantivy
from tantivy import Query

from trilith.index.lexical.schema import MARK
from trilith.language.tongues import LATIN

REMEMBERED = 1 << 16
"""Terms whose frequencies are kept."""


class State:
    """One committed state of an index: `searcher` to ask it, `frequency(field, term)` in how many documents a term is."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        self.schema = schema
        self.searcher = searcher
        self.frequency = lru_cache(REMEMBERED)(searcher.doc_freq)

    @property
    def documents(self) -> int:
        return self.searcher.num_docs

    @cached_property
    def sequence(self) -> int:
        """How far it has been fed; 0 where nothing says so."""
        mark = Query.term_query(self.schema, "kind", MARK, "basic")
        found = self.searcher.search(mark, 1, count=False).hits
        return int(self.searcher.fast_field_values("sequence", [found[0][1]])[0] or 0) if found else 0

    @cached_property
    def languages(self) -> list[str]:
        """Of its notes, those that are written in Latin letters and have stems of their own."""
        return [language for language in LATIN if self.frequency("language", language)]
