"""Who writes to an index? A writer stays open for a moment after its commit: what the engine then merges, it merges beside
the next batch, which needs not wait for it, and a batch soon after finds a writer ready.

The engine lets one writer in at a time, of all processes, by a lock that the kernel holds. Whoever waits for it leaves a
file beside the index, and a writer that is only kept open goes at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import tantivy

from trilith.errors import SearchBackendError
from trilith.index.lexical.batch import Batch, Documents
from trilith.index.lexical.damage import strays
from trilith.index.lexical.schema import register_analysers

WRITER_MEMORY = 32 * 1024 * 1024
"""Bytes that a writer may fill before it writes a segment; a batch of 1,000 notes of 3 kB stays below."""
LINGER = 1.0
"""Seconds that a writer stays open after a commit."""
PULSE = 0.01
"""Seconds between two looks, of one who waits and of one who is waited for."""
PATIENCE = 60.0
"""Seconds to wait for the writer of another process. It is only kept open, and at most ends a merge, which takes many seconds
for a large library on a busy machine: batches have a turn of their own."""
WANTED = "wanted"
BUSY = "LockBusy"
"""What the engine's error says when another writer is open."""

HELD = "Another process keeps the full-text index open and does not let go of it; is it suspended?"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    writer: tantivy.IndexWriter
    recent: Documents
    inode: int
    """The folder's: one that was put in its place is another index."""
    until: float


class Writers:
    """One for each index folder, when needed. The caller sees to it that a folder is written by one thread at a time."""

    def __init__(self, schema: tantivy.Schema) -> None:
        self._schema = schema
        self._kept: dict[Path, _Kept] = {}
        self._leaving: set[Path] = set()
        self._lock = threading.Lock()
        self._keeper: threading.Thread | None = None
        self._awaited = 0.0

    @contextmanager
    def lent(self, folder: Path) -> Iterator[Batch]:
        """A batch that is committed at the end, or nothing of it. Raises what the engine does."""
        batch = self._ready(folder) or Batch(self.opened(folder))
        try:
            yield batch
            recent = batch.commit()
        except BaseException:
            batch.writer.wait_merging_threads()
            raise
        self._keep(folder, batch.writer, recent)

    def opened(self, folder: Path) -> tantivy.IndexWriter:
        """A writer of one's own, once others have gone; an open one keeps all others out. Raises `SearchBackendError` when
        they do not go."""
        wanted = folder.with_name(WANTED)
        deadline = time.monotonic() + PATIENCE
        while True:
            index = tantivy.Index(self._schema, str(folder))
            register_analysers(index)
            try:
                writer = index.writer(WRITER_MEMORY, num_threads=1)
            except ValueError as busy:
                if BUSY not in str(busy):
                    raise
                if time.monotonic() > deadline and folder not in self._leaving:
                    raise SearchBackendError(HELD) from busy
                with suppress(OSError):  # without it the other goes later
                    wanted.touch()
                time.sleep(PULSE)
            else:
                with suppress(OSError):
                    wanted.unlink(missing_ok=True)
                for stray in strays(folder):
                    stray.unlink(missing_ok=True)
                return writer

    def release(self, folder: Path) -> None:
        """No writer of this process is kept open there any more; its merging has ended."""
        with self._lock:
            kept = self._kept.pop(folder, None)
            if kept is None:
                return
            self._leaving.add(folder)
        try:
            _close(folder, kept.writer)
        finally:
            self._leaving.discard(folder)

    def close(self) -> None:
        """Wait for all merging."""
        for folder in tuple(self._kept):
            self.release(folder)
        with self._lock:
            keeper, self._awaited = self._keeper, 0.0
        if keeper is not None:
            keeper.join()

    def _ready(self, folder: Path) -> Batch | None:
        with self._lock:
            kept = self._kept.pop(folder, None)
        if kept is None:
            return None
        if kept.inode == folder.stat().st_ino:
            return Batch(kept.writer, kept.recent)
        _close(folder, kept.writer)
        return None

    def _keep(self, folder: Path, writer: tantivy.IndexWriter, recent: Documents) -> None:
        kept = _Kept(writer, recent, folder.stat().st_ino, time.monotonic() + LINGER)
        with self._lock:
            self._kept[folder] = kept
            self._awaited = kept.until
            if self._keeper is None or not self._keeper.is_alive():
                self._keeper = threading.Thread(target=self._see_off, name="trilith-writers", daemon=True)
                self._keeper.start()

    def _see_off(self) -> None:
        """Let go of writers that have stayed their time or stand in another's way, until there are none."""
        while True:
            with self._lock:
                now = time.monotonic()
                if not self._kept and now >= self._awaited:
                    self._keeper = None
                    return
                gone = [folder for folder, kept in self._kept.items() if now >= kept.until or _is_wanted(folder)]
            for folder in gone:
                self.release(folder)
            time.sleep(PULSE)


def _is_wanted(folder: Path) -> bool:
    with suppress(OSError):
        return folder.with_name(WANTED).exists()
    return False


def _close(folder: Path, writer: tantivy.IndexWriter) -> None:
    try:
        writer.wait_merging_threads()
    except ValueError as failure:  # what was committed stands; the next commit merges again
        log.warning("segments of %s could not be merged: %s", folder, failure)
