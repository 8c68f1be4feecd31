"""Who knows whom? Settings become an app; the only room that names concrete engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trilith.access.gate import Gate
from trilith.access.libraries import served
from trilith.app import App
from trilith.clock import SystemClock
from trilith.health.doctor import Doctor
from trilith.health.repair import Mender
from trilith.health.status import Reporter
from trilith.home.accounts import SqliteAccounts
from trilith.home.audit import SqliteAudit
from trilith.home.layout import Home
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.home.locks import FileLocks
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.index.lexical.chunks import ChunkIndex
from trilith.index.lexical.index import LexicalIndex
from trilith.index.lexical.passages import NotesAndPassages
from trilith.index.vector.by_model import VectorIndexes
from trilith.index.vector.off import NoVectors
from trilith.index.vector.plan import LARGE
from trilith.index.vector.tending import Builder
from trilith.markdown.parse import PARSER_VERSION, parse_note
from trilith.model.note import Note
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter, Fusion
from trilith.notes.mover import Mover
from trilith.notes.reader import Reader
from trilith.notes.records import Records
from trilith.notes.relations import Relations
from trilith.notes.shortids import ShortIds
from trilith.notes.trash import Trash
from trilith.notes.writer import Writer
from trilith.para.changing import ItemWriter
from trilith.para.items import Items
from trilith.ports.embedding import Embedder
from trilith.ports.vault import RawFile
from trilith.search.chunks import ChunkSearcher
from trilith.search.neighbourhood import Neighbourhood
from trilith.search.rerank import Reranking
from trilith.search.retrieve import Engines
from trilith.search.searcher import Searcher
from trilith.settings import Settings, kept_up
from trilith.sync.feed import Feeder
from trilith.sync.follow import Follower
from trilith.sync.foreground import Foreground
from trilith.sync.indexer import Indexer
from trilith.sync.scan import Scanner
from trilith.vault.folder import FolderVault
from trilith.vault.leftovers import OLD_SECONDS, clear_leftovers
from trilith.vault.watch import FolderWatcher
from trilith.wiring.models import embedder_of, reranking_of

NEVER = math.inf
"""Seconds between two looks over the vaults when there shall be only one."""


@contextmanager
def open_app(settings: Settings, vaults: Sequence[Path] = (), library: str | None = None) -> Iterator[App]:
    """Everything connected, for as long as the context lasts; nothing is followed until `app.follower.start()`.

    Args:
        vaults: folders that this process serves; new ones are registered as libraries.
        library: the registered library that it serves instead. Neither: all that are registered.

    Raises `InvalidInput` for a path that is no folder, `NotFound` for an unknown library, `StartFailure` when home
    cannot be used, `Unavailable` when it cannot be written and holds no index to be read.
    """
    home = Home(settings.home)
    fault = home.fault()
    with ExitStack() as closing:
        file = LedgerFile(home.ledger, fault)
        closing.callback(file.close)
        ledger = SqliteLedger(file)
        catalog = SqliteCatalog(home.catalog, fault)
        closing.callback(catalog.close)
        audit = SqliteAudit(home.audit)
        closing.callback(audit.close)
        threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="trilith-search")
        closing.callback(threads.shutdown, wait=False, cancel_futures=True)
        now = kept_up(settings)
        libraries = served(ledger, vaults, library, read_only=lambda: now().read_only)
        yield _connect(settings, _Stores(home, fault, file, ledger, catalog, audit), threads, libraries, closing)


@dataclass(frozen=True, slots=True)
class _Stores:
    """What lies in home."""

    home: Home
    fault: str | None
    """Why nothing could be written there when it was opened; it is only read then."""
    file: LedgerFile
    ledger: SqliteLedger
    catalog: SqliteCatalog
    audit: SqliteAudit

    def fault_now(self) -> str | None:
        if self.fault is not None:
            return f"{self.fault} Then start Trilith again."
        return self.home.fault()

    def trashed(self, key: str) -> str:
        """The absolute path in the trash of the file of a key."""
        return str(self.home.trash / f"{key}.md")

    def is_kept(self, key: str) -> bool:
        return Path(self.trashed(key)).is_file()


def _connect(
    settings: Settings,
    stores: _Stores,
    threads: ThreadPoolExecutor,
    libraries: Callable[[], tuple[Library, ...]],
    closing: ExitStack,
) -> App:
    catalog = stores.catalog
    parts = _parts(settings, stores, libraries)
    for view in (parts.views.vectors, parts.views.fulltext, parts.views.chunks):
        closing.callback(view.close)

    def finish(library: Library) -> None:
        mover.finish(library)

    sync = _sync(parts, finish)
    records = _records(parts, sync)
    mover = Mover(records, stores.trashed)
    graph, items, writer = SqlGraph(catalog), Items(catalog), Writer(records)
    reranking, reporter = reranking_of(settings), _reporter(parts, sync)
    return App(
        gate=parts.gate,
        searcher=_searcher(parts, threads, reranking),
        chunk_searcher=_chunk_searcher(parts, sync.indexer.feeder, threads),
        neighbourhood=Neighbourhood(catalog, graph),
        reader=Reader(catalog, graph, parts.vault, parts.parse),
        relations=Relations(catalog, graph),
        writer=writer,
        short_ids=ShortIds(catalog, libraries),
        mover=mover,
        trash=Trash(records=records, place=stores.trashed, is_kept=stores.is_kept),
        para=items,
        para_writer=ItemWriter(items, writer),
        catalog=catalog,
        graph=graph,
        reporter=reporter,
        doctor=Doctor(catalog, reporter, parts.embedder, reranking.reranker if reranking else None),
        mender=_mender(parts, sync, reporter),
        indexer=sync.indexer,
        follower=sync.follower,
        foreground=sync.foreground,
        clock=parts.clock,
        audit=stores.audit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What more than one use case is made of."""

    settings: Settings
    stores: _Stores
    libraries: Callable[[], tuple[Library, ...]]
    gate: Gate
    clock: SystemClock
    locks: FileLocks
    embedder: Embedder
    views: _Views

    def vault(self, name: str) -> FolderVault:
        return FolderVault(self.gate.library(name).root, excluded=frozenset({str(self.stores.home.root)}))

    def parse(self, path: str, raw: RawFile) -> Note:
        tokens = self.embedder.tokens
        return parse_note(path, raw.data, count_tokens=tokens.count, window=tokens.window, truncated=raw.truncated)


def _parts(settings: Settings, stores: _Stores, libraries: Callable[[], tuple[Library, ...]]) -> _Parts:
    locks, embedder = FileLocks(stores.home.locks, stores.fault), embedder_of(settings)
    return _Parts(
        settings=settings,
        stores=stores,
        libraries=libraries,
        gate=Gate(libraries, SqliteAccounts(stores.file).grants, partial(_shows, stores.catalog)),
        clock=SystemClock(),
        locks=locks,
        embedder=embedder,
        views=_views(settings, stores, locks, embedder),
    )


@dataclass(frozen=True, slots=True)
class _Sync:
    """What brings the views level with the files."""

    indexer: Indexer
    follower: Follower
    foreground: Foreground
    watcher: FolderWatcher
    tidy: Callable[[Library], int]


def _sync(parts: _Parts, finish: Callable[[Library], None]) -> _Sync:
    settings, catalog, views = parts.settings, parts.stores.catalog, parts.views
    scanner = Scanner(catalog, parts.stores.ledger, parts.locks, parts.clock, parts.parse, PARSER_VERSION)
    feeder = Feeder(catalog, parts.locks, views.fulltext, views.chunks, views.vectors, parts.embedder)
    indexer = Indexer(scanner, feeder, parts.vault, finish)
    watcher = _watcher(settings, parts.libraries)
    tidy, foreground = partial(_tidy, parts.locks), Foreground(parts.clock)
    rescan_seconds = NEVER if settings.watch == "off" else settings.rescan_seconds
    follower = Follower(indexer, parts.libraries, watcher, tidy, rescan_seconds, foreground, views.vectors.tend)
    return _Sync(indexer, follower, foreground, watcher, tidy)


def _records(parts: _Parts, sync: _Sync) -> Records:
    return Records(
        catalog=parts.stores.catalog,
        ledger=parts.stores.ledger,
        locks=parts.locks,
        clock=parts.clock,
        parse=parts.parse,
        indexer=sync.indexer,
        vault=parts.vault,
        nudge=sync.follower.nudge,
        fault=parts.stores.fault_now,
    )


def _reporter(parts: _Parts, sync: _Sync) -> Reporter:
    return Reporter(
        parts.stores.catalog,
        parts.views.fulltext,
        parts.views.vectors,
        parts.embedder,
        parts.clock,
        parts.libraries,
        sync.follower.problems,
        sync.watcher,
        parts.stores.fault_now,
    )


def _mender(parts: _Parts, sync: _Sync, reporter: Reporter) -> Mender:
    return Mender(
        catalog=parts.stores.catalog,
        ledger=parts.stores.ledger,
        indexer=sync.indexer,
        reporter=reporter,
        tidy=sync.tidy,
        tidy_trash=partial(clear_leftovers, str(parts.stores.home.trash)),
        is_kept=parts.stores.is_kept,
    )


@dataclass(frozen=True, slots=True)
class _Views:
    """What the catalog feeds, and searches ask."""

    fulltext: LexicalIndex
    chunks: ChunkIndex
    vectors: VectorIndexes | NoVectors


def _views(settings: Settings, stores: _Stores, locks: FileLocks, embedder: Embedder) -> _Views:
    home, read_only, selected = stores.home, stores.fault is not None, partial(_selected, stores.catalog)
    return _Views(
        fulltext=LexicalIndex(home.fulltext, selected, read_only=read_only),
        chunks=ChunkIndex(home.chunks, selected, read_only=read_only),
        vectors=_vectors(settings, home, stores.catalog, locks, embedder),
    )


def _searcher(parts: _Parts, threads: ThreadPoolExecutor, reranking: Reranking | None) -> Searcher:
    catalog, views = parts.stores.catalog, parts.views
    vectors_behind = partial(_behind, views.vectors.applied, catalog.vector_sequence)
    fulltext = NotesAndPassages(views.fulltext, views.chunks)
    engines = Engines(catalog, fulltext, views.vectors, parts.embedder, threads, vectors_behind)
    behind = partial(_behind, views.fulltext.reached, catalog.sequence)
    return Searcher(catalog, engines, behind, Fusion(parts.settings.fusion), reranking)


def _chunk_searcher(parts: _Parts, feeder: Feeder, threads: ThreadPoolExecutor) -> ChunkSearcher:
    catalog, views = parts.stores.catalog, parts.views
    return ChunkSearcher(
        catalog=catalog,
        texts=views.chunks,
        vectors=views.vectors,
        embedder=parts.embedder,
        threads=threads,
        has_index=parts.settings.vector == "on",
        level=partial(_level, partial(_behind, views.chunks.reached, catalog.sequence), feeder),
    )


def _watcher(settings: Settings, libraries: Callable[[], tuple[Library, ...]]) -> FolderWatcher:
    def roots() -> list[str]:
        return [] if settings.watch == "off" else [library.root for library in libraries()]

    return FolderWatcher(roots, frozenset({str(settings.home)}), polling=settings.watch == "polling")


def _tidy(locks: FileLocks, library: Library) -> int:
    """Clear a vault of drafts: of all of them while nobody edits it, for then they are nobody's."""
    if library.read_only:
        return 0
    with locks.editing(library.name, 0) as mine:
        return clear_leftovers(library.root, 0.0 if mine else OLD_SECONDS)


def _selected(catalog: SqliteCatalog, filter: Filter) -> NDArray[np.int64]:
    """The notes that a filter on properties selects; such a filter always restricts."""
    nums = catalog.allowed(filter).nums
    return np.empty(0, dtype=np.int64) if nums is None else nums


def _shows(catalog: SqliteCatalog, scope: Scope) -> bool:
    return catalog.shows(Filter(scopes=(scope,)))


def _behind(reached: Callable[[str], int], sequence: Callable[[str], int], library: str) -> bool:
    return reached(library) != sequence(library)


def _level(behind: Callable[[str], bool], feeder: Feeder, library: str) -> bool:
    return not behind(library) or feeder.catch_up(library)


def _vectors(
    settings: Settings, home: Home, catalog: SqliteCatalog, locks: FileLocks, embedder: Embedder
) -> VectorIndexes | NoVectors:
    if settings.vector == "off":
        return NoVectors(catalog.vector_sequence, catalog.fingerprints)

    def kind(library: str) -> tuple[str, int]:
        each = embedder.of(library)
        return each.model, each.width

    builder = Builder(locks.training, LARGE, settings.threads or 1)
    return VectorIndexes(home.vectors, kind, catalog.allowed, builder)
