"""Hears of changes in vaults: by events where the system gives them, else by the clock.

One watcher hears for all roots. On Linux it is given each folder that a walk enters, for a recursive one would follow
links out of the vault, hear of every object in `.git`, and stop at the first folder that it may not read.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from trilith.ports.vault import WatchMode
from trilith.vault.heard import Ground, calls_for_a_survey
from trilith.vault.survey import BY_FOLDER, Watched, identity_of, survey

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

log = logging.getLogger(__name__)

QUIET_MS = 50
"""A burst has settled when nothing has come for so long..."""
BURST_MS = 500
"""...or when it has gone on for so long."""
LOOK_SECONDS = 5.0
"""Between two looks at the roots: whether they are there, and what has changed where there are no events."""
CALL_SECONDS = 0.25
"""Between two looks at whether `wake` was called while events are listened for: whoever interrupts a listener loses what it
has heard."""
NAMED = 64
"""Paths of one root in a burst; more are not named one by one."""
_TRIES = 3
"""Folders may go while they are counted; more often than this in a row is no chance."""
_FAILURES = (OSError, RuntimeError, UnicodeError)
"""How listening is refused: limits and rights, an instance too many, a name that is no text."""

Notify = Callable[[list[str]], "RustNotify"]
Said = set[tuple[int, str]] | str
"""Kinds and paths of what has happened, or why listening has ended without anything."""


def listening(folders: list[str]) -> RustNotify:
    """Begin to hear of changes in these folders. Raises one of `_FAILURES`."""
    from watchfiles._rust_notify import RustNotify  # only a process that follows files needs it

    return RustNotify(
        folders,
        debug=False,
        force_polling=False,
        poll_delay_ms=0,
        recursive=not BY_FOLDER,
        ignore_permission_denied=False,
    )


class FolderWatcher:
    """Implements `ports.Watcher`. `wait` is for one thread at a time, the rest for any.

    A root is also named by `wait` when watching it begins, and when it vanishes, comes back or becomes another folder.

    Args:
        roots: absolute paths; asked anew at each look, so that they may come and go.
        excluded: absolute paths of folders that are none of the vaults', as Trilith's home.
        polling: events are not wanted.
        look_seconds: between two looks; each of them names the roots that give no events.
        notify: what begins to hear of changes.
    """

    def __init__(
        self,
        roots: Callable[[], Collection[str]],
        excluded: frozenset[str] = frozenset(),
        *,
        polling: bool = False,
        look_seconds: float = LOOK_SECONDS,
        notify: Notify = listening,
    ) -> None:
        self._wanted = roots
        self._excluded = frozenset(os.path.realpath(os.fsencode(path)) for path in excluded)
        self._polling = polling
        self._look_seconds = look_seconds
        self._listening = notify
        self._stopped = threading.Event()
        self._woken = threading.Event()
        self._roots: Mapping[str, Watched] = {}
        self._next_look = 0.0
        self._notify: RustNotify | None = None
        self._named: dict[str, frozenset[str] | None] = {}

    def wait(self, seconds: float) -> frozenset[str]:
        deadline = time.monotonic() + seconds
        changed: frozenset[str] = frozenset()
        self._named = {}
        while not changed and not self._stopped.is_set():
            if time.monotonic() >= self._next_look:
                self._next_look = time.monotonic() + self._look_seconds
                changed = self._look()
            if not changed:
                changed = self._hear(min(deadline, self._next_look) - time.monotonic())
            if time.monotonic() >= deadline or self._woken.is_set():
                break
        self._woken.clear()
        if self._stopped.is_set():
            self._begin_anew()
            return frozenset()
        return changed

    def named(self, root: str) -> frozenset[str] | None:
        return self._named.get(root)

    def wake(self) -> None:
        self._woken.set()

    def stop(self) -> None:
        self._stopped.set()
        self._woken.set()

    def mode(self, root: str) -> WatchMode:
        known = self._roots.get(root)
        if known is None:
            return WatchMode.OFF
        return WatchMode.EVENTS if known.ground.folders else WatchMode.POLLING

    def problem(self, root: str) -> str | None:
        known = self._roots.get(root)
        return known.problem if known else None

    def _look(self) -> frozenset[str]:
        """The roots that have come, gone or become other folders since the last look, and those that give no events."""
        roots = {}
        for root in self._wanted():
            identity, known = identity_of(root), self._roots.get(root)
            roots[root] = known if known and known.identity == identity else self._survey(root, identity)
        new = {root for root, known in roots.items() if known is not self._roots.get(root)}
        polled = {root for root, known in roots.items() if known.identity and not known.ground.folders}
        heard: frozenset[str] = frozenset()
        if new or len(roots) != len(self._roots):
            heard = self._heard(self._watch(roots))
        self._named.update(dict.fromkeys(new | polled))
        return heard | new | polled

    def _survey(self, root: str, identity: tuple[int, int] | None) -> Watched:
        found = Watched(identity) if self._polling else survey(root, identity, self._excluded)
        return replace(found, problem=self._polled(found.problem)) if found.problem else found

    def _polled(self, problem: str) -> str:
        return f"{problem} It is looked over every {self._look_seconds:g} seconds instead."

    def _hear(self, seconds: float) -> frozenset[str]:
        if self._notify is None:
            self._woken.wait(max(seconds, 0))
            return frozenset()
        patience = 0.0 if self._woken.is_set() else min(seconds, CALL_SECONDS)
        try:
            return self._heard(self._notify.watch(BURST_MS, QUIET_MS, max(int(patience * 1000), 1), self._stopped))
        except RuntimeError as error:
            # A name that is no text breaks it for good. What else was heard with it is lost: all roots are new then.
            log.info("watching begins anew: %s", error)
            self._begin_anew()
            return frozenset()

    def _heard(self, said: Said) -> frozenset[str]:
        """The roots that events belong to. Folders that have come are listened to from now on."""
        changed: set[str] = set()
        while not isinstance(said, str):
            paths = {root: _paths_in(known.ground, said) for root, known in self._roots.items()}
            for root, of_root in paths.items():
                if of_root:
                    self._named[root] = None if root in changed else _relative(root, of_root)
            changed.update(root for root, of_root in paths.items() if of_root)
            grown = [root for root, of_root in paths.items() if BY_FOLDER and calls_for_a_survey(of_root)]
            if not grown:
                break
            self._named.update(dict.fromkeys(grown))
            surveyed = {root: self._survey(root, self._roots[root].identity) for root in grown}
            said = self._watch({**self._roots, **surveyed})
        if said == "signal":
            raise KeyboardInterrupt
        return frozenset(changed)

    def _watch(self, roots: Mapping[str, Watched]) -> Said:
        """Listen to these roots from now on; what the former listener has heard and not told yet."""
        former = self._notify
        self._roots = roots
        self._notify = self._begin()
        return former.watch(1, 1, 1, None) if former else "timeout"

    def _begin(self) -> RustNotify | None:
        """One listener for all roots; those that it cannot be had for are looked over instead."""
        for _ in range(_TRIES):
            try:
                return self._listen(self._roots.values())
            except FileNotFoundError:
                self._roots = {root: self._survey(root, known.identity) for root, known in self._roots.items()}
            except _FAILURES:
                break
        notify, accepted = None, list[Watched]()
        for root, known in self._roots.items():
            try:
                notify = self._listen([*accepted, known])
                accepted.append(known)
            except _FAILURES as error:
                problem = self._polled(explained(error))
                log.warning("%s: %s", root, problem)
                self._roots = {**self._roots, root: Watched(known.identity, problem=problem)}
        return notify

    def _listen(self, roots: Iterable[Watched]) -> RustNotify | None:
        folders = frozenset[str]().union(*(known.ground.folders for known in roots))
        return self._listening(sorted(folders)) if folders else None

    def _begin_anew(self) -> None:
        self._roots, self._notify, self._next_look = {}, None, 0.0


def explained(error: Exception) -> str:
    """Why there are no events, and what to do about it."""
    text = str(error)
    if "MaxFilesWatch" in text or "os error 28" in text:
        return (
            "The system's limit of watched folders is reached. Raise it with"
            " `sysctl -w fs.inotify.max_user_watches=524288`, keep it in /etc/sysctl.d, and start Trilith again."
        )
    if "os error 24" in text:
        return (
            "The system's limit of watching programs, or of open files, is reached. Raise it with"
            " `sysctl -w fs.inotify.max_user_instances=1024` or `ulimit -n`, and start Trilith again."
        )
    return f"The system gives no events here: {text}."


def _relative(root: str, paths: Collection[str]) -> frozenset[str] | None:
    """Paths below the root; None when there are so many that it is quicker to look over everything, or others."""
    above = f"{os.path.realpath(root).rstrip(os.sep)}{os.sep}"
    if len(paths) > NAMED or not all(path.startswith(above) for path in paths):
        return None
    return frozenset(path.removeprefix(above).replace(os.sep, "/") for path in paths)


def _paths_in(ground: Ground, said: Iterable[tuple[int, str]]) -> set[str]:
    return {path for _, path in said if ground.covers(path)}
