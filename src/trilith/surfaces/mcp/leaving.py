"""When a server goes, and that it does go."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

GRACE_SECONDS = 3.0
"""What a server has to finish a batch and close its files. Whatever stands on disk is right at any moment."""
WATCH_SECONDS = 1.0


def go_within(seconds: float = GRACE_SECONDS) -> None:
    """Let the process end by itself, but not later than `seconds` from now: a thread that is stuck in an engine, or in
    a pipe that nobody reads, must not keep it."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()


def on_signals(leave: Callable[[], None]) -> None:
    """Call `leave` on SIGTERM and SIGINT, on the main thread, between two of its instructions."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        leave()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def on_orphaned(parent: int, leave: Callable[[], None]) -> None:
    """Call `leave` once process `parent` is our parent no more, however long others keep our pipes open.

    Looking is portable and tells processes apart. The signal that Linux offers for it comes when the parent's *thread*
    ends, which clients that start servers from a pool of threads do not survive.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        leave()

    threading.Thread(target=watch, name="trilith-parent", daemon=True).start()
