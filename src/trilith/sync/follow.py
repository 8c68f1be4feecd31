"""Keeps the index level with the files while a server runs, on a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from trilith.errors import TrilithError
from trilith.model.principal import Library
from trilith.sync.indexer import Indexer

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Follower:
    """Scans, feeds and embeds in the background; `problems` holds what it last failed at."""

    indexer: Indexer
    libraries: Callable[[], tuple[Library, ...]]
    rescan_seconds: float
    problems: dict[str, str] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="trilith-follow", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Ask for the end and wait for the batch under way; a killed thread would leave nothing broken either."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stop.is_set():
            more = False
            for library in self.libraries():
                self._guarded(library, library.name, self.indexer.refresh)
                more |= bool(self._guarded(library, f"{library.name}: embedding", self._embed_some))
            if not more:
                self._stop.wait(self.rescan_seconds)

    def _embed_some(self, library: Library) -> int:
        return 0 if self._stop.is_set() else self.indexer.feeder.embed_some(library.name)

    def _guarded(self, library: Library, task: str, work: Callable[[Library], object]) -> object:
        """A library or a model that fails must not keep the rest from being followed: it is kept for `status`."""
        try:
            result = work(library)
        except TrilithError as failure:
            self._note(task, failure.message)
            return None
        except Exception as failure:  # a follower that died in silence would leave the index stale for ever
            log.exception("%s", task)
            self._note(task, f"{type(failure).__name__}: {failure}")
            return None
        self.problems.pop(task, None)
        return result

    def _note(self, task: str, message: str) -> None:
        if self.problems.get(task) != message:
            log.warning("library %s: %s", task, message)
        self.problems[task] = message
