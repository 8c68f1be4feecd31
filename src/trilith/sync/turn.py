"""The right to change catalog and views, for the length of one batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trilith.errors import Unavailable
from trilith.ports import Locks

PATIENCE = 30.0
"""Seconds to wait for another's batch to end; a batch takes well under one."""


@contextmanager
def writing(locks: Locks) -> Iterator[None]:
    """Hold the writing turn. Raises `Unavailable` when another process does not give it up."""
    with locks.writing(PATIENCE) as mine:
        if not mine:
            raise Unavailable("Another process has been writing to the index for too long; try again.")
        yield
