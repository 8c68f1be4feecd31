"""Brings the catalog to where the files are: one look over a vault, read in batches."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.markdown.chunks import embed_texts
from trilith.ports import (
    Catalog,
    CatalogBatch,
    Clock,
    GivenId,
    KnownFile,
    Ledger,
    Locks,
    NoteParser,
    Progress,
    ProgressSink,
    RawFile,
    Recorded,
    ScanState,
    SeenFile,
    Vault,
    Walk,
)
from trilith.sync.drift import compare
from trilith.sync.identity import Register
from trilith.sync.turn import writing

log = logging.getLogger(__name__)

BATCH = 128
"""Files read before they are recorded together."""


@dataclass(slots=True)
class ScanReport:
    """What one look over a vault came to. `mine` is False when another process was already at it."""

    mine: bool = True
    seen: int = 0
    put: int = 0
    restamped: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Scanner:
    """Compares vaults with the catalog and records what has changed."""

    catalog: Catalog
    ledger: Ledger
    locks: Locks
    clock: Clock
    parse: NoteParser
    parser_version: str

    def scan(self, library: str, vault: Vault, recorded: Callable[[], None], progress: ProgressSink) -> ScanReport:
        """One look over `vault`; `recorded` is called after each batch so that views can follow.

        Raises `Unavailable` when the vault is away: nothing is then taken for deleted.
        """
        with self.locks.scanning(library) as mine:
            return self._scan(library, vault, recorded, progress) if mine else ScanReport(mine=False)

    def _scan(self, library: str, vault: Vault, recorded: Callable[[], None], progress: ProgressSink) -> ScanReport:
        walk = vault.walk()
        former = self.catalog.scan_state(library)
        outdated = former.parser != self.parser_version
        known = self.catalog.known_files(library)
        drift = compare(known, walk, reread=outdated)
        register = Register(library, known, dict(drift.gone), self.ledger.given_ids(library))
        if former.finished_at is None:
            self._record_scan(library, walk, ScanState(parser=former.parser, seen=len(walk.notes)))
        report = ScanReport(seen=len(walk.notes))
        for done, files in _batches(drift.look):
            self._record(library, self._read(vault, files, register, outdated), register, report)
            recorded()
            progress(Progress("reading", done, len(drift.look), library))
        self._drop(library, register, report)
        if report.put or report.dropped:
            recorded()
        state = ScanState(parser=self.parser_version, finished_at=self.clock.now(), seen=len(walk.notes))
        self._record_scan(library, walk, state)
        return report

    def _read(self, vault: Vault, files: Sequence[SeenFile], register: Register, outdated: bool) -> CatalogBatch:
        """What has to be recorded of `files`: whole notes where the content is new, stamps where it is not."""
        put: list[Recorded] = []
        restamp = []
        for file in files:
            try:
                raw = vault.read(file.path)
            except (NotFound, PathForbidden, Unavailable) as failure:
                # Gone again since the walk, or on a bad sector: what is remembered stays until a look succeeds.
                log.info("%s: %s", file.path, failure.message)
                continue
            known = register.known.get(file.path)
            if known is not None and known.checksum == raw.checksum and not outdated:
                restamp.append((known.num, file.path, raw.stamp))
            else:
                put.append(self._adopt(file, raw, register))
        return CatalogBatch(put=tuple(put), restamp=tuple(restamp))

    def _adopt(self, file: SeenFile, raw: RawFile, register: Register) -> Recorded:
        note = self.parse(file.path, raw)
        former = register.former(file, raw.checksum, note.declared_id)
        note_id, problem = register.admit(file.path, raw.checksum, note.declared_id, former)
        if problem is not None:
            note = dataclasses.replace(note, problems=(*note.problems, problem))
        return Recorded(
            num=former.num if former else None,
            id=note_id,
            path=file.path,
            stamp=raw.stamp,
            checksum=raw.checksum,
            created_at=note.metadata.created_at or _moment(raw.created_ns),
            updated_at=note.metadata.updated_at or _moment(raw.stamp.mtime_ns),
            note=note,
            embed_texts=embed_texts(note),
        )

    def _record(self, library: str, batch: CatalogBatch, register: Register, report: ScanReport) -> None:
        given = [
            GivenId(path=note.path, id=note.id, inode=note.stamp.inode, checksum=note.checksum)
            for note in batch.put
            if note.note.declared_id != note.id
        ]
        with writing(self.locks):
            # The ledger first: a crash in between leaves ids that nobody uses yet, never a note whose id is forgotten.
            self.ledger.give_ids(library, given)
            nums = self.catalog.record(library, batch)
        register.given.update({row.path: row for row in given})
        for note in batch.put:
            register.known[note.path] = KnownFile(nums[note.path], note.id, note.stamp, note.checksum)
        report.put += len(batch.put)
        report.restamped += len(batch.restamp)

    def _drop(self, library: str, register: Register, report: ScanReport) -> None:
        report.dropped = len(register.gone)
        if register.gone:
            with writing(self.locks):
                self.catalog.record(library, CatalogBatch(drop=tuple(file.num for file in register.gone.values())))

    def _record_scan(self, library: str, walk: Walk, state: ScanState) -> None:
        with writing(self.locks):
            self.catalog.record_scan(library, dataclasses.replace(state, skipped=walk.skipped), walk.attachments)


def _batches(files: Sequence[SeenFile]) -> Iterator[tuple[int, Sequence[SeenFile]]]:
    """Oldest first, so that of two new notes with one id the original is met before its copy; with the count done."""
    ordered = sorted(files, key=lambda file: (file.stamp.mtime_ns, len(file.path), file.path))
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        yield start + len(batch), batch


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
