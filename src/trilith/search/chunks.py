"""Search over chunks: by meaning and by words at once, each chunk with a score of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, replace

from trilith.errors import KeyRejected, NoEmbeddings, NoVectorIndex, SearchBackendError, Unavailable
from trilith.language.query import parse
from trilith.language.words import words
from trilith.model.hits import ChunkedHit, ChunkedOutcome, Diagnostics, EngineState, ScoredChunk
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog, ChunkText
from trilith.ports.embedding import Embedder, Floats
from trilith.ports.engines import ChunkKey, ChunkTextRetriever, VectorRetriever
from trilith.search import waiting
from trilith.search.blend import Blended, blend, chunk_score, query_words, share
from trilith.search.order import settle
from trilith.search.retrieve import ENGINE_DEADLINE

CANDIDATES = 200
"""Chunks that each engine contributes."""
SHOWN = 5
"""Chunks of a note in the answer."""
PATIENCE = 5.0
"""Seconds that a search waits for a model which is loading."""

FALLBACK = "substring"
SETUP = (
    'The vector index is switched off on this server. Set `vector = "on"` in trilith.toml, or TRILITH_VECTOR=on, and '
    "restart; the embeddings that are stored already are taken over."
)


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """The cosines of chunks, or why there are none."""

    cosines: Mapping[ChunkKey, float]
    state: EngineState = EngineState.OK
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkSearcher:
    """Answers searches whose hits are notes with their best chunks."""

    catalog: Catalog
    texts: ChunkTextRetriever
    vectors: VectorRetriever
    embedder: Embedder
    threads: Executor
    has_index: bool
    """Whether this server keeps an index of vectors."""
    level: Callable[[str], bool]
    """Brings the texts of a library level with its catalog, as far as that is quickly done; whether they are."""

    def search(self, text: str, filter: Filter, limit: int) -> ChunkedOutcome:
        """The best `limit` notes. Where the search by meaning fails on the way, by words alone.

        Raises `InvalidInput` for a blank or over-long query, `NoEmbeddings`, `NoVectorIndex`, and `SearchBackendError`
        when neither engine answers.
        """
        parse(text)
        self._check_embeddings(filter.whole())
        if not self.has_index:
            self._check_keys(text, filter)
            raise NoVectorIndex("This server keeps no index of vectors.", setup=SETUP)
        behind = [name for name in filter.libraries if not self.level(name)]
        asked = query_words(text)
        by_words, failure = self._by_words(asked, filter)
        by_meaning = self._by_meaning_in_time(text, filter, by_words)
        if failure is not None and by_meaning.state is not EngineState.OK:
            raise SearchBackendError(f"Search is down: {failure}; {by_meaning.reason}.")
        diagnostics = Diagnostics(
            semantic=by_meaning.state,
            reason=by_meaning.reason or failure,
            pending=waiting.pending(self.catalog, self._model_of, filter),
            fulltext=_text_state(failure, behind),
        )
        return ChunkedOutcome(hits=self._hits(asked, by_words, by_meaning.cosines, limit), diagnostics=diagnostics)

    def _check_embeddings(self, visible: Filter) -> None:
        """Raises `NoEmbeddings` when nothing of what the caller may see can be found by meaning."""
        reasons = [self._why_none(part) for part in self._parts(visible)]
        if None not in reasons:
            raise NoEmbeddings(f"There is nothing to search by meaning: {reasons[0]}.", fallback=FALLBACK)

    def _why_none(self, part: Filter) -> str | None:
        embedder = self.embedder.of(part.libraries[0])
        status = embedder.status()
        if status.state is EngineState.OFF:
            return status.reason or "no embedder is configured"
        if self.catalog.has_vectors(part, embedder.model):
            return None
        waiting = any(self.catalog.pending_count(name, embedder.model) for name in part.libraries)
        unread = any(self.catalog.scan_state(name).finished_at is None for name in part.libraries)
        return (
            "the memos are still being indexed, try again in a while" if waiting or unread else "the library is empty"
        )

    def _check_keys(self, text: str, filter: Filter) -> None:
        """Raises `NoEmbeddings` when a key is not good any more, which only asking tells."""
        for part in self._parts(filter):
            with suppress(Unavailable):
                self._vector(text, part)

    def _vector(self, text: str, part: Filter) -> Floats:
        """The query for libraries of one embedder. Raises `NoEmbeddings`, `Unavailable`."""
        try:
            return self.embedder.of(part.libraries[0]).embed_query(text)
        except KeyRejected as failure:
            raise NoEmbeddings(failure.message, fallback=FALLBACK) from None

    def _parts(self, filter: Filter) -> tuple[Filter, ...]:
        return filter.parted(self._model_of)

    def _model_of(self, library: str) -> str:
        return self.embedder.of(library).model

    def _by_words(self, asked: Sequence[str], filter: Filter) -> tuple[dict[ChunkKey, float], str | None]:
        """Which share of the words the best chunks have, or why that is not known."""
        try:
            found = self.texts.retrieve(asked, filter, CANDIDATES)
        except Unavailable as failure:
            return {}, failure.message.rstrip(".")
        return {(each.num, each.chunk): int(each.raw) / len(asked) for each in found if each.chunk is not None}, None

    def _by_meaning_in_time(self, text: str, filter: Filter, also: Collection[ChunkKey]) -> ByMeaning:
        try:
            return self.threads.submit(self._by_meaning, text, filter, also).result(ENGINE_DEADLINE)
        except FutureTimeout:
            return ByMeaning({}, EngineState.DEGRADED, "the search by meaning did not answer in time")

    def _by_meaning(self, text: str, filter: Filter, also: Collection[ChunkKey]) -> ByMeaning:
        """Each embedder is asked about the libraries that are its own; the search is no better than the worst of them."""
        found: dict[ChunkKey, float] = {}
        worst = ByMeaning({})
        for part in self._parts(filter):
            status = self.embedder.of(part.libraries[0]).wait(PATIENCE)
            try:
                if status.state is EngineState.OK:
                    found |= self.vectors.chunks(self._vector(text, part), part, CANDIDATES, also)
                else:
                    worst = ByMeaning({}, status.state, status.reason or "the embedding model is still loading")
            except Unavailable as failure:
                worst = ByMeaning({}, EngineState.DEGRADED, failure.message.rstrip("."))
        return replace(worst, cosines=found)

    def _hits(
        self, asked: Sequence[str], shares: Mapping[ChunkKey, float], cosines: Mapping[ChunkKey, float], limit: int
    ) -> tuple[ChunkedHit, ...]:
        texts = self.catalog.chunk_texts(list({**shares, **cosines}))
        entries = self.catalog.entries({num for num, _ in texts})
        texts = {chunk: text for chunk, text in texts.items() if chunk[0] in entries}
        unread = {chunk: text for chunk, text in texts.items() if chunk not in shares}
        shares = {**shares, **_shares(asked, unread, entries)}
        blended = blend({chunk: chunk_score(cosines.get(chunk, 0.0), shares[chunk]) for chunk in texts})
        chosen = settle({num: each.score for num, each in blended.items()}, entries, (), limit)
        return tuple(_hit(entries[num], blended[num], texts) for num in chosen)


def _shares(
    asked: Sequence[str], texts: Mapping[ChunkKey, ChunkText], entries: Mapping[Num, Entry]
) -> dict[ChunkKey, float]:
    """Which share of the words each of these chunks has."""
    around = {num: frozenset(words(" ".join(_around(entries[num])))) for num in {num for num, _ in texts}}
    return {chunk: share(asked, text.text, around[chunk[0]]) for chunk, text in texts.items()}


def _around(entry: Entry) -> tuple[str, ...]:
    return (entry.metadata.title, *entry.metadata.tags)


def _hit(entry: Entry, note: Blended, texts: Mapping[ChunkKey, ChunkText]) -> ChunkedHit:
    shown = [(texts[entry.num, ordinal], score) for ordinal, score in note.chunks[:SHOWN]]
    chunks = tuple(ScoredChunk(text=chunk.text, section=chunk.section, score=score) for chunk, score in shown)
    return ChunkedHit(entry=entry, score=note.score, count=note.count, chunks=chunks)


def _text_state(failure: str | None, behind: Sequence[str]) -> EngineState:
    if failure is not None:
        return EngineState.DEGRADED
    return EngineState.LOADING if behind else EngineState.OK
