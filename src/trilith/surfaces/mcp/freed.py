"""What was freed goes back to the system, as far as the C library can be told to."""

from __future__ import annotations

import ctypes
import os
import sys

ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1
"""Names of options of glibc's `mallopt`."""
LARGE = 1 << 20
"""Bytes from which a block is mapped by itself, and gone once it is freed. No search needs one."""
KEPT = 8 * LARGE
"""Bytes that stay at the end of a heap for those who come next: what one search takes and frees, and more."""


def give_back() -> None:
    """Have this process keep little of what it has freed.

    Left alone, glibc makes eight heaps for each core, one for nearly every thread, and keeps ever larger blocks in them: a
    server that had loaded its model and answered eight clients held 25 MB of nothing. Elsewhere nothing is changed.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return
    mallopt(ARENA_MAX, max(2, os.cpu_count() or 1))
    mallopt(MMAP_THRESHOLD, LARGE)
    mallopt(TRIM_THRESHOLD, KEPT)
