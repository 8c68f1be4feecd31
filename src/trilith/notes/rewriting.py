"""After a note has moved: one file after another is rewritten as it was planned, whatever has been done already."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace

from trilith.errors import TrilithError, Unavailable, VersionConflict
from trilith.model.principal import Library
from trilith.notes.change import decoded
from trilith.notes.following import carry_out
from trilith.notes.records import Records
from trilith.notes.writer import TRIES
from trilith.ports.ledger import MoveUnderWay, Rewriting
from trilith.ports.vault import RawFile, WritableVault

log = logging.getLogger(__name__)

BATCH = 128
"""Files rewritten before they are recorded together."""


@dataclass(slots=True)
class Outcome:
    """What became of the links. `failed` tells, by path, why links of a file stay as they are; `later` is what may yet be
    done, as when a disk is full."""

    links: int = 0
    files: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    later: list[Rewriting] = field(default_factory=list)


def rewrite(records: Records, library: Library, vault: WritableVault, move: MoveUnderWay) -> Outcome:
    """Every file of the plan is rewritten and recorded, or told of; the plan goes, but for what may be done later.

    Raises `Unavailable` when the index cannot follow: the plan stays then.
    """
    outcome = Outcome()
    for start in range(0, len(move.rewritings), BATCH):
        batch = move.rewritings[start : start + BATCH]
        found = {each.path: _rewrite(vault, move, each, outcome) for each in batch}
        records.put_relinked(library, {path: raw for path, raw in found.items() if raw is not None})
    if outcome.later:
        records.ledger.put_move(replace(move, rewritings=tuple(outcome.later)))
    else:
        records.ledger.remove_move(move.key)
    return outcome


def _rewrite(vault: WritableVault, move: MoveUnderWay, rewriting: Rewriting, outcome: Outcome) -> RawFile | None:
    """The file with its links rewritten, by whomever; None when that cannot be."""
    try:
        raw, links = _rewritten(vault, move, rewriting)
    except Unavailable as failure:
        outcome.failed[rewriting.path] = f"{failure.message} It is tried again later."
        outcome.later.append(rewriting)
        return None
    except TrilithError as failure:
        log.warning("library %s: links in %s do not follow: %s", move.library, rewriting.path, failure.message)
        outcome.failed[rewriting.path] = failure.message
        return None
    outcome.links += links
    outcome.files += links > 0
    return raw


def _rewritten(vault: WritableVault, move: MoveUnderWay, rewriting: Rewriting) -> tuple[RawFile, int]:
    """The file as it is now, and how many links were rewritten."""
    for _ in range(TRIES):
        raw = vault.read(rewriting.path)
        text = decoded(raw.data, rewriting.path)
        followed = carry_out(text, raw.checksum, rewriting, move)
        if followed.text == text:
            return raw, 0
        try:
            return vault.replace(rewriting.path, followed.text.encode(), raw.checksum), followed.links
        except VersionConflict:
            continue
    raise Unavailable("It is being changed by others all the time.")
