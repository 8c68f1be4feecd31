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
    """Scans, feeds and embeds in the background; `problem` holds what each library last failed with."""

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
            for library in self.libraries():
                self._guarded(library.name, lambda library=library: self.indexer.refresh(library))  # type: ignore[misc]
            if not self._embed():
                self._stop.wait(self.rescan_seconds)

    def _embed(self) -> bool:
        """Embed for at most one rescan interval; whether more is waiting."""
        more = False
        for library in self.libraries():
            more |= bool(self._guarded(library.name, lambda library=library: self._some(library)))  # type: ignore[misc]
        return more

    def _some(self, library: Library) -> bool:
        return self.indexer.feeder.embed_some(library.name) > 0 and not self._stop.is_set()

    def _guarded(self, library: str, work: Callable[[], object]) -> object:
        """A library that fails must not keep the others from being followed: its failure is kept for `status`."""
        try:
            result = work()
        except TrilithError as failure:
            if self.problems.get(library) != failure.message:
                log.warning("library %s: %s", library, failure.message)
            self.problems[library] = failure.message
            return None
        except Exception as failure:
            log.exception("library %s", library)
            self.problems[library] = f"{type(failure).__name__}: {failure}"
            return None
        self.problems.pop(library, None)
        return result
