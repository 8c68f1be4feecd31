"""How far is the index? Counts and states, for people, monitors and agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from trilith.access.folders import above
from trilith.health.tongues import Advice, advice
from trilith.model.hits import EngineState
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter, Listing
from trilith.ports.catalog import Catalog, Counts
from trilith.ports.embedding import Embedder
from trilith.ports.engines import View
from trilith.ports.items import FullTextItem, VectorItem
from trilith.ports.surroundings import Clock
from trilith.ports.vault import SkippedFile, Watcher, WatchMode


class State(StrEnum):
    STARTING = "starting"
    """No note has been read yet."""
    INDEXING = "indexing"
    READY = "ready"
    UNAVAILABLE = "unavailable"
    """The vault cannot be read; what was indexed is still served."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryStatus:
    library: Library
    state: State
    documents: int
    pending_fulltext: int
    """Notes seen in the vault that full text does not hold yet."""
    pending_vectors: int
    """Chunks without a vector."""
    last_scan: datetime | None
    skipped: tuple[SkippedFile, ...]
    problem: str | None
    watcher: WatchMode
    """How this process follows the files."""
    watcher_problem: str | None
    """Why there are no events, and what to do about it."""
    advice: Advice | None = None
    """For those who see all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """`semantic` tells whether the embedding model is usable, `reason` why not."""

    state: State
    libraries: tuple[LibraryStatus, ...]
    semantic: EngineState
    reason: str | None

    @property
    def documents(self) -> int:
        return sum(library.documents for library in self.libraries)

    @property
    def pending_fulltext(self) -> int:
        return sum(library.pending_fulltext for library in self.libraries)

    @property
    def pending_vectors(self) -> int:
        return sum(library.pending_vectors for library in self.libraries)


@dataclass(frozen=True, slots=True)
class Reporter:
    """Tells how things are. `problems` holds, by library, why its vault could not be followed."""

    catalog: Catalog
    fulltext: View[FullTextItem]
    vectors: View[VectorItem]
    embedder: Embedder
    clock: Clock
    libraries: Callable[[], tuple[Library, ...]]
    problems: Mapping[str, str]
    watcher: Watcher
    fault: Callable[[], str | None]
    """Why home cannot be written, if so: what was indexed is still served then."""

    def status(self, filter: Filter) -> Status:
        """The state of the libraries in `filter`. Of one that the caller sees a part of, nothing but that part is told;
        one of which it sees nothing is left out."""
        scopes = {scope.library: scope for scope in filter.scopes}
        known = [library for library in self.libraries() if library.name in scopes]
        told = [self._told(library, filter, scopes[library.name]) for library in known]
        chosen = tuple(status for status in told if status is not None)
        each = [self.embedder.of(status.library.name).status() for status in chosen]
        worst = next((status for status in each if status.state is not EngineState.OK), None)
        embedder = worst or (each[0] if each else self.embedder.status())
        return Status(state=_overall(chosen), libraries=chosen, semantic=embedder.state, reason=embedder.reason)

    def counts(self, filter: Filter) -> Counts:
        """Documents, chunks, tags, links and what is wrong with them, of what `filter` lets through."""
        return self.catalog.counts(filter, self.clock.now())

    def stale(self, filter: Filter) -> int:
        """How many notes search by meaning does not know, or knows as they were; none while it is off."""
        embedders = [(part, self.embedder.of(part.libraries[0])) for part in filter.parted(self._model_of)]
        used = [(part, each) for part, each in embedders if each.status().state is not EngineState.OFF]
        return sum(self.catalog.stale_count(part, each.model) for part, each in used)

    def _model_of(self, library: str) -> str:
        return self.embedder.of(library).model

    def drift(self, library: str) -> dict[str, int]:
        """View -> notes that it holds otherwise than the catalog does: missing, surplus or of another content."""
        expected = self.catalog.fingerprints(library).items()
        views = {"fulltext": self.fulltext.fingerprints(library), "vectors": self.vectors.fingerprints(library)}
        return {name: len({num for num, _ in expected ^ held.items()}) for name, held in views.items()}

    def _told(self, library: Library, filter: Filter, scope: Scope) -> LibraryStatus | None:
        seen = replace(filter, scopes=(scope,))
        documents = self.catalog.page(Listing(filter=seen, limit=0)).total
        if scope.reader is None:
            return self._library(library, documents, scope)
        if not documents:
            return None
        scan = self.catalog.scan_state(library.name)
        embedder = self.embedder.of(library.name)
        off = embedder.status().state is EngineState.OFF
        # All of it is asked first: another library's embedding of the same texts is no news to the count of a part.
        waits = not off and self.catalog.pending_count(library.name, embedder.model) > 0
        pending = self.catalog.pending_within(seen) if waits else 0
        return LibraryStatus(
            library=replace(library, root="", owner="", hidden=(), protected=()),
            state=_state(None, started=True, waiting=pending or scan.finished_at is None),
            documents=documents,
            pending_fulltext=0,
            pending_vectors=pending,
            last_scan=scan.finished_at,
            skipped=(),
            problem=None,
            watcher=self.watcher.mode(library.root),
            watcher_problem=None,
        )

    def _library(self, library: Library, documents: int, scope: Scope) -> LibraryStatus:
        name = library.name
        scan = self.catalog.scan_state(name)
        unread = max(scan.seen - documents, 0) if scan.finished_at is None else 0
        behind = unread + self.catalog.changed_since(name, self.fulltext.applied(name))
        embedder = self.embedder.of(name)
        off = embedder.status().state is EngineState.OFF
        pending = 0 if off else self.catalog.pending_count(name, embedder.model)
        problem = self.problems.get(name)
        stuck = self.fault() if problem is not None else None
        return LibraryStatus(
            library=library,
            state=_state(
                problem if stuck is None else None,
                started=bool(documents or scan.finished_at),
                waiting=behind + pending,
            ),
            documents=documents,
            pending_fulltext=behind,
            pending_vectors=pending,
            last_scan=scan.finished_at,
            skipped=tuple(file for file in scan.skipped if above(file.path, scope.denied) is None),
            problem=stuck or problem,
            watcher=self.watcher.mode(library.root),
            watcher_problem=self.watcher.problem(library.root),
            advice=advice(self.catalog, self.embedder, Filter(scopes=(scope,))),
        )


def _state(problem: str | None, *, started: bool, waiting: int) -> State:
    if problem is not None:
        return State.UNAVAILABLE
    if not started:
        return State.STARTING
    return State.INDEXING if waiting else State.READY


def _overall(libraries: tuple[LibraryStatus, ...]) -> State:
    """Unavailable only when nothing can be served; else the state that is furthest from ready."""
    usable = [library.state for library in libraries if library.state is not State.UNAVAILABLE]
    if not usable:
        return State.UNAVAILABLE
    return min(usable, key=list(State).index)
