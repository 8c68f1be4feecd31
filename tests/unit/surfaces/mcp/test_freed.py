"""Large blocks go back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

KEEPING = """
import resource, sys
from trilith.surfaces.mcp.freed import give_back

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20

if "told" in sys.argv:
    give_back()
bytes(bytearray(16 << 20))  # from here on glibc by itself keeps blocks of this size
before = resident()
large, between = [], []
for _ in range(40):
    large.append(b"x" * (2 << 20))
    between.append(b"y" * (64 << 10))
del large
print(resident() - before)
"""
GLIBC = platform.libc_ver()[0] == "glibc"


def kept(*arguments: str) -> int:
    """Megabytes that a process holds of 80 that it has freed between others."""
    done = subprocess.run([sys.executable, "-c", KEEPING, *arguments], check=True, capture_output=True, text=True)
    return int(done.stdout)


def test_what_was_freed_between_other_blocks_goes_back() -> None:
    assert not GLIBC or kept("told") < 20 < kept()
