"""Everything that keeps the index level with the files, as one use case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trilith.model.principal import Library
from trilith.ports import Progress, ProgressSink, Vault
from trilith.sync.feed import Feeder
from trilith.sync.scan import Scanner, ScanReport


def silent(progress: Progress) -> None:
    """A sink for progress that nobody watches."""
    del progress


@dataclass(frozen=True, slots=True)
class Indexer:
    """Scans vaults and feeds the views."""

    scanner: Scanner
    feeder: Feeder
    vault: Callable[[str], Vault]

    def refresh(self, library: Library, progress: ProgressSink = silent) -> ScanReport:
        """Catalog and full text level with the files; vectors of texts that were embedded before included.

        Raises `Unavailable` when the vault is away.
        """
        name = library.name
        report = self.scanner.scan(name, self.vault(name), lambda: self.feeder.feed_fulltext(name), progress)
        self.feeder.feed_fulltext(name)
        self.feeder.feed_vectors(name)
        return report

    def complete(self, library: Library, progress: ProgressSink = silent) -> ScanReport:
        """`refresh`, then embed whatever has no vector yet. Raises `Unavailable` also when the embedder is."""
        report = self.refresh(library, progress)
        self.feeder.embed_all(library.name, progress)
        return report
