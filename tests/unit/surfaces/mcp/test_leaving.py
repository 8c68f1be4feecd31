"""Processes that end although something in them does not."""

from __future__ import annotations

import subprocess
import sys
import time


def ends_after(code: str) -> tuple[int, float]:
    """Exit status of a Python process, and how long it took after it had said that it was about to end."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    begun = time.monotonic()
    return process.wait(60), time.monotonic() - begun


def test_a_thread_that_is_stuck_does_not_keep_the_process() -> None:
    code = """
import threading
from trilith.surfaces.mcp.leaving import go_within
threading.Thread(target=threading.Event().wait).start()
go_within(0.3)
print("bye", flush=True)
"""
    ended, seconds = ends_after(code)
    assert ended == 0
    assert 0.1 < seconds < 10


def test_a_process_that_can_end_does_not_wait() -> None:
    code = 'from trilith.surfaces.mcp.leaving import go_within; go_within(50); print("bye", flush=True)'
    ended, seconds = ends_after(code)
    assert ended == 0
    assert seconds < 25


def test_an_orphan_notices() -> None:
    child = """
import os, threading
from trilith.surfaces.mcp.leaving import on_orphaned
gone = threading.Event()
on_orphaned(os.getppid(), gone.set)
print("watching", flush=True)
gone.wait()
print("noticed", flush=True)
"""
    parent = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {child!r}])
child.wait()
"""
    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == b"watching\n"
    process.kill()
    assert process.stdout.read() == b"noticed\n"
    process.wait()
