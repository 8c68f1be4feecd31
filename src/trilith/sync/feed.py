"""Feeds the views from the catalog, and the catalog with vectors, until nothing is behind."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.model.note import Entry
from trilith.ports.catalog import Catalog
from trilith.ports.embedding import Embedder
from trilith.ports.engines import View
from trilith.ports.items import Changes, ChunkedItem, FullTextItem, Item, VectorItem
from trilith.ports.surroundings import Locks, Progress, ProgressSink
from trilith.sync.gathering import Gathering
from trilith.sync.turn import feeding, writing

log = logging.getLogger(__name__)

VIEW_BATCH = 512
"""Notes that a view takes over at a time."""
QUICK = 64
"""Notes that a search has taken over before it looks for chunks, unless another process keeps the turn to feed them for more
than"""
QUICK_PATIENCE = 1.0
"""seconds."""
EMBED_BATCH = 16
"""Texts embedded between two looks for fresher ones."""

LOAD_PATIENCE = 30.0
"""Seconds that a model may take to load."""


@dataclass(frozen=True, slots=True)
class Feeder:
    """Moves what the catalog knows into the views. Safe to call from several threads and processes at once."""

    catalog: Catalog
    locks: Locks
    fulltext: View[FullTextItem]
    chunks: View[ChunkedItem]
    vectors: View[VectorItem]
    embedder: Embedder
    gathering: Gathering = field(default_factory=Gathering)

    def feed_fulltext(self, library: str) -> None:
        def changes(after: int) -> Changes[FullTextItem]:
            return self.catalog.full_text_changes(library, after, VIEW_BATCH)

        self._feed(library, self.fulltext, self.catalog.sequence, changes)

    def feed_chunks(self, library: str) -> None:
        """The texts of chunks, which a write does not wait for."""
        self._feed(library, self.chunks, self.catalog.sequence, partial(self._chunk_changes, library))

    def catch_up(self, library: str) -> bool:
        """Feed the texts of chunks if that is quickly done: few notes, nobody else at work, and a home that can be
        written. Whether they are level."""
        if self.catalog.changed_since(library, self.chunks.applied(library)) > QUICK:
            return False
        try:
            with self.locks.feeding(library, QUICK_PATIENCE) as mine:
                if mine:
                    after = self.chunks.applied(library)
                    self._take_over(library, self.chunks, partial(self._chunk_changes, library), after)
            return mine
        except Unavailable as failure:
            log.warning("library %s: the texts of chunks are behind: %s", library, failure.message)
            return False

    def feed_vectors(self, library: str) -> None:
        def changes(after: int) -> Changes[VectorItem]:
            return self.catalog.vector_changes(library, self.embedder.of(library).model, after, VIEW_BATCH)

        self._feed(library, self.vectors, self.catalog.vector_sequence, changes)

    def embed_some(self, library: str) -> int:
        """Embed the freshest texts that have no vector yet; how many were done, 0 when none wait, another process is at
        it or the embedder is off. Waits for a model that is loading. Raises `Unavailable` when it cannot be used."""
        embedder = self.embedder.of(library)
        if embedder.status().state is EngineState.OFF:
            return 0
        with self.locks.embedding() as mine:
            texts = self.catalog.pending_texts(library, embedder.model, EMBED_BATCH) if mine else []
            if not texts or not _usable(embedder):
                return 0
            vectors = embedder.embed(texts).astype(np.float16)
            with writing(self.locks):
                self.catalog.store_vectors(library, embedder.model, texts, vectors)
        self.feed_vectors(library)
        return len(texts)

    def waits_for_vectors(self, entry: Entry) -> bool:
        """Whether a chunk of this note has no vector yet; never when the embedder is off."""
        embedder = self.embedder.of(entry.library)
        if embedder.status().state is EngineState.OFF:
            return False
        return self.catalog.pending_of(entry.num, embedder.model) > 0

    def embed_all(self, library: str, progress: ProgressSink) -> None:
        """Embed until nothing waits. Raises `Unavailable` when the embedder is."""
        model = self.embedder.of(library).model
        total = self.catalog.pending_count(library, model)
        while self.embed_some(library):
            left = self.catalog.pending_count(library, model)
            total = max(total, left)
            progress(Progress("embedding", total - left, total, library))

    def _chunk_changes(self, library: str, after: int) -> Changes[ChunkedItem]:
        return self.catalog.chunk_changes(library, after, VIEW_BATCH)

    def _feed(
        self, library: str, view: View[Item], sequence: Callable[[str], int], changes: Callable[[int], Changes[Item]]
    ) -> None:
        wanted, at = sequence(library), view.applied(library)
        # A view that is ahead was fed from a catalog that is gone, by a clock that has been put back since.
        while not wanted <= at <= sequence(library):
            with feeding(self.locks, library):
                at = view.applied(library)
                if wanted <= at <= sequence(library):
                    return  # fed with what others have recorded while this one waited for its turn
                self.gathering.wait()
                at = self._take_over(library, view, changes, at)

    def _take_over(self, library: str, view: View[Item], changes: Callable[[int], Changes[Item]], after: int) -> int:
        """One batch for a view that is at `after`; the caller holds the turn to feed the library. The sequence number that
        the view is at then."""
        batch = changes(after)
        if batch.anew:
            view.clear(library)
        if batch.anew or batch.upto > after:
            view.apply(library, batch)
        return batch.upto


def _usable(embedder: Embedder) -> bool:
    """False when the embedder is off. Raises `Unavailable` when it should be on and is not."""
    status = embedder.wait(LOAD_PATIENCE)
    if status.state not in (EngineState.OK, EngineState.OFF):
        raise Unavailable(f"No vectors can be made: {status.reason}.")
    return status.state is EngineState.OK
