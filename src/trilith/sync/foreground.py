"""Is somebody waiting for an answer? Work that nobody waits for gives way then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from trilith.ports.surroundings import Clock

QUIET = 0.05
"""Seconds without a call after which nobody is waiting: calls that follow each other closer are one piece of work."""


@dataclass(slots=True)
class Foreground:
    """The calls under way in this process."""

    clock: Clock
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _calls: int = 0
    _left: float = float("-inf")

    @contextmanager
    def working(self) -> Iterator[None]:
        """A call, from its arguments to its answer."""
        with self._lock:
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
                self._left = self.clock.monotonic()

    def is_quiet(self) -> bool:
        with self._lock:
            return not self._calls and self.clock.monotonic() - self._left >= QUIET
