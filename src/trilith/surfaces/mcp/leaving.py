"""When a server goes, and that it does go."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable

GRACE_SECONDS = 3.0
"""What a server has to finish a batch and close its files. Whatever stands on disk is right at any moment."""
WATCH_SECONDS = 1.0


def go_within(seconds: float = GRACE_SECONDS) -> None:
    """Let the process end by itself, but not later than `seconds` from now: a thread that is stuck in an engine, or in
    a pipe that nobody reads, must not keep it."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()


def on_signals(loop: asyncio.AbstractEventLoop, leave: Callable[[], None]) -> None:
    """Call `leave` in the loop on SIGTERM and SIGINT.

    The loop has to be woken for it: the kernel may give a signal to any thread, and Python's own handlers then wait until
    the main thread, asleep in the loop, has something else to do.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, leave)
        except NotImplementedError:  # Windows, where the loop is woken in any case
            signal.signal(number, lambda _number, _frame: leave())


def on_orphaned(parent: int, leave: Callable[[], None]) -> None:
    """Call `leave`, from another thread, once process `parent` is our parent no more, however long others keep our pipes
    open.

    Looking is portable and tells processes apart. The signal that Linux offers for it comes when the parent's *thread*
    ends, which clients that start servers from a pool of threads do not survive.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        leave()

    threading.Thread(target=watch, name="trilith-parent", daemon=True).start()
