"""Waiting for another program to let go of a file, as virus scanners, indexers and sync programs do on Windows."""

from __future__ import annotations

import time
from collections.abc import Callable

HELD = (32, 33)
"""`ERROR_SHARING_VIOLATION` and `ERROR_LOCK_VIOLATION` of `winerror.h`: somebody has the file open."""
_PERHAPS_HELD = (5, *HELD)
"""`ERROR_ACCESS_DENIED` is also what a rename over an open file gets."""

PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Seconds between two tries."""


def patiently(act: Callable[[], None]) -> None:
    """Do it, and again after each pause while another program holds the file. Raises what the last try does."""
    for pause in PAUSES:
        try:
            return act()
        except OSError as error:
            if windows_code(error) not in _PERHAPS_HELD:
                raise
        time.sleep(pause)
    return act()


def windows_code(error: OSError) -> int | None:
    return getattr(error, "winerror", None)
