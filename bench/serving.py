"""What does a client wait for, what does a server weigh, and how quick is the command line?

usage: python bench/serving.py VAULT HOME [--requests 300] [--seconds 5] [--rounds 3] [--seed 1]

`HOME` holds a finished index of `VAULT`. A server of ours and a bare one of the same SDK (`bare_server.py`) run side by
side; one client with a kept connection asks them by turns: an empty tool, `lithos_search`, REST, `/health`. The client is
`http.client`, which adds little of its own. Then eight clients at once, one kind of request after the other; memory after
that, at rest; and `trilith search` as a command, beside the server and alone. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from handshake import connected, free_port
from machine import load, medians, memory, quantiles
from make_vault import queries

HERE = Path(__file__).parent
START_SECONDS = 60.0
REST_SECONDS = 6.0
"""Longer than the server waits between two looks over the files."""
CLIENTS = 8
COMMANDS = 5
DISTINCT = 3_000
"""Queries that are gone through before one comes again: the server has long forgotten it then."""
WARM_UP = 20
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

Ask = Callable[[http.client.HTTPConnection, str], None]


@dataclass(frozen=True)
class Request:
    """What is asked of the server on `port`, given a query."""

    port: int
    ask: Ask


def calls(path: str, tool: str, mode: str | None) -> Ask:
    """A tool called over MCP."""

    def ask(connection: http.client.HTTPConnection, text: str) -> None:
        arguments = {} if mode is None else {"query": text, "mode": mode}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        connection.request("POST", path, json.dumps(message), HEADERS)
        result = json.loads(answered(connection))["result"]
        if result.get("isError"):
            raise RuntimeError(result)

    return ask


def gets(path: str) -> Ask:
    """A GET; `{}` in the path stands for the query."""

    def ask(connection: http.client.HTTPConnection, text: str) -> None:
        connection.request("GET", path.format(quote(text)))
        json.loads(answered(connection))

    return ask


def answered(connection: http.client.HTTPConnection) -> bytes:
    response = connection.getresponse()
    body = response.read()
    if response.status != http.client.OK:
        raise RuntimeError(f"{response.status}: {body!r}")
    return body


def requests(ours: int, bare: int) -> dict[str, Request]:
    return {
        "MCP empty tool, bare server": Request(bare, calls("/mcp", "empty", None)),
        "MCP lithos_search fulltext": Request(ours, calls("/mcp/lithos", "lithos_search", "fulltext")),
        "MCP lithos_search hybrid": Request(ours, calls("/mcp/lithos", "lithos_search", "hybrid")),
        "REST /health": Request(ours, gets("/health")),
        "REST search fulltext": Request(ours, gets("/api/v1/search?mode=fulltext&q={}")),
        "REST search hybrid": Request(ours, gets("/api/v1/search?mode=hybrid&q={}")),
    }


def by_turns(kinds: dict[str, Request], texts: Iterator[str], count: int) -> dict[str, dict[str, float]]:
    """p50 and p95 of each kind of request, one after the other so that all see the same machine."""
    connections = {name: http.client.HTTPConnection("127.0.0.1", kind.port, timeout=60) for name, kind in kinds.items()}
    seconds: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(WARM_UP + count):
        for name, kind in kinds.items():
            text = next(texts)
            begun = time.perf_counter()
            kind.ask(connections[name], text)
            if turn >= WARM_UP:
                seconds[name].append(time.perf_counter() - begun)
    for connection in connections.values():
        connection.close()
    return {name: quantiles(found) for name, found in seconds.items()}


def at_once(kind: Request, texts: Iterator[str], seconds: float) -> float:
    """Requests a second with several clients."""
    done = [0] * CLIENTS
    until = time.perf_counter() + seconds

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", kind.port, timeout=60)
        while time.perf_counter() < until:
            kind.ask(connection, next(texts))
            done[number] += 1
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - begun)


@contextmanager
def running(command: Sequence[str]) -> Iterator[int]:
    """A process; its id."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def wait_until_ready(port: int) -> None:
    deadline = time.perf_counter() + START_SECONDS
    connection = connected(port, deadline)
    while time.perf_counter() < deadline:
        connection.request("GET", "/api/v1/status")
        said: Any = json.loads(answered(connection))
        if said["state"] == "ready" and said["semantic"]["state"] == "ok":
            connection.close()
            return
        # The model is loaded with the first search that needs it.
        with suppress(RuntimeError):
            gets("/api/v1/search?mode=semantic&q={}")(connection, "wake up")
        time.sleep(0.1)
    raise TimeoutError("the server is not ready")


def command_seconds(vault: Path, home: Path, texts: Sequence[str]) -> float:
    """The wall time of `trilith search`, from spawn to end."""
    seconds = []
    for text in texts:
        begun = time.perf_counter()
        command = [sys.executable, "-m", "trilith", "search", text, "--vault", str(vault), "--home", str(home)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
    return round(median(seconds), 2)


def measured(vault: Path, home: Path, *, count: int, seconds: float, rounds: int, seed: int) -> dict[str, Any]:
    port, bare_port = free_port(), free_port()
    texts = queries(DISTINCT, seed + 1)
    command_texts, supply = texts[:COMMANDS], cycle(texts)
    serve = ["-m", "trilith", "serve", str(vault), "--home", str(home), "--port", str(port)]
    with running(serve) as pid:
        wait_until_ready(port)
        with running([str(HERE / "bare_server.py"), "http", str(bare_port)]):
            connected(bare_port, time.perf_counter() + START_SECONDS).close()
            kinds = requests(port, bare_port)
            latency = [by_turns(kinds, supply, count // rounds) for _ in range(rounds)]
            throughput = {
                name: round(median(at_once(kind, supply, seconds / rounds) for _ in range(rounds)), 1)
                for name, kind in kinds.items()
            }
        time.sleep(REST_SECONDS)
        weight = memory(pid)
        beside = command_seconds(vault, home, command_texts)
    return {
        "load": load(),
        "one_client": {name: medians([found[name] for found in latency]) for name in kinds},
        "requests_per_second_8_clients": throughput,
        "memory": weight,
        "cli_search_beside_server_seconds": beside,
        "cli_search_alone_seconds": command_seconds(vault, home, command_texts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = measured(
        asked.vault, asked.home, count=asked.requests, seconds=asked.seconds, rounds=asked.rounds, seed=asked.seed
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
