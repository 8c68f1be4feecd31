"""`trilith mcp` with nothing between it and the test: lines in, lines out."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.doors.command_line import environment

PATIENCE = 60.0


def initialize(version: str = "2025-11-25") -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(tool: str, number: int = 1, /, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


class Lines:
    """What comes out of a pipe, line by line, as it comes; None at its end."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, args=(pipe,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def next(self, seconds: float = PATIENCE) -> bytes | None:
        return self._lines.get(timeout=seconds)

    def rest(self, seconds: float = PATIENCE) -> list[bytes]:
        """All lines up to the end of the pipe, which has to come within so many seconds of the line before."""
        lines = []
        while (line := self.next(seconds)) is not None:
            lines.append(line)
        return lines


class StdioClient:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._stdin = process.stdin
        self.lines = Lines(process.stdout)

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            self._stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self._stdin.flush()

    def hear(self) -> dict[str, Any]:
        line = self.lines.next()
        assert line is not None, "the server has hung up"
        heard = json.loads(line)
        assert isinstance(heard, dict)
        return heard

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.say(message)
        return self.hear()

    def greet(self, version: str = "2025-11-25") -> dict[str, Any]:
        answer = self.ask(initialize(version))
        self.say(INITIALIZED)
        return answer

    def hang_up(self) -> None:
        self._stdin.close()


@contextmanager
def piped(command: Sequence[str], home: Path, **keywords: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A server begun by `command`, killed at the end if it has not ended by itself."""
    keywords = {"env": environment(home), "stderr": subprocess.DEVNULL, **keywords}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **keywords)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def started(command: Sequence[str], home: Path, **keywords: Any) -> Iterator[StdioClient]:
    """The same, with a client that reads whatever comes."""
    with piped(command, home, **keywords) as process:
        yield StdioClient(process)


def command(vault: Path) -> list[str]:
    return [sys.executable, "-m", "trilith", "mcp", str(vault)]
