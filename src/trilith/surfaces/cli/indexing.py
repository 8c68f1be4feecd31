"""What `trilith index` does to one library."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from trilith.errors import Unavailable
from trilith.model.hits import EngineState
from trilith.model.principal import Library
from trilith.ports.surroundings import Progress
from trilith.surfaces.cli.local import OWNER
from trilith.surfaces.cli.terminal import remark
from trilith.sync.turn import feeding, writing

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.ports.surroundings import ProgressSink
    from trilith.sync.scan import ScanReport

IDLE_SECONDS = 60.0
"""How long another process may hold the work without getting on before this one gives up."""
POLL_SECONDS = 0.2


def index_library(app: App, library: Library, progress: ProgressSink, *, rebuild: bool) -> dict[str, Any]:
    """Scan and embed until nothing is left; what was done.

    Raises `Unavailable` when the vault is away, the model is broken, or another process holds the work and stands still.
    """
    begun = time.monotonic()
    if rebuild:
        forget(app, library.name)
    report = _scan(app, library, progress)
    app.indexer.feeder.feed_chunks(library.name)
    embedded = _embed(app, library, progress)
    return {
        "name": library.name,
        "root": library.root,
        "documents": app.reporter.status(app.gate.filter(OWNER, library.name)).documents,
        "read": report.put,
        "touched": report.restamped,
        "dropped": report.dropped,
        "embedded": embedded,
        "seconds": round(time.monotonic() - begun, 2),
    }


def forget(app: App, name: str) -> None:
    """Empty the index of a library. The ids that its notes were given are in the ledger and stay."""
    with writing(app.indexer.feeder.locks):
        app.catalog.forget_library(name)
    with feeding(app.indexer.feeder.locks, name):
        app.indexer.feeder.fulltext.clear(name)
        app.indexer.feeder.chunks.clear(name)
        app.indexer.feeder.vectors.clear(name)


def _scan(app: App, library: Library, progress: ProgressSink) -> ScanReport:
    """One whole look of our own, once another process that is looking has come to its end."""
    report = app.indexer.refresh(library, progress, emptied=True)
    if not report.mine:
        remark(f"{library.name}: another process is reading these notes; waiting for it.")
    while not report.mine:
        time.sleep(POLL_SECONDS)
        report = app.indexer.refresh(library, progress, emptied=True)
    return report


def _embed(app: App, library: Library, progress: ProgressSink) -> int:
    """Embed until nothing waits, here or in another process; how many chunks waited."""
    feeder = app.indexer.feeder
    embedder = feeder.embedder.of(library.name)
    if embedder.status().state is EngineState.OFF:
        return 0
    waiting = left = app.catalog.pending_count(library.name, embedder.model)
    moved = time.monotonic()
    while left:
        feeder.embed_all(library.name, progress)
        now = app.catalog.pending_count(library.name, embedder.model)
        if now < left:
            moved = time.monotonic()
        elif time.monotonic() - moved > IDLE_SECONDS:
            raise Unavailable(
                f"{now} chunks of '{library.name}' wait for a vector, and another process holds the work."
            )
        left = now
        progress(Progress("embedding", waiting - left, max(waiting, left), library.name))
        if left:
            time.sleep(POLL_SECONDS)
    return waiting
