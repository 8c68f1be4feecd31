"""Who knows whom? Settings become an app; the only module that names concrete engines."""

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
from trilith.embedding.choice import Embedders
from trilith.embedding.crossencoder import FolderReranker
from trilith.embedding.folder import folder_embedder
from trilith.embedding.local import LocalEmbedder
from trilith.embedding.multilingual import multilingual_embedder
from trilith.embedding.off import NoEmbedder
from trilith.embedding.openai import OpenAiEmbedder
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
from trilith.ports.embedding import Embedder, TokenCounter
from trilith.ports.vault import RawFile
from trilith.search.chunks import ChunkSearcher
from trilith.search.neighbourhood import Neighbourhood
from trilith.search.rerank import Reranking
from trilith.search.retrieve import Engines
from trilith.search.searcher import Searcher
from trilith.settings import EmbedderSettings, FolderSettings, MultilingualSettings, ServerSettings, Settings, kept_up
from trilith.sync.feed import Feeder
from trilith.sync.follow import Follower
from trilith.sync.foreground import Foreground
from trilith.sync.indexer import Indexer
from trilith.sync.scan import Scanner
from trilith.vault.folder import FolderVault
from trilith.vault.leftovers import OLD_SECONDS, clear_leftovers
from trilith.vault.watch import FolderWatcher

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


def _connect(
    settings: Settings,
    stores: _Stores,
    threads: ThreadPoolExecutor,
    libraries: Callable[[], tuple[Library, ...]],
    closing: ExitStack,
) -> App:
    home, ledger, catalog = stores.home, stores.ledger, stores.catalog
    gate = Gate(libraries, SqliteAccounts(stores.file).grants, partial(_shows, catalog))

    def vault(name: str) -> FolderVault:
        return FolderVault(gate.library(name).root, excluded=frozenset({str(home.root)}))

    def finish(library: Library) -> None:
        mover.finish(library)

    clock, locks = SystemClock(), FileLocks(home.locks, stores.fault)
    embedder = _embedder(settings)
    reranking = _reranking(settings)
    views = _views(settings, stores, locks, embedder)
    closing.callback(views.vectors.close)
    closing.callback(views.fulltext.close)
    closing.callback(views.chunks.close)
    graph = SqlGraph(catalog)
    parse = partial(_parse, embedder)
    scanner = Scanner(catalog, ledger, locks, clock, parse, PARSER_VERSION)
    feeder = Feeder(catalog, locks, views.fulltext, views.chunks, views.vectors, embedder)
    indexer = Indexer(scanner, feeder, vault, finish)
    fault = partial(_fault, stores)
    watcher = _watcher(settings, libraries)
    rescan_seconds = NEVER if settings.watch == "off" else settings.rescan_seconds
    tidy = partial(_tidy, locks)
    foreground = Foreground(clock)
    follower = Follower(indexer, libraries, watcher, tidy, rescan_seconds, foreground, views.vectors.tend)
    records = Records(
        catalog=catalog,
        ledger=ledger,
        locks=locks,
        clock=clock,
        parse=parse,
        indexer=indexer,
        vault=vault,
        nudge=follower.nudge,
        fault=fault,
    )

    def trashed(key: str) -> str:
        return str(home.trash / f"{key}.md")

    def is_kept(key: str) -> bool:
        return Path(trashed(key)).is_file()

    mover = Mover(records, trashed)
    reporter = Reporter(
        catalog, views.fulltext, views.vectors, embedder, clock, libraries, follower.problems, watcher, fault
    )
    items, writer = Items(catalog), Writer(records)
    return App(
        gate=gate,
        searcher=_searcher(settings, catalog, views, _engines(catalog, views, embedder, threads), reranking),
        chunk_searcher=_chunk_searcher(settings, catalog, views, feeder, threads),
        neighbourhood=Neighbourhood(catalog, graph),
        reader=Reader(catalog, graph, vault, parse),
        relations=Relations(catalog, graph),
        writer=writer,
        short_ids=ShortIds(catalog, libraries),
        mover=mover,
        trash=Trash(records=records, place=trashed, is_kept=is_kept),
        para=items,
        para_writer=ItemWriter(items, writer),
        catalog=catalog,
        graph=graph,
        reporter=reporter,
        doctor=Doctor(catalog, reporter, embedder, reranking.reranker if reranking else None),
        mender=Mender(
            catalog=catalog,
            ledger=ledger,
            indexer=indexer,
            reporter=reporter,
            tidy=tidy,
            tidy_trash=partial(clear_leftovers, str(home.trash)),
            is_kept=is_kept,
        ),
        indexer=indexer,
        follower=follower,
        foreground=foreground,
        clock=clock,
        audit=stores.audit,
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


def _engines(catalog: SqliteCatalog, views: _Views, embedder: Embedder, threads: ThreadPoolExecutor) -> Engines:
    vectors_behind = partial(_behind, views.vectors.applied, catalog.vector_sequence)
    fulltext = NotesAndPassages(views.fulltext, views.chunks)
    return Engines(catalog, fulltext, views.vectors, embedder, threads, vectors_behind)


def _searcher(
    settings: Settings, catalog: SqliteCatalog, views: _Views, engines: Engines, reranking: Reranking | None
) -> Searcher:
    behind = partial(_behind, views.fulltext.reached, catalog.sequence)
    return Searcher(catalog, engines, behind, Fusion(settings.fusion), reranking)


def _chunk_searcher(
    settings: Settings, catalog: SqliteCatalog, views: _Views, feeder: Feeder, threads: ThreadPoolExecutor
) -> ChunkSearcher:
    return ChunkSearcher(
        catalog=catalog,
        texts=views.chunks,
        vectors=views.vectors,
        embedder=feeder.embedder,
        threads=threads,
        has_index=settings.vector == "on",
        level=partial(_level, partial(_behind, views.chunks.reached, catalog.sequence), feeder),
    )


def _fault(stores: _Stores) -> str | None:
    if stores.fault is not None:
        return f"{stores.fault} Then start Trilith again."
    return stores.home.fault()


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


def _embedder(settings: Settings) -> Embedder:
    local = LocalEmbedder(threads=settings.threads or None)
    if settings.semantic == "off":
        return NoEmbedder(local.tokens)
    chosen = {
        name: _chosen(settings, each.embedder, local.tokens) for name, each in settings.library.items() if each.embedder
    }
    return Embedders(local, chosen) if chosen else local


def _chosen(settings: Settings, chosen: EmbedderSettings, tokens: TokenCounter) -> Embedder:
    threads = settings.threads or None
    match chosen:
        case MultilingualSettings():
            return multilingual_embedder(tokens, threads)
        case FolderSettings():
            return folder_embedder(chosen.place(settings.home), chosen.file, threads)
        case ServerSettings():
            return _remote(settings, chosen, tokens)


def _remote(settings: Settings, chosen: ServerSettings, tokens: TokenCounter) -> OpenAiEmbedder:
    key, absence = chosen.find_key(settings.home)
    return OpenAiEmbedder(
        chosen.base_url, chosen.model, chosen.numbers, key, tokens, absence=absence, shortened=chosen.width is not None
    )


def _reranking(settings: Settings) -> Reranking | None:
    chosen = settings.reranker
    if chosen is None:
        return None
    reranker = FolderReranker(chosen.place(settings.home), chosen.file, settings.threads or None)
    return Reranking(reranker, chosen.top, chosen.budget_ms / 1000)


def _parse(embedder: Embedder, path: str, raw: RawFile) -> Note:
    tokens = embedder.tokens
    return parse_note(path, raw.data, count_tokens=tokens.count, window=tokens.window, truncated=raw.truncated)
