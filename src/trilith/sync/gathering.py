"""Several writes at once are taken over in one batch: a commit costs the same for one note and for ten."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LONGEST = 0.05
"""Seconds that a batch waits for writes that are under way."""


@dataclass(slots=True)
class Gathering:
    """The writes of this process that have not come to the index yet."""

    _writes: int = 0
    _ended: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A write that has its turn, until the catalog has it."""
        with self._ended:
            self._writes += 1
        try:
            yield
        finally:
            with self._ended:
                self._writes -= 1
                self._ended.notify_all()

    def wait(self) -> None:
        """Until no write is under way, or for too long."""
        with self._ended:
            self._ended.wait_for(lambda: not self._writes, LONGEST)
