"""The right to change the catalog, or to feed the views of a library from it, for the length of one batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trilith.errors import Unavailable
from trilith.ports.surroundings import Locks

PATIENCE = 30.0
"""Seconds to wait for another's batch to end; a batch takes well under one."""


@contextmanager
def feeding(locks: Locks, library: str) -> Iterator[None]:
    """Hold the turn to feed the views of a library. Raises `Unavailable` when another process does not give it up."""
    with locks.feeding(library, PATIENCE) as mine:
        if not mine:
            raise Unavailable(f"Another process has been feeding the index of '{library}' for too long; try again.")
        yield


@contextmanager
def writing(locks: Locks) -> Iterator[None]:
    """Hold the writing turn. Raises `Unavailable` when another process does not give it up."""
    with locks.writing(PATIENCE) as mine:
        if not mine:
            raise Unavailable("Another process has been writing to the index for too long; try again.")
        yield
