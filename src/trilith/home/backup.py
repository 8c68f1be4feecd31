"""A copy of the ledger that is whole while others write to it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from trilith.errors import NotFound, Refused, StartFailure, Unavailable
from trilith.home.reading import open_to_read

PAGES_AT_A_TIME = 256
"""Copied between two chances for writers."""


def back_up(ledger: Path, target: Path, *, overwrite: bool) -> int:
    """Write one file that can be put in the ledger's place; its size in bytes.

    Raises `NotFound` when there is no ledger yet, `Refused` when `target` is there and must not be overwritten,
    `StartFailure` when the ledger is damaged, `Unavailable` when the copy cannot be written. `target` is whole or
    untouched.
    """
    if not ledger.is_file():
        raise NotFound(f"There is no ledger in {ledger.parent} yet, so there is nothing to back up.")
    if target.exists() and not overwrite:
        raise Refused(f"{target} is there already. Give another name, or --force to overwrite it.")
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        _copy(ledger, draft)
        _sync(draft)
        draft.replace(target)
    except OSError as failure:
        raise Unavailable(f"The backup {target} was not written: {failure.strerror}.") from failure
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(ledger: Path, draft: Path) -> None:
    with contextlib.closing(open_to_read(ledger)) as source, contextlib.closing(sqlite3.connect(draft)) as copy:
        try:
            source.backup(copy, pages=PAGES_AT_A_TIME)
            # One file that stands alone, without a log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
            (found,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as failure:
            raise _failed(ledger, str(failure)) from failure
    if found != "ok":
        raise _failed(ledger, found)


def _failed(ledger: Path, why: str) -> StartFailure:
    return StartFailure(
        f"The ledger {ledger} cannot be copied: {why}. No backup was written; earlier ones are untouched."
    )


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
