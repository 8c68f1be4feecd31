"""The two pipes of stdio: one JSON-RPC message a line, and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import BinaryIO

STDIN, STDOUT, STDERR = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Wire:
    """The client's end of stdin and stdout, which nothing else in this process can reach any more."""

    source: BinaryIO
    sink: int

    def send(self, line: bytes) -> None:
        """Write a message and its line end; waits while the client does not read."""
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[os.write(self.sink, rest) :]

    def listen(self, heard: Callable[[bytes | None], None]) -> None:
        """Call `heard` with each line as it comes, and with None at the end, from a thread that keeps nobody alive."""
        Thread(target=self._listen, args=(heard,), name="trilith-stdin", daemon=True).start()

    def _listen(self, heard: Callable[[bytes | None], None]) -> None:
        with suppress(OSError):  # a pipe that breaks has ended
            for line in self.source:
                heard(line)
        heard(None)


def claim() -> Wire:
    """Take stdin and stdout for the protocol.

    What was file descriptor 1 becomes the wire's own, and descriptor 1 leads to stderr from now on: whatever anybody
    prints, in Python, in a native library or in a child process, cannot get between two messages. Stdin is empty for
    everybody else in the same way. Call it before anything that might print is imported.
    """
    sys.stdout.flush()
    _keep_stderr()
    source = open(os.dup(STDIN), "rb", closefd=False)  # noqa: SIM115 - a descriptor, for the process's lifetime
    sink = os.dup(STDOUT)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, STDIN)
    os.close(empty)
    os.dup2(STDERR, STDOUT)
    return Wire(source, sink)


def _keep_stderr() -> None:
    """Stray output needs a place to go, also when we were begun with stderr closed."""
    try:
        os.fstat(STDERR)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != STDERR:
            os.dup2(nowhere, STDERR)
            os.close(nowhere)
