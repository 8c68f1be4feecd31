"""Turns between processes and threads: locks that the kernel holds on files below home, so that a killed holder frees
them. The files themselves stay; they are empty."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from trilith.errors import Unavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FIRST_PAUSE = 0.001
_LONGEST_PAUSE = 0.005
"""Seconds between two looks at a lock that another process holds."""


class FileLocks:
    """Implements `ports.Locks` with one file per turn in `folder`, which must exist.

    No turn may be taken twice by one thread: the second asking fails like a stranger's. Asking raises `Unavailable` where
    home has a `fault` that forbids writing, or the file of a turn cannot be had.
    """

    def __init__(self, folder: Path, fault: str | None = None) -> None:
        self._folder = folder
        self._fault = fault
        # Not every file system tells two threads of a process apart; a lock in memory does, and wakes waiters at once.
        self._threads: dict[str, threading.Lock] = {}

    def writing(self, timeout: float) -> AbstractContextManager[bool]:
        return self._turn("writing", timeout)

    def scanning(self, library: str) -> AbstractContextManager[bool]:
        return self._turn(f"scanning-{_file_name(library)}", 0)

    def embedding(self) -> AbstractContextManager[bool]:
        return self._turn("embedding", 0)

    def training(self) -> AbstractContextManager[bool]:
        return self._turn("training", 0)

    def feeding(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        return self._turn(f"feeding-{_file_name(library)}", timeout)

    def editing(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        return self._turn(f"editing-{_file_name(library)}", timeout)

    @contextmanager
    def _turn(self, name: str, timeout: float) -> Iterator[bool]:
        if self._fault is not None:
            raise Unavailable(self._fault)
        deadline = time.monotonic() + timeout
        thread = self._threads.setdefault(name, threading.Lock())
        if not thread.acquire(timeout=max(timeout, 0)):
            yield False
            return
        try:
            descriptor = self._opened(f"{name}.lock")
            try:
                yield _acquire(descriptor, deadline)
            finally:
                os.close(descriptor)
        finally:
            thread.release()

    def _opened(self, name: str) -> int:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)  # somebody may have cleared home
            return os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as failure:
            raise Unavailable(f"{self._folder / name} cannot be opened: {failure.strerror}.") from failure


def _file_name(library: str) -> str:
    """Any name, as one that every disk takes."""
    return hashlib.sha256(library.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _acquire(descriptor: int, deadline: float) -> bool:
    """Lock a file, looking again until the deadline. Closing it unlocks it."""
    pause = _FIRST_PAUSE
    while not _try(descriptor):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_PAUSE)
    return True


if sys.platform == "win32":

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
