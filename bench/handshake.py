"""How long does a client wait for a server that it has just started?

usage: python bench/handshake.py [VAULT] [--home HOME] [--rounds 15]

Starts `trilith mcp`, `trilith serve` and a bare server of the same SDK by turns, over stdio and HTTP, and measures from
the spawn to the answer to `initialize`, to that of `tools/list` and to the first answer of a tool, as a client without any
machinery of its own sees them: ours is asked a full-text search, the bare one its empty tool. Prints one JSON object:
medians in seconds, the quickest tool list of all rounds, and by how much ours comes later than the bare one. The first
round is not counted: it warms the disk cache. Without a home, whose index holds the vault, one is made for the sample vault.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import compile_all

HERE = Path(__file__).parent
PYTHON = sys.executable
DEADLINE_SECONDS = 300.0

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def called(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


SEARCH = called("lithos_search", query="what is a project", mode="fulltext")
EMPTY = called("empty")


@dataclass(frozen=True)
class Waited:
    """Seconds from the spawn."""

    handshake: float
    tools: float
    answer: float


def over_stdio(command: list[str], call: dict[str, Any]) -> Waited:
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None

    def say(message: dict[str, Any]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()

    say(INITIALIZE)
    json.loads(process.stdout.readline())["result"]["serverInfo"]
    handshake = time.perf_counter() - begun
    say(INITIALIZED)
    say(LIST_TOOLS)
    json.loads(process.stdout.readline())["result"]["tools"]
    tools = time.perf_counter() - begun
    say(call)
    check(json.loads(process.stdout.readline())["result"])
    answer = time.perf_counter() - begun
    process.stdin.close()
    process.wait(DEADLINE_SECONDS)
    return Waited(handshake, tools, answer)


def over_http(command: list[str], path: str, call: dict[str, Any]) -> Waited:
    port = free_port()
    begun = time.perf_counter()
    process = subprocess.Popen([*command, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    connection = connected(port, begun + DEADLINE_SECONDS)

    def ask(message: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", path, json.dumps(message), headers)
        return json.loads(connection.getresponse().read())["result"]

    ask(INITIALIZE)["serverInfo"]
    handshake = time.perf_counter() - begun
    ask(LIST_TOOLS)["tools"]
    tools = time.perf_counter() - begun
    check(ask(call))
    answer = time.perf_counter() - begun
    connection.close()
    process.terminate()
    process.wait(DEADLINE_SECONDS)
    return Waited(handshake, tools, answer)


def check(result: Any) -> None:
    if result.get("isError"):
        raise RuntimeError(result)


def connected(port: int, deadline: float) -> http.client.HTTPConnection:
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_SECONDS)
        try:
            connection.connect()
            return connection
        except ConnectionRefusedError:
            if time.perf_counter() > deadline:
                raise
            time.sleep(0.002)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def servers(vault: Path, home: Path) -> dict[str, Callable[[], Waited]]:
    trilith = [PYTHON, "-m", "trilith"]
    where = [str(vault), "--home", str(home)]
    bare = [PYTHON, str(HERE / "bare_server.py")]
    return {
        "stdio bare": lambda: over_stdio([*bare, "stdio"], EMPTY),
        "stdio trilith": lambda: over_stdio([*trilith, "mcp", *where], SEARCH),
        "http bare": lambda: over_http([*bare, "http"], "/mcp", EMPTY),
        "http trilith": lambda: over_http([*trilith, "serve", *where, "--port"], "/mcp/lithos", SEARCH),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", nargs="?", type=Path, default=HERE.parent / "sample" / "vault")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    compile_all()
    with tempfile.TemporaryDirectory() as passing:
        home = asked.home or Path(passing)
        if asked.home is None:
            index = [PYTHON, "-m", "trilith", "index", str(asked.vault), "--home", str(home)]
            subprocess.run(index, check=True, stdout=2)
        measured: dict[str, list[Waited]] = {}
        for round_ in range(asked.rounds + 1):
            for name, measure in servers(asked.vault, home).items():
                waited = measure()
                if round_:
                    measured.setdefault(name, []).append(waited)
    print(json.dumps(summary(measured, asked.rounds), indent=2))


def summary(measured: dict[str, list[Waited]], rounds: int) -> dict[str, Any]:
    answer: dict[str, Any] = {"rounds": rounds}
    for transport in ("stdio", "http"):
        bare, ours = measured[f"{transport} bare"], measured[f"{transport} trilith"]
        answer[transport] = {
            "handshake": compared(statistics.median, [w.handshake for w in bare], [w.handshake for w in ours]),
            "tools": compared(statistics.median, [w.tools for w in bare], [w.tools for w in ours]),
            "answer": compared(statistics.median, [w.answer for w in bare], [w.answer for w in ours]),
            "from_handshake_to_answer": round(statistics.median(w.answer - w.handshake for w in ours), 3),
            "quickest": compared(min, [w.tools for w in bare], [w.tools for w in ours]),
        }
    return answer


def compared(choose: Callable[[list[float]], float], bare: list[float], ours: list[float]) -> dict[str, float]:
    return {
        "bare": round(choose(bare), 3),
        "trilith": round(choose(ours), 3),
        "later": round(choose(ours) - choose(bare), 3),
    }


if __name__ == "__main__":
    main()
