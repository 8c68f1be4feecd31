"""`trilith serve` as a process: how it begins, how it is found, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from tests.doors.command_line import environment, process, until, write_vault

from trilith import __version__
from trilith.settings import DIALECTS
from trilith.surfaces.http.presence import Presence, read, running

SECONDS_TO_GO = 8.0


@contextmanager
def server(*arguments: object, home: Path, **env: str) -> Iterator[tuple[subprocess.Popen[str], Presence]]:
    """A server that has said where it is."""
    command = [sys.executable, "-m", "trilith", "serve", *map(str, arguments)]
    serving = subprocess.Popen(
        command,
        env=environment(home, TRILITH_SEMANTIC="off", **env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        until(lambda: read(home) is not None, serving)
        presence = read(home)
        assert presence is not None
        yield serving, presence
    finally:
        serving.kill()
        serving.communicate()


def ask(presence: Presence, path: str) -> Any:
    connection = HTTPConnection(presence.host, presence.port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def test_it_says_where_it_is_and_what_it_serves(tmp_path: Path, vault: Path) -> None:
    home = tmp_path / "home"
    with server(vault, "--port", "0", home=home) as (serving, presence):
        assert presence.pid == serving.pid
        assert presence.version == __version__
        assert presence.vaults == (str(vault),)
        assert presence.library is None
        assert running(home) == presence
        status, health = ask(presence, "/health")
        assert status == 200
        assert health["pid"] == serving.pid
        serving.send_signal(signal.SIGTERM)
        out, err = serving.communicate(timeout=SECONDS_TO_GO)
    assert out == ""
    base = f"http://127.0.0.1:{presence.port}"
    mcp = ", ".join(f"{base}/mcp/{dialect}" for dialect in DIALECTS)
    assert err == f"Trilith {__version__} serves its page at {base}/, MCP at {mcp} and REST at {base}/api/v1\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_seconds_and_leaves_nothing_behind(tmp_path: Path, vault: Path, number: int) -> None:
    home = tmp_path / "home"
    with server(vault, "--port", "0", home=home) as (serving, presence):
        assert ask(presence, "/api/v1/tags")[0] == 200
        with socket.create_connection((presence.host, presence.port)):  # a client that keeps its connection
            serving.send_signal(number)
            serving.communicate(timeout=SECONDS_TO_GO)
        assert serving.returncode == 0
    assert read(home) is None
    assert running(home) is None


def test_a_killed_server_is_not_taken_for_a_running_one(tmp_path: Path, vault: Path) -> None:
    home = tmp_path / "home"
    with server(vault, "--port", "0", home=home) as (serving, presence):
        serving.kill()
        serving.communicate()
    assert read(home) == presence
    assert running(home) is None
    (home / "serve.json").unlink()
    with server(vault, "--port", "0", home=home) as (_, later):
        assert running(home) == later


def test_a_port_that_is_taken_is_told_at_once(tmp_path: Path, vault: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = process("serve", vault, "--port", port, home=tmp_path / "home")
    assert done.status == 1
    assert done.err.startswith(f"error: Port {port} on 127.0.0.1 is taken.")
    assert "--port 0" in done.err


def test_a_folder_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    done = process("serve", tmp_path / "nowhere", "--port", 0, home=tmp_path / "home")
    assert done.status == 2
    assert "nowhere" in done.err
    assert not (tmp_path / "home" / "serve.json").exists()


def test_a_home_that_cannot_be_written_is_told(tmp_path: Path, vault: Path) -> None:
    (tmp_path / "home").write_text("a file")
    done = process("serve", vault, "--port", 0, home=tmp_path / "home")
    assert done.status != 0
    assert "home" in done.err
    assert "Traceback" not in done.err


def test_without_following_the_files_are_read_once(tmp_path: Path, vault: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from trilith.settings import load\n"
        "from trilith.surfaces.http.server import run\n"
        "sys.exit(run(load(port=0), [Path(sys.argv[1])], None, follow=False))"
    )
    home = tmp_path / "home"
    serving = subprocess.Popen(
        [sys.executable, "-c", code, str(vault)],
        env=environment(home, TRILITH_SEMANTIC="off", TRILITH_RESCAN_SECONDS="0.05"),
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        until(lambda: read(home) is not None, serving)
        presence = read(home)
        assert presence is not None

        def scanned() -> Any:
            return ask(presence, "/api/v1/status")[1]["libraries"][0]["last_scan"]

        until(lambda: bool(ask(presence, "/api/v1/status")[1]["libraries"]) and bool(scanned()), serving)
        (vault / "late.md").write_text("late")
        once = scanned()
        until(lambda: time.time() > (vault / "late.md").stat().st_mtime + 1.0, serving)
        assert scanned() == once
        assert ask(presence, "/api/v1/status")[1]["documents"] == 5
    finally:
        serving.terminate()
        serving.communicate()
