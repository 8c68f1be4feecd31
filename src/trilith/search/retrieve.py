"""Runs the engines of a query side by side. A dead or slow engine becomes a value, not an exception."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, replace

from trilith.errors import Unavailable
from trilith.language.query import parse
from trilith.model.hits import EngineState, Ranked
from trilith.model.query import POOL, Filter, Match, Mode, Query
from trilith.model.textquery import TextQuery, Words
from trilith.ports.catalog import Catalog
from trilith.ports.embedding import Embedder
from trilith.ports.engines import FullTextRetriever, VectorRetriever
from trilith.search import waiting
from trilith.search.likeness import comparable
from trilith.search.turns import Turns

PATIENCE = {Mode.HYBRID: 2.0, Mode.SEMANTIC: 5.0}
"""Seconds that a search waits for vectors which are not ready."""
ENGINE_DEADLINE = 10.0
"""Seconds after which an engine that is ready but silent counts as down."""
POLL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One engine's list, or why there is none."""

    ranked: Ranked
    state: EngineState = EngineState.OK
    reason: str | None = None
    pending: int = 0
    match: Match = Match.ANY


NOT_ASKED = Answer(ranked=Ranked(), state=EngineState.OK)


def depth(query: Query) -> int:
    """How many notes each engine is asked for: never fewer than what names and ties are settled among."""
    return max(query.pool, POOL)


@dataclass(frozen=True, slots=True)
class Engines:
    """The two engines and what they need to be asked."""

    catalog: Catalog
    fulltext: FullTextRetriever
    vectors: VectorRetriever
    embedder: Embedder
    threads: Executor
    behind: Callable[[str], bool]
    """Whether the vectors of a library hold less than the catalog does."""
    turns: Turns = field(default_factory=Turns)

    def ask(self, query: Query, *, alone: bool = True) -> tuple[Answer, Answer]:
        """The full-text and the semantic answer, as far as the mode wants them: side by side for a search that is `alone`,
        for with others they only take each other's processor."""
        if query.mode is Mode.FULLTEXT:
            return self._fulltext(query), NOT_ASKED
        if query.mode is Mode.SEMANTIC:
            return NOT_ASKED, self._semantic(query)
        if not alone:
            return self._fulltext(query), self._semantic(query)
        semantic = self.threads.submit(self._semantic, query)
        fulltext = self._fulltext(query)
        try:
            return fulltext, semantic.result(ENGINE_DEADLINE)
        except FutureTimeout:
            return fulltext, _down("the semantic search did not answer in time")

    def waits(self, query: Query) -> bool:
        """Whether the search by meaning would begin with waiting."""
        if query.mode is Mode.FULLTEXT:
            return False
        names = dict.fromkeys(query.filter.libraries)
        embedders = [self.embedder.of(name) for name in names] or [self.embedder]
        return any(each.status().state is EngineState.LOADING for each in embedders)

    def _fulltext(self, query: Query) -> Answer:
        parsed = parse(query.lexical_text or query.text)
        answer = NOT_ASKED
        try:
            for match in _fitting(query.matches, parsed):
                ranked = self.fulltext.retrieve(parsed, match, query.filter, depth(query), count=query.count)
                if ranked.candidates or match is not Match.SIMILAR:
                    answer = Answer(ranked=ranked, match=match)
                if ranked.candidates:
                    break
        except Unavailable as failure:
            return _down(failure.message)
        return answer

    def _semantic(self, query: Query) -> Answer:
        """Each embedder is asked about the libraries that are its own."""
        parts = query.filter.parted(lambda name: self.embedder.of(name).model) or (query.filter,)
        return joined([self._semantic_of(replace(query, filter=part)) for part in parts], depth(query))

    def _semantic_of(self, query: Query) -> Answer:
        embedder = self._embedder(query.filter)
        deadline = time.monotonic() + PATIENCE[query.mode]
        status = embedder.wait(PATIENCE[query.mode])
        if status.state is EngineState.OFF:
            return Answer(ranked=Ranked(), state=status.state, reason=status.reason)
        if status.state is not EngineState.OK:
            return Answer(ranked=Ranked(), state=status.state, reason=status.reason, pending=self._pending(query))
        try:
            vector = embedder.embed_query(query.semantic_text or query.text)
            while True:
                ranked = self.vectors.retrieve(vector, query.filter, depth(query))
                pending = self._pending(query)
                missing = None if ranked.candidates else self._missing(query, pending)
                if missing is None or time.monotonic() >= deadline:
                    break
                time.sleep(POLL)
        except Unavailable as failure:
            return _down(failure.message)
        state = EngineState.OK if missing is None else EngineState.LOADING
        return Answer(ranked=comparable(ranked, embedder.likeness), state=state, reason=missing, pending=pending)

    def _embedder(self, filter: Filter) -> Embedder:
        """That of the libraries of a filter, which have the same."""
        return self.embedder.of(filter.libraries[0]) if filter.scopes else self.embedder

    def _missing(self, query: Query, pending: int) -> str | None:
        """Why an empty list does not mean that nothing is like the query."""
        if pending:
            return f"no vectors yet: {pending} chunks wait to be embedded"
        if any(self.catalog.scan_state(name).finished_at is None for name in query.filter.libraries):
            return "the notes are still being read for the first time"
        if any(self.behind(name) for name in query.filter.libraries):
            return "the vector index is being built again"
        return None

    def _pending(self, query: Query) -> int:
        return waiting.pending(self.catalog, lambda name: self.embedder.of(name).model, query.filter)


def _fitting(matches: Sequence[Match], parsed: TextQuery) -> list[Match]:
    """Whoever writes query syntax means the words as they are."""
    return [match for match in matches if match is not Match.SIMILAR or isinstance(parsed.root, Words)]


def joined(answers: Sequence[Answer], most: int) -> Answer:
    """The answers about several libraries as one: by cosine, as the usual model has it, and no better than the worst of them."""
    if len(answers) == 1:
        return answers[0]
    found = sorted(
        (each for answer in answers for each in answer.ranked.candidates), key=lambda c: (-c.evidence, c.num)
    )
    worst = next((answer for answer in answers if answer.state is not EngineState.OK), answers[0])
    pending = sum(answer.pending for answer in answers)
    return Answer(
        ranked=Ranked(candidates=tuple(found[:most])), state=worst.state, reason=worst.reason, pending=pending
    )


def _down(reason: str) -> Answer:
    return Answer(ranked=Ranked(), state=EngineState.DEGRADED, reason=reason.rstrip("."))
