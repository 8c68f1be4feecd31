"""Programs that write to one vault at the same time, by every door, and a memory of what each was told.

A client is asked with `create`, `append`, `rewrite` and `delete`, which give back the version that was acknowledged, and
raise when there was no acknowledgement.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

Json = dict[str, Any]

START_SECONDS = 90.0
ANSWER_SECONDS = 60.0
AGENT = "crowd"
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class Client(Protocol):
    def create(self, title: str, body: str) -> tuple[str, int]:
        """The id and the version."""
        ...

    def append(self, note: str, line: str) -> int: ...

    def rewrite(self, note: str, title: str, body: str) -> int: ...

    def move(self, note: str, folder: str) -> None: ...

    def delete(self, note: str) -> None: ...


class Refused(Exception):
    """The server answered, and did not do it."""


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRILITH_")}
    return {**kept, "TRILITH_HOME": str(home), "TRILITH_SEMANTIC": "off", **more}


# --- processes


@dataclass
class Server:
    """A `trilith serve`."""

    process: subprocess.Popen[bytes]
    port: int

    def ready(self) -> bool:
        try:
            said = self.ask("GET", "/api/v1/status")
        except (OSError, http.client.HTTPException, Refused):
            return False
        libraries = said["libraries"]
        return bool(libraries) and all(each["last_scan"] and not each["pending"]["fulltext"] for each in libraries)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Json:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            return asked(connection, method, path, body)
        finally:
            connection.close()


def asked(
    connection: http.client.HTTPConnection, method: str, path: str, body: Mapping[str, Any] | None = None
) -> Json:
    connection.request(method, path, None if body is None else json.dumps(body), HEADERS)
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status >= http.client.BAD_REQUEST:
        raise Refused(answer)
    assert isinstance(answer, dict)
    return answer


def start_server(vault: Path, home: Path, port: int, **env: str) -> Server:
    command = [sys.executable, "-m", "trilith", "serve", str(vault), "--port", str(port)]
    log = (home.parent / "serve.log").open("ab")
    process = subprocess.Popen(command, env=environment(home, **env), stderr=log, stdout=log)
    return Server(process, port)


def wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not server.ready():
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("the server does not become ready")
        time.sleep(0.05)


def start_stdio(vault: Path, home: Path, **env: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "trilith", "mcp", str(vault)]
    log = (home.parent / "mcp.log").open("ab")
    return subprocess.Popen(
        command, env=environment(home, **env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
    )


@contextmanager
def ended(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(ANSWER_SECONDS)


# --- clients


@dataclass
class Rest:
    """By REST, on a connection that is kept."""

    port: int
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)

    def create(self, title: str, body: str) -> tuple[str, int]:
        made = self._ask("POST", "/notes", title=title, content=body, agent=AGENT)
        return made["id"], made["version"]

    def append(self, note: str, line: str) -> int:
        return int(self._ask("POST", f"/notes/{note}/edit", operation="append", content=line, agent=AGENT)["version"])

    def rewrite(self, note: str, title: str, body: str) -> int:
        return int(self._ask("PATCH", f"/notes/{note}", title=title, content=body, agent=AGENT)["version"])

    def move(self, note: str, folder: str) -> None:
        self._ask("POST", f"/notes/{note}/move", to=folder, agent=AGENT)

    def delete(self, note: str) -> None:
        self._ask("DELETE", f"/notes/{note}?agent={AGENT}")

    def _ask(self, method: str, path: str, **body: Any) -> Json:
        return asked(self.connection, method, f"/api/v1{path}", body or None)


class _Mcp:
    def create(self, title: str, body: str) -> tuple[str, int]:
        made = self._call("lithos_write", title=title, content=body)
        return made["id"], made["version"]

    def append(self, note: str, line: str) -> int:
        return int(self._call("note_edit", id=note, operation="append", content=line)["version"])

    def rewrite(self, note: str, title: str, body: str) -> int:
        return int(self._call("lithos_write", id=note, title=title, content=body)["version"])

    def move(self, note: str, folder: str) -> None:
        self._call("note_move", id=note, to=folder)

    def delete(self, note: str) -> None:
        self._call("lithos_delete", id=note)

    def _call(self, tool: str, **arguments: Any) -> Json:
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": {**arguments, "agent": AGENT}},
        }
        result = self._sent(message)["result"]
        if result.get("isError"):
            raise Refused(result["structuredContent"])
        answer = result["structuredContent"]
        assert isinstance(answer, dict)
        return answer

    def _sent(self, message: Json) -> Json:
        raise NotImplementedError


@dataclass
class McpHttp(_Mcp):
    """By MCP over HTTP, on a connection that is kept."""

    port: int
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)

    def _sent(self, message: Json) -> Json:
        return asked(self.connection, "POST", "/mcp/lithos", message)


@dataclass
class Stdio(_Mcp):
    """By MCP over the pipes of a `trilith mcp`."""

    process: subprocess.Popen[bytes]
    turn: threading.Lock = field(default_factory=threading.Lock)

    def greet(self) -> None:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "crowd", "version": "1"}}
        self._sent({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _sent(self, message: Json) -> Json:
        with self.turn:
            self._say(message)
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the server has gone")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def _say(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


COMMANDS = """
import json, sys
from trilith.surfaces.cli.main import run
for line in sys.stdin:
    sys.stdout.flush()
    status = run([*json.loads(line), "--json"])
    print("\\x1e", status, flush=True)
"""
"""The command line in a process that is warm already: each line is a command, opened and closed whole."""


@dataclass
class Commands:
    """By commands, one after the other."""

    vault: Path
    process: subprocess.Popen[bytes]

    def create(self, title: str, body: str) -> tuple[str, int]:
        made = self._run("write", title, "--content", body)
        return made["id"], made["version"]

    def append(self, note: str, line: str) -> int:
        return int(self._run("edit", note, "--append", line)["version"])

    def rewrite(self, note: str, title: str, body: str) -> int:
        return int(self._run("write", title, "--id", note, "--content", body)["version"])

    def move(self, note: str, folder: str) -> None:
        self._run("move", note, folder)

    def delete(self, note: str) -> None:
        self._run("delete", note)

    def _run(self, *command: str) -> Json:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        given = [*command, "--agent", AGENT, "--vault", str(self.vault)]
        self.process.stdin.write(json.dumps(given).encode() + b"\n")
        self.process.stdin.flush()
        said = bytearray()
        while not (line := self.process.stdout.readline()).startswith(b"\x1e"):
            if not line.endswith(b"\n"):
                raise ConnectionError("the command has gone")
            said += line
        answer = json.loads(said)
        if line.split()[1] != b"0":
            raise Refused(answer)
        assert isinstance(answer, dict)
        return answer


def start_commands(vault: Path, home: Path, **env: str) -> Commands:
    log = (home.parent / "cli.log").open("ab")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMANDS],
        env=environment(home, **env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
    )
    return Commands(vault, process)


# --- what is remembered


@dataclass
class Note:
    """What its one writer knows of a note. `hoped` is what it will hold when the change under way comes through: a text
    and version, None for gone; `settled` is false until the first acknowledgement."""

    title: str
    body: str
    id: str = ""
    version: int = 0
    gone: bool = False
    hoped: list[tuple[str, int] | None] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        return bool(self.id)


@dataclass
class Writer:
    """One client with notes of its own, and a log that it shares with all others."""

    name: str
    client: Client
    random: Random
    log: str
    notes: list[Note] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    logging: str | None = None
    pair: tuple[str, str] | None = None
    """Two notes, the first of which links to the second by a relative path; the second one is moved about."""
    done: int = 0
    refusals: list[str] = field(default_factory=list)

    def act(self) -> None:
        """One change; raises when it is not acknowledged."""
        mine = [note for note in self.notes if note.settled and not note.gone]
        kind = self.random.choices(("create", "append", "rewrite", "delete", "log", "move"), (3, 4, 2, 1, 2, 2))[0]
        if kind == "log":
            self._log()
        elif kind == "move":
            self._move()
        elif kind == "create" or not mine:
            self._create()
        else:
            getattr(self, f"_{kind}")(self.random.choice(mine))
        self.done += 1

    def _log(self) -> None:
        self.logging = f"line-{self.name}-{len(self.logged)}-{self.random.getrandbits(32):08x}"
        self.client.append(self.log, self.logging)
        self.logged.append(self.logging)
        self.logging = None

    def _move(self) -> None:
        if self.pair is None:
            mark = f"{self.random.getrandbits(40):010x}"
            target, _ = self.client.create(f"Pair {mark} target", "moved about\n")
            link, _ = self.client.create(f"Pair {mark} link", f"leads to [it](pair-{mark}-target.md)\n")
            self.pair = (link, target)
        self.client.move(self.pair[1], self.random.choice(("one/", "two/deep/", "/")))

    def _create(self) -> None:
        title = f"{self.name} {len(self.notes)} {self.random.getrandbits(40):010x}"
        note = Note(title, self._text(), hoped=[])
        self.notes.append(note)
        note.hoped = [(note.body, 1)]
        note.id, note.version = self.client.create(title, note.body)
        note.hoped = []

    def _append(self, note: Note) -> None:
        line = f"appended {self.random.getrandbits(40):010x}"
        self._changed(note, f"{note.body}{line}\n", lambda: self.client.append(note.id, line))

    def _rewrite(self, note: Note) -> None:
        text = self._text()
        self._changed(note, text, lambda: self.client.rewrite(note.id, note.title, text))

    def _delete(self, note: Note) -> None:
        note.hoped = [None]
        self.client.delete(note.id)
        note.gone, note.hoped = True, []

    def _changed(self, note: Note, text: str, change: Any) -> None:
        note.hoped = [(text, note.version + 1)]
        version = change()
        if version != note.version + 1:
            raise AssertionError(f"{note.title}: version {version} after {note.version}")
        note.body, note.version, note.hoped = text, version, []

    def _text(self) -> str:
        """A few kilobytes that no other note has; now and then many, so that a write takes long."""
        words = self.random.choice((20, 60, 4_000))
        mark = f"{self.random.getrandbits(40):010x}"
        return f"text {mark} of [[{self.name} 0]]\n\n" + f"{mark} " * words + "\n"
