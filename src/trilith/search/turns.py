"""Whose turn is it to search? More searches at once than processors get in each other's way: Python's lock goes to and fro
between their threads, and each takes twice the work (eight clients: 49 searches a second without turns, 83 with)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 0.25
"""Seconds after which a search begins all the same: those that have a turn may be slow ones."""


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Turns:
    """As many at once as there are processors."""

    def __init__(self, most: int | None = None) -> None:
        self._free = threading.Semaphore(most or processors())
        self._counting = threading.Lock()
        self._inside = 0

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Holds a turn; whether nobody else searches or waits now."""
        with self._counting:
            self._inside += 1
            alone = self._inside == 1
        mine = False
        try:
            mine = self._free.acquire(timeout=PATIENCE)
            yield alone
        finally:
            if mine:
                self._free.release()
            with self._counting:
                self._inside -= 1
