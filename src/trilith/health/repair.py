"""Mends what can be mended without touching a note, and tells what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trilith.errors import Unavailable
from trilith.health.status import Reporter
from trilith.model.principal import Library
from trilith.ports.catalog import Catalog
from trilith.ports.ledger import Ledger
from trilith.ports.surroundings import ProgressSink
from trilith.sync.indexer import Indexer
from trilith.sync.turn import feeding

PATIENCE = 10.0
"""Seconds to wait for a write to a library to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Something that was mended."""

    name: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mender:
    """`tidy` clears the vault of a library of what killed writers have left, `tidy_trash` the trash; each tells how many
    files that were. `is_kept` tells whether the trash has the file of a key."""

    catalog: Catalog
    ledger: Ledger
    indexer: Indexer
    reporter: Reporter
    tidy: Callable[[Library], int]
    tidy_trash: Callable[[], int]
    is_kept: Callable[[str], bool]

    def mend(self, libraries: tuple[Library, ...], progress: ProgressSink) -> Iterator[Repair]:
        """Catalog, views, leftovers and trash of these libraries. Raises `Unavailable` when home cannot be written."""
        yield from self._catalog()
        yield from _told("trash", self.tidy_trash(), "drafts of killed processes removed")
        for library in libraries:
            yield from self._files(library)
            yield from self._damage(library)  # first, for whoever feeds a damaged view heals it and tells nobody
            yield from self._level(library, progress)
            yield from self._drift(library)

    def _catalog(self) -> Iterator[Repair]:
        if self.catalog.set_aside:
            yield Repair(name="catalog", message=self.catalog.set_aside)
        fault = self.catalog.check()
        if fault:
            message = f"It was damaged ({fault}); it is set aside, and built anew from the notes."
            yield Repair(name="catalog", message=message)

    def _files(self, library: Library) -> Iterator[Repair]:
        yield from _told(f"vault {library.name}", self.tidy(library), "drafts of killed processes removed")
        with self.indexer.feeder.locks.editing(library.name, PATIENCE) as mine:
            # While nobody edits, an entry without its file is one whose deletion was cut off before it began.
            lost = [each for each in self.ledger.trashed(library.name) if mine and not self.is_kept(each.key)]
            for each in lost:
                self.ledger.remove_trashed(each.key)
        yield from _told(f"trash {library.name}", len(lost), "entries without a file removed")

    def _level(self, library: Library, progress: ProgressSink) -> Iterator[Repair]:
        try:
            report = self.indexer.refresh(library, progress)
        except Unavailable:
            return  # the vault is away, which the checks tell
        yield from _told(f"catalog {library.name}", report.put + report.dropped, "notes caught up with the files")

    def _damage(self, library: Library) -> Iterator[Repair]:
        feeder = self.indexer.feeder
        views = (("fulltext", feeder.fulltext), ("chunks", feeder.chunks), ("vectors", feeder.vectors))
        for name, view in views:
            with feeding(feeder.locks, library.name):
                sound = view.check(library.name)
            if not sound:
                yield Repair(name=f"{name} {library.name}", message="It was damaged; built anew from the catalog.")

    def _drift(self, library: Library) -> Iterator[Repair]:
        feeder = self.indexer.feeder
        for name, view in (("fulltext", feeder.fulltext), ("vectors", feeder.vectors)):
            with feeding(feeder.locks, library.name):
                off = self.reporter.drift(library.name)[name]
                if off:
                    view.clear(library.name)
            yield from _told(f"{name} {library.name}", off, "built anew; notes that differed from the catalog")
        feeder.feed_fulltext(library.name)
        feeder.feed_chunks(library.name)
        feeder.feed_vectors(library.name)


def _told(name: str, count: int, what: str) -> Iterator[Repair]:
    if count:
        yield Repair(name=name, message=f"{what}: {count}")
