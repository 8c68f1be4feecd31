"""Everything that keeps the index level with the files, as one use case."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from trilith.model.note import Entry
from trilith.model.principal import Library
from trilith.ports.surroundings import Progress, ProgressSink
from trilith.ports.vault import Vault
from trilith.sync.alongside import Alongside
from trilith.sync.feed import Feeder
from trilith.sync.scan import Scanner, ScanReport

POLL = 0.05
"""Seconds between two looks at work that another process does."""


def silent(progress: Progress) -> None:
    """A sink for progress that nobody watches."""
    del progress


@dataclass(frozen=True, slots=True)
class Indexer:
    """Scans vaults and feeds the views."""

    scanner: Scanner
    feeder: Feeder
    vault: Callable[[str], Vault]
    finish: Callable[[Library], None]
    """Carries on with changes to a vault that were begun by processes that are no more."""

    def refresh(self, library: Library, progress: ProgressSink = silent, *, emptied: bool = False) -> ScanReport:
        """Catalog and full text level with the files; vectors of texts that were embedded before included.

        Raises `Unavailable` when the vault is away; without `emptied`, for somebody who knows that all notes were deleted,
        also when it is empty where there were notes.
        """
        name = library.name
        self.finish(library)
        with Alongside(partial(self.feeder.feed_fulltext, name)) as feeding:
            report = self.scanner.scan(name, self.vault(name), feeding.ask, progress, emptied=emptied)
        self.feeder.feed_fulltext(name)
        self.feeder.feed_vectors(name)
        return report

    def follow(self, library: Library, paths: Collection[str]) -> ScanReport | None:
        """Catalog and full text level with these files, which may have changed; None when it takes `refresh`.

        Raises `Unavailable` when the vault is away.
        """
        name = library.name
        report = self.scanner.look(name, self.vault(name), paths, lambda: self.feeder.feed_fulltext(name))
        if report is not None:
            self.feeder.feed_vectors(name)
        return report

    def complete(self, library: Library, progress: ProgressSink = silent) -> ScanReport:
        """`refresh`, an empty vault believed, then feed the chunks and embed whatever has no vector yet.

        Raises `Unavailable` also when the embedder is.
        """
        report = self.refresh(library, progress, emptied=True)
        self.feeder.feed_chunks(library.name)
        self.feeder.embed_all(library.name, progress)
        return report

    def await_vectors(self, entry: Entry, seconds: float) -> bool:
        """Embed until this note has all its vectors; whether it has, after at most so many seconds."""
        deadline = time.monotonic() + seconds
        while self.feeder.waits_for_vectors(entry):
            if time.monotonic() >= deadline:
                return False
            if not self.feeder.embed_some(entry.library):
                time.sleep(POLL)
        self.feeder.feed_vectors(entry.library)
        return True
