"""`serve.json`: there while a server runs, believed only while it answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tests.faults import file_size_limit

from trilith.errors import StartFailure
from trilith.surfaces.http.presence import FILE, Presence, announced, read, running


def presence(pid: int, port: int = 1) -> Presence:
    return Presence(pid=pid, host="127.0.0.1", port=port, version="1.0", vaults=("/notes",), secret="s")


@contextmanager
def answering(body: str) -> Iterator[int]:
    """Something that answers every GET with `body`; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *ignored: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_it_is_there_for_as_long_as_the_server_is(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    with announced(home, presence(1)):
        assert read(home) == presence(1)
        assert [file.name for file in home.iterdir()] == [FILE]
    assert list(home.iterdir()) == []


def test_a_later_server_takes_the_place_and_keeps_it(tmp_path: Path) -> None:
    with announced(tmp_path, presence(1)):
        later = announced(tmp_path, presence(2))
        later.__enter__()
    assert read(tmp_path) == presence(2)
    later.__exit__(None, None, None)
    assert read(tmp_path) is None


def test_a_home_that_takes_no_writes_is_served_all_the_same(tmp_path: Path) -> None:
    with file_size_limit(0), announced(tmp_path, presence(1)):
        assert read(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_made_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StartFailure, match="--home"), announced(tmp_path / "home", presence(1)):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"pid": 1}', '{"pid": 1, "vaults": null}', "\xff"])
def test_nonsense_names_no_server(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("latin-1"))
    assert read(tmp_path) is None
    assert running(tmp_path) is None


def test_a_process_that_is_gone_does_not_run(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with answering(json.dumps({"pid": ended.pid})) as port, announced(tmp_path, presence(ended.pid, port)):
        assert running(tmp_path) is None


def test_a_port_that_nobody_answers_on_is_no_server(tmp_path: Path) -> None:
    with answering("{}") as port:
        pass
    with announced(tmp_path, presence(os.getpid(), port)):
        assert running(tmp_path) is None


@pytest.mark.parametrize("body", ["", "hello", "[]", '{"pid": 1}'])
def test_a_port_that_somebody_else_answers_on_is_no_server(tmp_path: Path, body: str) -> None:
    with answering(body) as port, announced(tmp_path, presence(os.getpid(), port)):
        assert running(tmp_path) is None


def test_a_server_that_answers_for_itself_runs(tmp_path: Path) -> None:
    with answering(json.dumps({"pid": os.getpid()})) as port:
        here = presence(os.getpid(), port)
        with announced(tmp_path, here):
            assert running(tmp_path) == here
