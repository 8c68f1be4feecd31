"""What does a client wait for, what does a server weigh, and how quick is the command line?

usage: python bench/serving.py VAULT HOME [--requests 300] [--seconds 5] [--rounds 3] [--idle 60] [--seed 1]

`HOME` holds a finished index of `VAULT`. A server of ours and a bare one of the same SDK (`bare_server.py`) run side by
side; one client with a kept connection asks them by turns: the bare server's empty tool and empty route, the cheapest that
ours can be asked by MCP and by HTTP (`ping`, `/health`), `lithos_search`, and REST. The client is `http.client`, which adds
little of its own. What a door adds to a search is the mean of its requests less the mean time that the server spent in the
searches themselves, by its own `/metrics`, in the same round. Then eight clients at once, one kind of request after the
other; notes written by one client while seven search; memory and CPU time of the server that is left alone after that; and
`trilith search` as a command, beside the server and alone. The notes that were written are deleted again. Prints one JSON
object.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

from crowd import Rest
from handshake import check, connected, free_port
from machine import compile_all, cpu_seconds, load, medians, memory, peak, quantiles
from make_vault import queries

HERE = Path(__file__).parent
START_SECONDS = 600.0
REST_SECONDS = 10.0
"""Longer than the server waits between two looks over the files."""
WRITES = 60
CLIENTS = 8
COMMANDS = 5
DISTINCT = 3_000
"""Queries that are gone through before one comes again: the server has long forgotten it then."""
WARM_UP = 20
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

Json = dict[str, Any]
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
        check(sent(connection, path, "tools/call", {"name": tool, "arguments": arguments}))

    return ask


def pings(path: str) -> Ask:
    """MCP's own empty request."""
    return lambda connection, _text: check(sent(connection, path, "ping", {}))


def sent(connection: http.client.HTTPConnection, path: str, method: str, params: dict[str, Any]) -> Any:
    """The result of a request by MCP."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    connection.request("POST", path, json.dumps(message), HEADERS)
    return json.loads(answered(connection))["result"]


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
        EMPTY_TOOL: Request(bare, calls("/mcp", "empty", None)),
        EMPTY_ROUTE: Request(bare, gets("/empty")),
        "MCP ping, our server": Request(ours, pings("/mcp/lithos")),
        "REST /health, our server": Request(ours, gets("/health")),
        "MCP lithos_search fulltext": Request(ours, calls("/mcp/lithos", "lithos_search", "fulltext")),
        "MCP lithos_search hybrid": Request(ours, calls("/mcp/lithos", "lithos_search", "hybrid")),
        "REST search fulltext": Request(ours, gets("/api/v1/search?mode=fulltext&q={}")),
        "REST search hybrid": Request(ours, gets("/api/v1/search?mode=hybrid&q={}")),
    }


EMPTY_TOOL, EMPTY_ROUTE = "MCP empty tool, bare server", "REST empty route, bare server"


def by_turns(kinds: dict[str, Request], texts: Iterator[str], count: int) -> tuple[dict[str, Json], Json]:
    """p50, p95, p99 and mean of each kind of request, one after the other so that all see the same machine; and what the
    doors add, in milliseconds, by kind."""
    connections = {name: http.client.HTTPConnection("127.0.0.1", kind.port, timeout=60) for name, kind in kinds.items()}
    for _ in range(WARM_UP):
        for name, kind in kinds.items():
            kind.ask(connections[name], next(texts))
    port = kinds["REST search hybrid"].port
    before = searches(port)
    seconds: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(count):
        for name, kind in kinds.items():
            text = next(texts)
            begun = time.perf_counter()
            kind.ask(connections[name], text)
            seconds[name].append(time.perf_counter() - begun)
    inside = mean_between(before, searches(port))
    for connection in connections.values():
        connection.close()
    means = {name: mean(found) for name, found in seconds.items()}
    found = {name: {**quantiles(seconds[name]), "mean_ms": round(1000 * means[name], 2)} for name in kinds}
    empty = {"MCP": means[EMPTY_TOOL], "REST": means[EMPTY_ROUTE]}
    added = {
        name: round(1000 * (means[name] - inside[name.split()[-1]] - empty[name.split()[0]]), 2)
        for name in kinds
        if name.split()[-1] in inside
    }
    return found, added


def searches(port: int) -> dict[str, tuple[float, float]]:
    """Mode -> how many searches the server has answered, and the seconds that it spent in them."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/metrics")
    said = answered(connection).decode()
    connection.close()
    found = {
        (part, mode): float(value)
        for part, mode, value in re.findall(r'trilith_search_seconds_(count|sum)\{mode="(\w+)"\} (\S+)', said)
    }
    return {mode: (found["count", mode], found["sum", mode]) for part, mode in found if part == "sum"}


def mean_between(before: dict[str, tuple[float, float]], after: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Seconds of a search, by mode, among those between two looks."""
    none = (0.0, 0.0)
    more = {
        mode: (count - before.get(mode, none)[0], total - before.get(mode, none)[1])
        for mode, (count, total) in after.items()
    }
    return {mode: total / count for mode, (count, total) in more.items() if count}


def at_once(kind: Request, texts: Iterator[str], seconds: float) -> float:
    """Requests a second with eight clients."""
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


def written_under_load(port: int, kind: Request, texts: Iterator[str]) -> Json:
    """p50, p95 and p99 of a note's creation while seven clients search without a pause."""
    over = threading.Event()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", kind.port, timeout=60)
        while not over.is_set():
            kind.ask(connection, next(texts))
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(CLIENTS - 1)]
    for thread in threads:
        thread.start()
    writer, seconds, made = Rest(port), [], []
    try:
        for number in range(WRITES):
            begun = time.perf_counter()
            note, _ = writer.create(f"Written under load {number}", "some words of it " * 150)
            seconds.append(time.perf_counter() - begun)
            made.append(note)
    finally:
        over.set()
        for thread in threads:
            thread.join()
        for note in made:
            writer.delete(note)
    return quantiles(seconds)


def idle(pid: int, seconds: float) -> Json:
    """What a server that is left alone takes of a CPU, in percent."""
    time.sleep(REST_SECONDS)
    before = cpu_seconds(pid)
    time.sleep(seconds)
    return {"seconds": seconds, "percent": round(100 * (cpu_seconds(pid) - before) / seconds, 2)}


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


def measured(vault: Path, home: Path, *, count: int, seconds: float, rounds: int, rest: float, seed: int) -> Json:
    port, bare_port = free_port(), free_port()
    texts = queries(DISTINCT, seed + 1)
    command_texts, supply = texts[:COMMANDS], cycle(texts)
    serve = ["-m", "trilith", "serve", str(vault), "--home", str(home), "--port", str(port)]
    with running(serve) as pid:
        wait_until_ready(port)
        with running([str(HERE / "bare_server.py"), "http", str(bare_port)]):
            connected(bare_port, time.perf_counter() + START_SECONDS).close()
            kinds = requests(port, bare_port)
            turns = [by_turns(kinds, supply, count // rounds) for _ in range(rounds)]
            throughput = {
                name: round(median(at_once(kind, supply, seconds / rounds) for _ in range(rounds)), 1)
                for name, kind in kinds.items()
            }
        alone, weight = idle(pid, rest), memory(pid)
        beside = command_seconds(vault, home, command_texts)
        under_load = written_under_load(port, kinds["REST search hybrid"], supply)
        weight["peak_mb"] = peak(pid)
    return {
        "load": load(),
        "one_client": {name: medians([found[name] for found, _ in turns]) for name in kinds},
        "added_ms": medians([added for _, added in turns]),
        "requests_per_second_8_clients": throughput,
        "write_under_load": under_load,
        "idle": alone,
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
    parser.add_argument("--idle", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    compile_all()
    found = measured(
        asked.vault,
        asked.home,
        count=asked.requests,
        seconds=asked.seconds,
        rounds=asked.rounds,
        rest=asked.idle,
        seed=asked.seed,
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
