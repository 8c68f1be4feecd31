"""What does a write cost, and how soon is seen what other programs change?

usage: python bench/writing.py [--notes 5000] [--idle-notes 20000] [--writes 200] [--seed 1]

Makes and indexes a vault, serves it and asks over REST: creates and edits by one client, each followed by a search that must
find it; the same by eight clients at once; edits by another program, until full text finds them; 5,000 files changed at
once, with searches meanwhile; and the CPU time of a server that has nothing to do, on this vault and a larger one. Writes
`results/writing.json`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crowd import Rest, Server, ended, environment, start_server, wait_until_ready
from handshake import free_port
from machine import RESULTS, cpu_seconds, load, quantiles, surroundings
from make_vault import write_vault
from report import write_readme

CLIENTS = 8
EDITS = 60
IDLE_SECONDS = 180.0
SETTLING_SECONDS = 20.0
PATIENCE = 60.0

Json = dict[str, Any]


def hits(server: Server, word: str) -> int:
    return len(server.ask("GET", f"/api/v1/search?mode=fulltext&limit=5&q={quote(word)}")["results"])


def one_client(server: Server, writes: int) -> Json:
    client = Rest(server.port)
    made: list[str] = []

    def create(number: int) -> None:
        note, _ = client.create(f"Measured {number}", f"created{number}word\n\n" + "some more words of it " * 100)
        made.append(note)

    def edit(number: int) -> None:
        client.append(made[number], f"edited{number}word")

    figures = {"create": timed(create, writes)}
    lost = [number for number in range(writes) if hits(server, f"created{number}word") != 1]
    figures["edit"] = timed(edit, writes)
    lost += [number for number in range(writes) if hits(server, f"edited{number}word") != 1]
    if lost:
        raise RuntimeError(f"written and not found: {lost}")
    return figures


def timed(act: Callable[[int], None], count: int) -> dict[str, float]:
    seconds = []
    for number in range(count):
        begun = time.perf_counter()
        act(number)
        seconds.append(time.perf_counter() - begun)
    return quantiles(seconds)


def eight_clients(server: Server, writes: int) -> Json:
    """Half creates, half edits of the note before."""
    seconds: list[float] = []

    def work(name: int) -> None:
        client = Rest(server.port)
        for number in range(writes // CLIENTS // 2):
            begun = time.perf_counter()
            note, _ = client.create(f"Crowd {name} {number}", f"crowd{name}x{number}word\n")
            middle = time.perf_counter()
            client.append(note, f"again{name}x{number}word")
            seconds.extend((middle - begun, time.perf_counter() - middle))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(CLIENTS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    each = [(name, number) for name in range(CLIENTS) for number in range(writes // CLIENTS // 2)]
    lost = sum(hits(server, f"{word}{name}x{number}word") != 1 for name, number in each for word in ("crowd", "again"))
    return {"writes_per_second": round(len(seconds) / took, 1), "one_write": quantiles(seconds), "lost": lost}


def outside_edit(server: Server, vault: Path) -> dict[str, float]:
    files = sorted(vault.rglob("*.md"))[:EDITS]
    seconds = []
    for number, path in enumerate(files):
        text = path.read_text(encoding="utf-8") + f"\n\noutside{number}edit\n"
        draft = path.with_name(f".{path.name}.tmp")
        draft.write_text(text, encoding="utf-8")
        begun = time.perf_counter()
        draft.rename(path)
        until(lambda number=number: hits(server, f"outside{number}edit") == 1)  # type: ignore[misc]
        seconds.append(time.perf_counter() - begun)
        time.sleep(0.2)
    return quantiles(seconds)


def burst(server: Server, vault: Path) -> Json:
    """Files are read oldest first: when the last one is found, all are."""
    files = sorted(vault.rglob("*.md"))
    seconds: list[float] = []

    def last_is_found() -> bool:
        begun = time.perf_counter()
        found = hits(server, f"burst{len(files) - 1}word")
        seconds.append(time.perf_counter() - begun)
        return found == 1

    def change() -> None:
        for number, path in enumerate(files):
            path.write_text(f"{path.read_text(encoding='utf-8')}\nburst{number}word\n", encoding="utf-8")

    begun = time.perf_counter()
    changing = threading.Thread(target=change)
    changing.start()
    until(last_is_found, 30 * PATIENCE)
    took = time.perf_counter() - begun
    changing.join()
    sample = range(0, len(files), max(len(files) // 200, 1))
    lost = sum(hits(server, f"burst{number}word") != 1 for number in sample)
    return {"files": len(files), "seconds": round(took, 1), "searches": quantiles(seconds), "lost_of_200": lost}


def until(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("waited too long")
        time.sleep(0.01)


def idle(server: Server, notes: int, seconds: float) -> Json:
    time.sleep(SETTLING_SECONDS)
    before = cpu_seconds(server.process.pid)
    time.sleep(seconds)
    used = cpu_seconds(server.process.pid) - before
    return {"notes": notes, "seconds": seconds, "percent": round(100 * used / seconds, 2)}


def served(vault: Path, home: Path, notes: int, seed: int) -> Server:
    write_vault(vault, notes, seed)
    home.mkdir()
    index = [sys.executable, "-m", "trilith", "index", str(vault)]
    subprocess.run(index, env=environment(home), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = start_server(vault, home, free_port())
    with_patience = time.monotonic()
    wait_until_ready(server)
    print(f"{notes} notes are served after {time.monotonic() - with_patience:.1f} s", file=sys.stderr)
    return server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--idle-notes", type=int, default=20_000)
    parser.add_argument("--idle-seconds", type=float, default=IDLE_SECONDS)
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found: Json = {
        "notes": given.notes,
        "seed": given.seed,
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": {"before": load()},
    }
    with tempfile.TemporaryDirectory(prefix="trilith-writing-") as folder:
        work = Path(folder)
        (work / "one").mkdir()
        server = served(work / "one" / "vault", work / "one" / "home", given.notes, given.seed)
        with ended(server.process):
            steps: dict[str, Callable[[], Any]] = {
                "one_client": lambda: one_client(server, given.writes),
                "eight_clients": lambda: eight_clients(server, 2 * given.writes),
                "outside_edit": lambda: outside_edit(server, work / "one" / "vault"),
                "burst": lambda: burst(server, work / "one" / "vault"),
                "idle": lambda: [idle(server, given.notes, given.idle_seconds)],
            }
            for name, step in steps.items():
                found[name] = step()
                print(name, json.dumps(found[name]), file=sys.stderr)
        (work / "two").mkdir()
        server = served(work / "two" / "vault", work / "two" / "home", given.idle_notes, given.seed)
        with ended(server.process):
            found["idle"].append(idle(server, given.idle_notes, given.idle_seconds))
    found["load"]["after"] = load()
    (RESULTS / "writing.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_readme()


if __name__ == "__main__":
    main()
