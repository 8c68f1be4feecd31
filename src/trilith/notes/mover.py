"""Moves and renames notes; the links that lead to them follow.

A move is planned, written down in the ledger, done by one rename, and then followed by one file after another. Whoever is
killed before the rename has touched nothing; whoever is killed after it leaves a plan that the next look over the vault
carries on with, in whatever process.
"""

from __future__ import annotations

import logging
import posixpath
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from trilith.access.folders import Guarded
from trilith.errors import NotFound, Refused, SlugCollision, TrilithError, Unavailable, VersionConflict
from trilith.language.normal import fold_case
from trilith.markdown.spelling import Moved
from trilith.model.change import MoveResult, Revision, Unfollowed
from trilith.model.note import Entry, Status
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter
from trilith.notes.filenames import placed
from trilith.notes.following import careful
from trilith.notes.records import Records, read_if_there
from trilith.notes.rewriting import rewrite
from trilith.notes.survey import Survey
from trilith.notes.writer import TRIES, check_belief
from trilith.ports.ledger import MoveUnderWay
from trilith.ports.vault import RawFile, Vault, WritableVault

log = logging.getLogger(__name__)

ADVICE = "choose another path, or move that one first."
DISMISSED = "It is dismissed: nothing is known to link to it, and no link was rewritten."


@dataclass(frozen=True, slots=True)
class _Plan:
    entry: Entry
    move: MoveUnderWay
    failed: dict[str, str]


@dataclass(frozen=True, slots=True)
class Mover:
    """Moves one note at a time within its library."""

    records: Records
    place: Callable[[str], str]
    """The absolute path in the trash of a file of that key."""

    def move(self, library: Library, filter: Filter, entry: Entry, to: str, revision: Revision) -> MoveResult:
        """The note is at `to`, a folder or a path that ends like a note's, with its id and its text; every link to it is
        rewritten in its own style, and so are its own that are written as seen from its folder. Files that cannot be
        rewritten stay as they are and are named.

        Raises `VersionConflict`, `SlugCollision` when something is there already, `PathForbidden`, `ReadOnly`, `NotFound`:
        nothing has changed then. After `Unavailable` a move that was begun is carried on with as soon as that is possible.
        """
        if self.records.catalog.scan_state(library.name).finished_at is None:
            self.records.level(library)  # before anybody has to wait for the turn to write
        with self.records.editing(library) as vault:
            self._finish(library, vault)
            for _ in range(TRIES):
                planned = self._plan(library, vault, filter, entry=entry, to=to, revision=revision)
                if planned.move.now == planned.move.was:
                    return MoveResult(entry=planned.entry, was=planned.entry.path)
                if (raw := self._rename(library, vault, filter, planned.move)) is not None:
                    break
            else:
                raise Unavailable(f"'{entry.path}' is being changed by others all the time; try again.")
            with _has_moved(planned.move):
                self._adopt(library, planned.move, raw)
                outcome = rewrite(self.records, library, vault, planned.move)
        warnings = [DISMISSED] if planned.entry.metadata.status is Status.DISMISSED else []
        warnings += self.records.feed(library)
        return MoveResult(
            entry=self.records.catalog.entries([planned.entry.num])[planned.entry.num],
            was=planned.move.was,
            links=outcome.links,
            notes=outcome.files,
            failed=self._seen(filter, planned.failed | outcome.failed),
            warnings=tuple(warnings),
        )

    def finish(self, library: Library) -> None:
        """Carry on with moves that were begun by processes that are no more; leave it to somebody who is at it."""
        if library.read_only or not self.records.ledger.moves(library.name) or self.records.fault() is not None:
            return
        with self.records.locks.editing(library.name, 0) as mine:
            if mine:
                self._finish(library, Guarded(self.records.vault(library.name), library))

    # planning

    def _plan(
        self, library: Library, vault: WritableVault, filter: Filter, *, entry: Entry, to: str, revision: Revision
    ) -> _Plan:
        for _ in range(TRIES):
            self.records.level(library)
            current, raw = self.records.current(library, vault, entry)
            check_belief(current, revision)
            now = vault.spelled(placed(to, posixpath.basename(current.path)))
            moved = replace(current, path=now, metadata=self.records.parse(now, raw).metadata)
            survey = Survey(self.records.catalog, moved)
            if now != current.path:
                self._check_free(library, vault, filter, Moved(current.path, now))
                survey.look(vault, current)
            if not survey.stale:
                break
        move = MoveUnderWay(
            key=uuid.uuid4().hex,
            library=library.name,
            id=current.id,
            was=current.path,
            now=now,
            checksum=raw.checksum,
            shared=survey.shared,
            rewritings=tuple(survey.rewritings),
        )
        return _Plan(current, move, survey.failed)

    def _check_free(self, library: Library, vault: Vault, filter: Filter, path: Moved) -> None:
        """Raises `SlugCollision` when there is a file already, so that one that is there later can only be ours."""
        if fold_case(path.was) != fold_case(path.now) and read_if_there(vault, path.now) is not None:
            taken = SlugCollision(f"There is a file '{path.now}' already; {ADVICE}", existing={"path": path.now})
            raise self.records.in_the_way(taken, library, filter, path.now, ADVICE)

    # carrying out

    def _rename(self, library: Library, vault: WritableVault, filter: Filter, move: MoveUnderWay) -> RawFile | None:
        """The file in its new place; None when it is not what was planned for any more."""
        ledger = self.records.ledger
        ledger.put_move(move)
        try:
            return vault.move(move.was, move.now, move.checksum)
        except VersionConflict:
            ledger.remove_move(move.key)
            return None
        except SlugCollision as taken:
            ledger.remove_move(move.key)
            raise self.records.in_the_way(taken, library, filter, move.now, ADVICE) from None
        except (Refused, NotFound):
            ledger.remove_move(move.key)
            raise

    def _adopt(self, library: Library, move: MoveUnderWay, raw: RawFile) -> None:
        """Catalog and ledger say where the note is, unless they do, or it has moved on."""
        known = self.records.catalog.by_id(move.id, Filter(scopes=(Scope(library=library.name),)))
        if known is None or known.path == move.was:
            self.records.put_elsewhere(library, known.num if known else None, move.id, move.now, raw)

    # what others have begun

    def _finish(self, library: Library, vault: WritableVault) -> None:
        for move in self.records.ledger.moves(library.name):
            try:
                self._carry_on(library, vault, move)
            except TrilithError as failure:  # what stands in the way of an old move must not stop what is asked now
                log.warning("library %s: the move to %s is not at its end: %s", library.name, move.now, failure.message)

    def _carry_on(self, library: Library, vault: WritableVault, move: MoveUnderWay) -> None:
        raw = self._moved(vault, move)
        if raw is None:
            self.records.ledger.remove_move(move.key)
            return
        log.info("library %s: the move of %s to %s is carried on with", library.name, move.was, move.now)
        if raw.checksum in _own_checksums(move):
            self._adopt(library, move, raw)
        if read_if_there(vault, move.was) is not None:
            move = careful(move)
        rewrite(self.records, library, vault, move)

    def _moved(self, vault: WritableVault, move: MoveUnderWay) -> RawFile | None:
        """The file where a move has put it; None when nothing has been touched."""
        present = {note.path for note in vault.walk().notes}
        if move.now not in present:
            return None
        raw = vault.read(move.now)
        if move.was not in present:
            return raw
        if raw.checksum not in _own_checksums(move):
            return None
        former = vault.read(move.was)
        if former.stamp.inode == raw.stamp.inode:
            # Where a rename takes two steps, a kill in between leaves the file with both names.
            vault.remove(move.was, former.checksum, self.place(uuid.uuid4().hex))
        return raw

    def _seen(self, filter: Filter, failed: dict[str, str]) -> tuple[Unfollowed, ...]:
        """Those that the caller may know of."""
        found = {path: self.records.catalog.by_path(path, filter) for path in sorted(failed)}
        return tuple(Unfollowed(entry.id, path, failed[path]) for path, entry in found.items() if entry is not None)


@contextmanager
def _has_moved(move: MoveUnderWay) -> Iterator[None]:
    """Whoever is told that something failed must not take it that the note is where it was."""
    try:
        yield
    except Unavailable as failure:
        raise Unavailable(
            f"'{move.was}' has moved to '{move.now}'; what is left to do is carried on with later. {failure.message}"
        ) from None


def _own_checksums(move: MoveUnderWay) -> tuple[str, ...]:
    """What the moved file holds as long as nobody else has changed it."""
    return (move.checksum, *(each.after for each in move.rewritings if each.path == move.now))
