"""Has inverted lists made in the background, one at a time in all processes that share a home."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from trilith.errors import TrilithError

log = logging.getLogger(__name__)

PAUSE = 600.0
"""Seconds before a failed build is tried again."""

Lease = Callable[[], AbstractContextManager[bool]]


class Builder:
    """Runs `building` in a process of low priority.

    A thread would hold the interpreter again and again, and a thread of low priority would hold it for as long as the machine
    has other work.

    Args:
        lease: yields whether this process may build (`Locks.training`).
        large: rows from which on a library has lists.
        threads: threads of the build.
    """

    def __init__(self, lease: Lease, large: int, threads: int) -> None:
        self._lease = lease
        self._large = large
        self._threads = threads
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._again_at = float("-inf")

    def start(self, folder: Path) -> None:
        """Begin to make the lists of the cache in `folder`, unless this process is at some already. Returns at once."""
        with self._starting:
            if self._closed or self._is_busy() or time.monotonic() < self._again_at:
                return
            self._thread = threading.Thread(target=self._run, args=(folder,), name="trilith-lists", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether what has been started has come to an end within so many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)
        return not self._is_busy()

    def close(self) -> None:
        """End the build under way; what it has written does not count."""
        with self._starting:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _is_busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _run(self, folder: Path) -> None:
        try:
            with self._lease() as mine:
                if mine:
                    self._build(folder)
        except (TrilithError, OSError) as failure:
            self._fail(str(failure))

    def _build(self, folder: Path) -> None:
        begun = time.monotonic()
        with self._starting:
            if self._closed:
                return
            self._process = subprocess.Popen(
                [sys.executable, "-m", "trilith.index.vector.building", folder, str(self._large), str(self._threads)],
                stdin=subprocess.PIPE,  # its end is the end of the build, too
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
            )
        with self._process as process:
            assert process.stderr is not None
            said = process.stderr.read()
            status = process.wait()
        if status == 0:
            log.info("inverted lists made in %.0f s", time.monotonic() - begun)
        elif not self._closed:
            self._fail(said.decode(errors="replace").strip().rpartition("\n")[2] or f"exit status {status}")

    def _fail(self, reason: str) -> None:
        log.warning("inverted lists cannot be made now; vectors are scanned one by one: %s", reason)
        self._again_at = time.monotonic() + PAUSE
