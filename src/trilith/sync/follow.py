"""Keeps the index level with the files while a server runs, on a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from trilith.errors import TrilithError
from trilith.model.principal import Library
from trilith.ports.vault import Watcher, WatchMode
from trilith.sync.foreground import Foreground
from trilith.sync.indexer import Indexer

log = logging.getLogger(__name__)

Result = TypeVar("Result")

BREATH = 5.0
"""Seconds without news after which what has failed, or was left to another process, is tried again."""
POLL = 0.05
TURNS = 20
"""Seconds between two tries to look at single files while another process looks, and how many."""
SHARE = 0.003
"""Of the time of one core that looking for lost events may take, while none gets lost."""
LONGEST = 900.0
"""Seconds that such an event may stay unknown at most, however long a look takes."""


GLANCE = 0.05
GIVEN_WAY = 1.0
"""Seconds between two looks whether somebody still waits for an answer, and that making vectors waits for that at most."""


@dataclass(slots=True)
class Follower:
    """Scans, feeds and embeds in the background; `problems` holds what it last failed at.

    What full text needs it does at once. Chunks and vectors give way to whoever waits for an answer; where somebody always
    does they get a batch a second.

    A vault is looked over when the watcher names its root, and now and then in any case: events get lost. See `pause`.
    """

    indexer: Indexer
    libraries: Callable[[], tuple[Library, ...]]
    watcher: Watcher
    tidy: Callable[[Library], object]
    """Clears the vault of a library of what killed writers have left in it."""
    rescan_seconds: float
    foreground: Foreground
    tend: Callable[[str], object]
    """Sees to what a large library needs to be searched fast, in the background; returns at once."""
    clock: Callable[[], float] = time.monotonic
    problems: dict[str, str] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)
    _worked: float = float("-inf")
    """When chunks or vectors were last seen to."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="trilith-follow", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        """Something has been written that waits for its vectors."""
        self.watcher.wake()

    def stop(self, timeout: float = 5.0) -> None:
        """Ask for the end and wait for the batch under way; a killed thread would leave nothing broken either."""
        self._stop.set()
        self.watcher.stop()
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        seconds = 0.0  # the watcher listens before the first look, so that nothing falls between the two
        while not self._stop.is_set():
            more = self._guarded("every library: following", partial(self._round, seconds))
            if more is None:
                self._stop.wait(BREATH)
            seconds = GLANCE if self._gives_way() else 0.0 if more else min(BREATH, self.rescan_seconds)

    def _gives_way(self) -> bool:
        return not self.foreground.is_quiet() and self.clock() - self._worked < GIVEN_WAY

    def _round(self, seconds: float) -> bool:
        """Wait for news, then see to all libraries; whether more is to be embedded."""
        changed = self.watcher.wait(seconds)
        for library in self.libraries():
            if library.name not in self._due:
                self._guarded(f"{library.name}: leftovers", partial(self.tidy, library))
            if self.clock() >= self._due.get(library.name, 0.0):
                self._refresh(library)
            elif library.root in changed:
                self._follow(library, self.watcher.named(library.root))
        return self._deepen() if not self._gives_way() else True

    def _deepen(self) -> bool:
        """Feed the chunks and embed some; whether more is to be embedded."""
        more = False
        for library in self.libraries():
            self._guarded(f"{library.name}: chunks", partial(self._feed_chunks, library))
            more |= bool(self._guarded(f"{library.name}: embedding", partial(self._embed_some, library)))
        self._worked = self.clock()
        return more

    def _follow(self, library: Library, paths: frozenset[str] | None) -> None:
        """See to the files in which something was heard, or to all."""
        for _ in range(TURNS if paths is not None else 0):
            report = self._guarded(library.name, partial(self.indexer.follow, library, paths or ()))
            if report is None or self._stop.is_set():
                break
            if report.mine:
                return
            self._stop.wait(POLL)  # another process, which may have looked too early
        self._refresh(library)

    def _refresh(self, library: Library) -> None:
        if self._stop.is_set():
            return
        begun = self.clock()
        report = self._guarded(library.name, partial(self.indexer.refresh, library))
        ended = self.clock()
        if report is None or not report.mine:
            self._due[library.name] = ended + BREATH
            return
        heard = self.watcher.mode(library.root) is WatchMode.EVENTS
        quiet = heard and not (report.put or report.dropped)
        self._due[library.name] = ended + pause(self.rescan_seconds, ended - begun, quiet=quiet)

    def _feed_chunks(self, library: Library) -> None:
        if not self._stop.is_set():
            self.indexer.feeder.feed_fulltext(library.name)  # which may have turned out to be damaged
            self.indexer.feeder.feed_chunks(library.name)

    def _embed_some(self, library: Library) -> int:
        if self._stop.is_set():
            return 0
        self.indexer.feeder.feed_vectors(library.name)
        self.tend(library.name)
        return self.indexer.feeder.embed_some(library.name)

    def _guarded(self, task: str, work: Callable[[], Result]) -> Result | None:
        """A library or a model that fails must not keep the rest from being followed: it is kept for `status`."""
        try:
            result = work()
        except (TrilithError, OSError) as failure:
            self._note(task, str(failure))
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


def pause(rescan_seconds: float, took: float, *, quiet: bool) -> float:
    """Seconds until the next look over a vault, after one that took so many.

    Where events come, and there was nothing that they had not told of (`quiet`), a look that takes long comes seldom: it may
    have `SHARE` of the time, and the pause grows up to `LONGEST`.
    """
    return max(rescan_seconds, min(took / SHARE, LONGEST)) if quiet else rescan_seconds
