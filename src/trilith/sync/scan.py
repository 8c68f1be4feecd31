"""Brings the catalog to where the files are: one look over a vault, read in batches."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.ports.catalog import Catalog, CatalogBatch, KnownFile, Recorded, ScanState
from trilith.ports.ledger import GivenId, Ledger
from trilith.ports.surroundings import Clock, Locks, NoteParser, Progress, ProgressSink
from trilith.ports.vault import RawFile, SeenFile, Stamp, Vault, Walk
from trilith.sync.creation import dated
from trilith.sync.drift import Drift, compare, is_emptied
from trilith.sync.identity import Register
from trilith.sync.recorded import recorded, stepped
from trilith.sync.turn import writing

log = logging.getLogger(__name__)

BATCH = 128
FIRST_BATCH = 512
"""Files read before they are recorded together; and while nothing of a vault is known yet, after the first `BATCH`."""
BATCH_BYTES = 8_000_000
"""The size of files after which a batch takes no more, so that its memory is bounded, too."""


@dataclass(slots=True)
class ScanReport:
    """What one look over a vault came to. `mine` is False when another process was already at it."""

    mine: bool = True
    seen: int = 0
    put: int = 0
    restamped: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a look at one file came to: `put` for new content, `stamp` where only that is new. `known` is what was
    remembered of its path before."""

    path: str
    known: KnownFile | None
    put: Recorded | None = None
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class Scanner:
    """Compares vaults with the catalog and records what has changed."""

    catalog: Catalog
    ledger: Ledger
    locks: Locks
    clock: Clock
    parse: NoteParser
    parser_version: str

    def scan(
        self,
        library: str,
        vault: Vault,
        advanced: Callable[[], None],
        progress: ProgressSink,
        *,
        emptied: bool = False,
    ) -> ScanReport:
        """One look over `vault`; `advanced` is called after each batch so that views can follow.

        Raises `Unavailable` when the vault is away, or seems to be because it is empty all of a sudden: nothing is then
        taken for deleted. With `emptied` an empty vault is believed.
        """
        with self.locks.scanning(library) as mine:
            return self._scan(library, vault, advanced, progress, emptied) if mine else ScanReport(mine=False)

    def _scan(
        self, library: str, vault: Vault, advanced: Callable[[], None], progress: ProgressSink, emptied: bool
    ) -> ScanReport:
        # What is remembered comes first: a note that is written meanwhile is then seen twice, and never taken for gone.
        stamps = self.catalog.stamps(library)
        former = self.catalog.scan_state(library)
        walk = vault.walk()
        if not emptied and is_emptied(stamps, walk):
            raise Unavailable(
                f"The vault {vault.root} is empty, and the index has notes from there ({len(stamps)}). Connect the disk it"
                " is on; if they were really deleted, run `trilith index`."
            )
        outdated = former.parser != self.parser_version
        drift = compare(stamps, walk, reread=outdated)
        register = self._register(library, drift)
        if former.finished_at is None:
            # All that is known from now on is read by the present rules: a run that is cut off goes on where it stopped.
            parser = former.parser if stamps else self.parser_version
            self._record_scan(library, walk, ScanState(parser=parser, seen=len(walk.notes)))
        report = ScanReport(seen=len(walk.notes))
        for done, files in batches(drift.look, BATCH if stamps else FIRST_BATCH):
            self._record(library, self._read(vault, files, register, outdated), register, report)
            advanced()
            progress(Progress("reading", done, len(drift.look), library))
        self._drop(library, register, report)
        if report.put or report.dropped:
            advanced()
        state = ScanState(parser=self.parser_version, finished_at=self.clock.now(), seen=len(walk.notes))
        self._record_scan(library, walk, state)
        return report

    def _register(self, library: str, drift: Drift) -> Register:
        """Who is who, as far as there is anything to be told: where nothing has changed, nobody is asked for."""
        if not drift.look and not drift.gone:
            return Register(library=library, known={}, gone={}, given={})
        known = self.catalog.known_files(library)
        return Register(
            library=library,
            known=known,
            gone={path: known[path] for path in drift.gone if path in known},
            given=self.ledger.given_ids(library),
            steps=self.ledger.outside_changes(library),
        )

    def look(
        self, library: str, vault: Vault, paths: Collection[str], advanced: Callable[[], None]
    ) -> ScanReport | None:
        """Read these files, which may have changed. None when that is not enough, as for new files and for those that are
        gone: they may have been renamed. Raises `Unavailable` when the vault is away."""
        with self.locks.scanning(library) as mine:
            return self._look(library, vault, paths, advanced) if mine else ScanReport(mine=False)

    def _look(
        self, library: str, vault: Vault, paths: Collection[str], advanced: Callable[[], None]
    ) -> ScanReport | None:
        state = self.catalog.scan_state(library)
        known = self.catalog.known_at(library, paths)
        seen = vault.look(paths)
        if state.finished_at is None or state.parser != self.parser_version or seen is None:
            return None
        if {file.path for file in seen} != known.keys():
            return None
        changed = [file for file in seen if known[file.path].stamp != file.stamp]
        ids = {path: file.id for path, file in known.items()}
        steps = self.ledger.outside_changes(library, list(ids.values()))
        register = Register(library=library, known=dict(known), gone={}, given={}, steps=steps)
        found = self._read(vault, changed, register, outdated=False)
        if any(each.put and each.put.id != ids[each.path] for each in found):
            return None  # it says that it is another note
        report = ScanReport(seen=len(seen))
        if found:
            self._record(library, found, register, report)
        if report.put:
            advanced()
        return report

    def _read(self, vault: Vault, files: Sequence[SeenFile], register: Register, outdated: bool) -> list[_Finding]:
        """What has to be recorded of `files`: whole notes where the content is new, stamps where it is not."""
        found = []
        for file in files:
            try:
                raw = vault.read(file.path)
            except (NotFound, PathForbidden, Unavailable) as failure:
                # Gone again since the walk, or on a bad sector: what is remembered stays until a look succeeds.
                log.info("%s: %s", file.path, failure.message)
                continue
            known = register.known.get(file.path)
            if known is not None and known.checksum == raw.checksum and not outdated:
                found.append(_Finding(file.path, known, stamp=raw.stamp))
            else:
                found.append(_Finding(file.path, known, put=self._adopt(file, raw, register)))
        return found

    def _adopt(self, file: SeenFile, raw: RawFile, register: Register) -> Recorded:
        note = self.parse(file.path, raw)
        former = register.former(file, raw.checksum, note.declared_id)
        note_id, problem = register.admit(file.path, raw.checksum, note.declared_id, former)
        if problem is not None:
            note = dataclasses.replace(note, problems=(*note.problems, problem))
        if former is not None and former.checksum != raw.checksum:
            before = self.catalog.entries([former.num]).get(former.num)
            register.step(note_id, note.metadata.version, before.metadata.version if before else 0)
        return recorded(
            former.num if former else None, note_id, file.path, raw, stepped(note, register.steps_of(note_id))
        )

    def _record(self, library: str, found: Sequence[_Finding], register: Register, report: ScanReport) -> None:
        with writing(self.locks):
            now = self.catalog.known_at(library, [finding.path for finding in found])
            current = [finding for finding in found if _is_current(finding, now.get(finding.path))]
            put = tuple(finding.put for finding in current if finding.put)
            restamp = tuple((f.known.num, f.path, f.stamp) for f in current if f.known and f.stamp)
            given = [
                GivenId(path=note.path, id=note.id, inode=note.stamp.inode, checksum=note.checksum)
                for note in put
                if note.note.declared_id != note.id
            ]
            # The ledger first: a crash in between leaves ids that nobody uses yet, never a note whose id is forgotten.
            self.ledger.give_ids(library, given)
            steps = {note.id: register.steps_of(note.id) for note in put if register.has_stepped(note.id)}
            self.ledger.set_outside_changes(library, steps)
            batch = CatalogBatch(put=dated(self.ledger, library, put), restamp=restamp)
            nums = self.catalog.record(library, batch)
        register.given.update({row.path: row for row in given})
        for note in put:
            register.known[note.path] = KnownFile(nums[note.path], note.id, note.stamp, note.checksum)
        report.put += len(put)
        report.restamped += len(restamp)

    def _drop(self, library: str, register: Register, report: ScanReport) -> None:
        if not register.gone:
            return
        with writing(self.locks):
            # Meanwhile a note may have been recorded elsewhere, by whoever moved it.
            known = self.catalog.known_at(library, register.gone)
            gone = [file.num for path, file in register.gone.items() if path in known and known[path].num == file.num]
            self.catalog.record(library, CatalogBatch(drop=tuple(gone)))
        report.dropped = len(gone)

    def _record_scan(self, library: str, walk: Walk, state: ScanState) -> None:
        with writing(self.locks):
            self.catalog.record_scan(library, dataclasses.replace(state, skipped=walk.skipped), walk.attachments)


def _is_current(finding: _Finding, now: KnownFile | None) -> bool:
    """Whether nobody has recorded this file since it was looked at; a write through Trilith may have."""
    return (now and now.checksum) == (finding.known and finding.known.checksum)


def batches(files: Sequence[SeenFile], most: int) -> Iterator[tuple[int, Sequence[SeenFile]]]:
    """At most so many files at a time, the first time fewer; with the count done. Oldest first, so that of two new notes
    with one id the original is met before its copy."""
    ordered = sorted(files, key=lambda file: (file.stamp.mtime_ns, len(file.path), file.path))
    start, limit = 0, min(most, BATCH)
    while start < len(ordered):
        sizes = accumulate(file.stamp.size for file in ordered[start : start + limit])
        end = start + 1 + sum(size < BATCH_BYTES for size in islice(sizes, limit - 1))
        end = min(end, len(ordered))
        yield end, ordered[start:end]
        start, limit = end, most
