"""Who knows whom? Settings become an app; the only module that names concrete engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trilith.access.gate import Gate
from trilith.access.naming import check, free_name
from trilith.app import App
from trilith.clock import SystemClock
from trilith.embedding.local import LocalEmbedder
from trilith.embedding.off import NoEmbedder
from trilith.errors import InvalidInput, NotFound
from trilith.health.doctor import Doctor
from trilith.health.status import Reporter
from trilith.home.layout import Home
from trilith.home.ledger import SqliteLedger
from trilith.home.locks import FileLocks
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqliteGraph
from trilith.index.lexical.index import LexicalIndex
from trilith.index.vector.flat import VectorIndex
from trilith.markdown.parse import PARSER_VERSION, parse_note
from trilith.model.note import Note
from trilith.model.principal import Library
from trilith.model.query import Filter
from trilith.notes.reader import Reader
from trilith.ports import Embedder, Ledger, RawFile
from trilith.search.neighbourhood import Neighbourhood
from trilith.search.retrieve import Engines
from trilith.search.searcher import Searcher
from trilith.settings import Settings
from trilith.sync.feed import Feeder
from trilith.sync.follow import Follower
from trilith.sync.indexer import Indexer
from trilith.sync.scan import Scanner
from trilith.vault.folder import FolderVault


@contextmanager
def open_app(settings: Settings, vaults: Sequence[Path] = (), library: str | None = None) -> Iterator[App]:
    """Everything connected, for as long as the context lasts; nothing is followed until `app.follower.start()`.

    Args:
        vaults: folders that this process serves; new ones are registered as libraries.
        library: the registered library that it serves instead. Neither: all that are registered.

    Raises `InvalidInput` for a path that is no folder, `NotFound` for an unknown library, `StartFailure` when home
    cannot be used.
    """
    home = Home(settings.home)
    ledger = SqliteLedger(home.ledger)
    catalog = SqliteCatalog(home.catalog)
    threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="trilith-search")
    try:
        served = _served(ledger, vaults, library)
        yield _connect(settings, home, ledger, catalog, threads, served)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        catalog.close()
        ledger.close()


def _connect(
    settings: Settings,
    home: Home,
    ledger: SqliteLedger,
    catalog: SqliteCatalog,
    threads: ThreadPoolExecutor,
    served: frozenset[str],
) -> App:
    def libraries() -> tuple[Library, ...]:
        return tuple(each for each in ledger.libraries() if each.name in served)

    gate = Gate(libraries)

    def vault(name: str) -> FolderVault:
        return FolderVault(gate.library(name).root, excluded=frozenset({str(home.root)}))

    clock, locks = SystemClock(), FileLocks(home.locks)
    embedder = _embedder(settings)
    fulltext = LexicalIndex(home.fulltext, allowed_nums=lambda filter: _selected(catalog, filter))
    vectors = VectorIndex(home.vectors, embedder.model, embedder.width, catalog.allowed)
    graph = SqliteGraph(catalog)
    parse = partial(_parse, embedder)
    scanner = Scanner(catalog, ledger, locks, clock, parse, PARSER_VERSION)
    indexer = Indexer(scanner, Feeder(catalog, locks, fulltext, vectors, embedder), vault)
    follower = Follower(indexer, libraries, settings.rescan_seconds)
    reporter = Reporter(catalog, fulltext, vectors, embedder, clock, libraries, follower.problems)
    return App(
        gate=gate,
        searcher=Searcher(catalog, Engines(catalog, fulltext, vectors, embedder, threads)),
        neighbourhood=Neighbourhood(catalog, graph),
        reader=Reader(catalog, graph, vault, parse),
        catalog=catalog,
        reporter=reporter,
        doctor=Doctor(catalog, reporter, embedder),
        indexer=indexer,
        follower=follower,
        clock=clock,
    )


def _selected(catalog: SqliteCatalog, filter: Filter) -> NDArray[np.int64]:
    """The notes that a filter on properties selects; such a filter always restricts."""
    nums = catalog.allowed(filter).nums
    return np.empty(0, dtype=np.int64) if nums is None else nums


def _embedder(settings: Settings) -> Embedder:
    local = LocalEmbedder(threads=settings.threads or None)
    return local if settings.semantic == "on" else NoEmbedder(local.tokens)


def _parse(embedder: Embedder, path: str, raw: RawFile) -> Note:
    tokens = embedder.tokens
    return parse_note(path, raw.data, count_tokens=tokens.count, window=tokens.window, truncated=raw.truncated)


def _served(ledger: Ledger, vaults: Sequence[Path], library: str | None) -> frozenset[str]:
    """The names of the libraries in scope, unknown folders registered."""
    if library is not None:
        known = {each.name for each in ledger.libraries()}
        if library not in known:
            raise NotFound(
                f"No library named '{library}'. Known: {', '.join(sorted(known)) or 'none'}.", field="library"
            )
        return frozenset({library})
    if not vaults:
        return frozenset(each.name for each in ledger.libraries())
    return frozenset(register(ledger, vault).name for vault in vaults)


def register(ledger: Ledger, vault: Path, name: str | None = None) -> Library:
    """The library of a folder, made on first sight; without `name` it is called after the folder.

    Raises `InvalidInput` when the path is no folder or the name is taken by another one.
    """
    if not vault.is_dir():
        what = "is a file" if vault.exists() else "does not exist"
        raise InvalidInput(f"'{vault}' {what}; give a folder of Markdown notes.", field="path")
    root = str(vault.resolve())
    libraries = ledger.libraries()
    for known in libraries:
        if known.root == root and name in (None, known.name):
            return known
    taken = {known.name for known in libraries}
    if name is not None and name in taken:
        raise InvalidInput(f"There is a library named '{name}' already, for another folder.", field="name")
    library = Library(name=check(name) if name else free_name(root, taken), root=root)
    ledger.add_library(library)
    return library
