"""The command line as a test uses it: in this process for most, as a process of its own where that matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from trilith.surfaces.cli.main import run

PATIENCE = 60.0


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """Runs commands in this process, on a home of the test's own, without any setting from outside."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capsys = capsys
        for name in [name for name in os.environ if name.startswith("TRILITH_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("TRILITH_HOME", str(home))

    def __call__(self, *arguments: object) -> Done:
        self._capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Done(status, captured.out, captured.err)


def process(*arguments: object, home: Path, within: Sequence[str] = (), **keywords: Any) -> Done:
    """The same as a process of its own; `within`: a command that starts it."""
    done = subprocess.run(
        [*within, sys.executable, "-m", "trilith", *map(str, arguments)],
        env=environment(home, **keywords.pop("env", {})),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        **keywords,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRILITH_")}
    return {**kept, "TRILITH_HOME": str(home), **more}


@contextmanager
def serving(
    *arguments: object, home: Path, ready: Callable[[dict[str, Any]], bool], within: Sequence[str] = (), **env: str
) -> Iterator[str]:
    """A `trilith serve` on a free port, once `ready` says of its status that it is so far; its address.

    `within`: a command that starts it.
    """
    import http.client

    command = [*within, sys.executable, "-m", "trilith", "serve", *map(str, arguments), "--port", "0"]
    server = subprocess.Popen(command, env=environment(home, **env), stderr=subprocess.PIPE, encoding="utf-8")
    try:
        notice = home / "serve.json"
        until(notice.exists, server)
        said = json.loads(notice.read_text(encoding="utf-8"))

        def is_ready() -> bool:
            connection = http.client.HTTPConnection(said["host"], said["port"], timeout=5)
            try:
                connection.request("GET", "/api/v1/status", headers={"Authorization": f"Bearer {said['secret']}"})
                return ready(json.loads(connection.getresponse().read()))
            except OSError:
                return False
            finally:
                connection.close()

        until(is_ready, server)
        yield f"http://{said['host']}:{said['port']}"
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)


def until(condition: Callable[[], bool], server: subprocess.Popen[str]) -> None:
    """Wait for a condition; fail when the server ends before."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if server.poll() is not None:
            raise AssertionError(f"the server has ended: {server.communicate()[1]}")
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def indexed(status: dict[str, Any]) -> bool:
    """Every note is in full text."""
    return bool(status["libraries"]) and all(
        library["last_scan"] and not library["pending"]["fulltext"] for library in status["libraries"]
    )


def write_vault(root: Path) -> Path:
    """Five notes: two that link to each other, one with properties, one in a folder, one that is stale."""
    notes = {
        "asyncio.md": (
            "---\nid: f47ac10b-58cc-4372-a567-0e02b2c3d479\ntitle: Gather patterns\nauthor: ann\ntags: [python, async/io]\n"
            "updated_at: 2026-03-18T14:30:00Z\n---\nUse `asyncio.gather()` to run coroutines concurrently. See [[loop]].\n"
        ),
        "loop.md": "# The event loop\n\nOne loop runs all tasks. Back to [[asyncio]], on to [[nowhere]].\n",
        "bread.md": (
            "---\ntitle: Sourdough\nauthor: bob\nmood: calm\nproject: {phase: 2}\nupdated_at: 2025-01-01\n---\n"
            "Flour, water, salt and a lively starter.\n"
        ),
        "procedures/backup.md": "---\ntags: [python]\n---\n# Backups\n\nCopy the ledger every night, then restore it once.\n",
        "old.md": "---\ntitle: Old prices\nexpires_at: 2020-01-01\n---\nFlour costs little.\n",
    }
    for name, text in notes.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
