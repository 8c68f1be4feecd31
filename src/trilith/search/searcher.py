"""Search from query to outcome: ask the engines, fuse, order, cut, dress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from trilith.errors import SearchBackendError, Unavailable
from trilith.language.query import parse
from trilith.language.wanted import asked_words
from trilith.model.hits import Diagnostics, EngineState, Hit, Outcome, Ranked
from trilith.model.ids import Num
from trilith.model.query import Fusion, Match, Mode, Query, Ranking
from trilith.ports.catalog import Catalog
from trilith.search import order
from trilith.search.dress import Wardrobe, matches
from trilith.search.explain import explanations
from trilith.search.found import Chosen, Found
from trilith.search.lists import pooled, settled
from trilith.search.rerank import Reranked, Reranking
from trilith.search.retrieve import NOT_ASKED, Answer, Engines

LONGEST_READ = 2_000
"""Characters of a note's text that a reranker is given."""


class Unread(StrEnum):
    """Why full text may miss notes that are there, in words for the caller."""

    FIRST_LOOK = "the notes are still being read for the first time"
    REBUILDING = "the full-text index is being built"


@dataclass(frozen=True, slots=True)
class Searcher:
    """Answers a `Query`; knows no dialect."""

    catalog: Catalog
    engines: Engines
    behind: Callable[[str], bool]
    """Whether the full text of a library holds less than the catalog does."""
    fusion: Fusion
    """Of queries that name none."""
    reranking: Reranking | None
    """What puts the best of a calibrated hybrid answer into a better order, if anything does."""

    def search(self, query: Query) -> Outcome:
        """The best `query.limit` notes.

        Raises `InvalidInput` for a blank or over-long query, `SearchBackendError` or `Unavailable` when no engine that
        the mode needs could answer. In hybrid mode one engine is enough, and the diagnostics name the other.
        """
        query = query if query.fusion else replace(query, fusion=self.fusion)
        if self.engines.waits(
            query
        ):  # for a model that is not there yet: no work, and no turn to keep others from theirs
            return self._search(query, alone=True)
        with self.engines.turns.taken() as alone:
            return self._search(query, alone=alone)

    def _search(self, query: Query, *, alone: bool) -> Outcome:
        unread = self._unread(query)  # before the engines are asked: what comes in meanwhile is not in their answers
        fulltext, semantic = self.engines.ask(query, alone=alone)
        _require_an_engine(query.mode, fulltext, semantic)
        found = self._found(query, fulltext.ranked, semantic.ranked)
        scores = found.scores()
        chosen = self._chosen(found, scores)
        return Outcome(
            hits=tuple(self._dress(found, chosen, scores)),
            diagnostics=_diagnostics(unread, fulltext, semantic, chosen.reranked),
            interpretation=fulltext.ranked.interpretation,
            interpretation_reason=fulltext.ranked.reason,
            total=len(scores) if query.ranking is Ranking.CALIBRATED else min(len(scores), query.pool),
            total_matches=fulltext.ranked.total,
            match=fulltext.match,
        )

    def _found(self, query: Query, fulltext: Ranked, semantic: Ranked) -> Found:
        named, semantic = self._named(query), settled(semantic, self.catalog.entries)
        if query.ranking is Ranking.CALIBRATED:
            return Found(query, fulltext, semantic, self._wordless(query, fulltext, semantic), tuple(named))
        fulltext = pooled(fulltext, named, query.pool)
        semantic = pooled(semantic, (), query.pool)
        matching = {candidate.num for candidate in fulltext.candidates}
        first = [num for num in named if num in matching] if query.mode is Mode.FULLTEXT else []
        return Found(query, fulltext, semantic, first=tuple(first))

    def _wordless(self, query: Query, fulltext: Ranked, semantic: Ranked) -> frozenset[Num]:
        """Of the best by full text, those that search by meaning has nothing to judge by."""
        if query.mode is not Mode.HYBRID:
            return frozenset()
        judged = {candidate.num for candidate in semantic.candidates}
        unjudged = [c.num for c in fulltext.candidates[: query.limit] if c.num not in judged]
        return frozenset(unjudged) - {num for num, count in self.catalog.chunk_counts(unjudged).items() if count}

    def _named(self, query: Query) -> list[Num]:
        if query.mode is Mode.SEMANTIC:
            return []
        text = query.text if query.ranking is Ranking.CALIBRATED else query.lexical_text or query.text
        return order.named_first(self.catalog.named(text.strip(), query.filter))

    def _chosen(self, found: Found, scores: Mapping[Num, float]) -> Chosen:
        reranking = self.reranking if found.is_calibrated else None
        depth = found.limit if reranking is None else max(found.limit, reranking.top)
        entries = self.catalog.entries([*found.first, *order.contenders(scores, depth)])
        nums = order.settle(scores, entries, found.first, depth)
        query = found.query
        read = nums if query.snippets or query.ranking is Ranking.CALIBRATED else ()
        wardrobe = Wardrobe(self.catalog, read, found.semantic)
        if reranking is None:
            return Chosen(nums, entries, wardrobe)
        texts = {num: f"{entries[num].metadata.title}\n{wardrobe.text(num)[:LONGEST_READ]}" for num in nums}
        reranked = reranking.apply(query.semantic_text or query.text, nums, found.first, texts)
        return Chosen(reranked.order[: found.limit], entries, wardrobe, reranked)

    def _dress(self, found: Found, chosen: Chosen, scores: Mapping[Num, float]) -> list[Hit]:
        query, wardrobe = found.query, chosen.wardrobe
        asked = found.fulltext.weights or dict.fromkeys(asked_words(parse(query.text).root), 1.0)
        by_text, by_meaning = matches(found.fulltext, chosen.nums), matches(found.semantic, chosen.nums)
        shown = dict(zip(chosen.nums, found.shown(chosen.nums, scores, wardrobe), strict=True))
        why = explanations(found, chosen, shown, self.catalog) if query.explain else {}
        return [
            Hit(
                entry=chosen.entries[num],
                score=score,
                snippet=wardrobe.snippet(num, asked) if query.snippets else "",
                chunk=wardrobe.best.get(num),
                fulltext=by_text.get(num),
                semantic=by_meaning.get(num),
                explanation=why.get(num),
            )
            for num, score in shown.items()
        ]

    def _unread(self, query: Query) -> Unread | None:
        """Why full text may miss notes that are there."""
        names = query.filter.libraries
        if any(self.catalog.scan_state(name).finished_at is None for name in names):
            return Unread.FIRST_LOOK
        return Unread.REBUILDING if any(self.behind(name) for name in names) else None


def _diagnostics(
    unread: Unread | None, fulltext: Answer, semantic: Answer, reranked: Reranked | None = None
) -> Diagnostics:
    """How well the parts worked. Full text that lags a write or two behind is worth a word only when it found nothing."""
    told = unread is Unread.FIRST_LOOK or (unread is not None and not fulltext.ranked.candidates)
    loading = told and fulltext.state is EngineState.OK and fulltext is not NOT_ASKED
    return Diagnostics(
        semantic=semantic.state,
        reason=semantic.reason or fulltext.reason or (unread.value if unread and loading else None),
        pending=semantic.pending,
        fulltext=EngineState.LOADING if loading else fulltext.state,
        similar=fulltext.match is Match.SIMILAR,
        reranker=reranked.state if reranked else None,
        reranker_reason=reranked.reason if reranked else None,
    )


def _require_an_engine(mode: Mode, fulltext: Answer, semantic: Answer) -> None:
    """A mode whose engines are all down is a failure, never an empty list."""
    if mode is Mode.FULLTEXT and fulltext.state is not EngineState.OK:
        raise SearchBackendError(f"Full text search is down: {fulltext.reason}.")
    if mode is Mode.SEMANTIC and semantic.state is not EngineState.OK:
        raise Unavailable(f"Semantic search is not available: {semantic.reason}. Search by words works without it.")
    if mode is Mode.HYBRID and EngineState.OK not in (fulltext.state, semantic.state):
        raise SearchBackendError(f"Search is down: {fulltext.reason}; {semantic.reason}.")
