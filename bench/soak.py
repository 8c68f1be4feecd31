"""Do many programs write to one vault at once, for a minute, without losing anything?

usage: python bench/soak.py [--writes 2000] [--seed 1] [--dry]

Two `trilith serve` and two `trilith mcp` on one vault and home, eight clients that create, edit, move and delete notes, each with
notes of its own and all with one log; beside them an editor that saves files by writing a temporary one and renaming it,
and `git checkout` between two commits of 200 files of the same vault. Then each server must find what the others wrote,
everything acknowledged is on disk at its version, and every view equals one that is built from scratch. Writes
`results/soak.json` unless `--dry`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from crowd import (
    START_SECONDS,
    McpHttp,
    Rest,
    Server,
    Stdio,
    Writer,
    ended,
    start_server,
    start_stdio,
    wait_until_ready,
)
from handshake import free_port
from kill import LOG_ID, Trial, Wrong, begin
from machine import RESULTS, load, quantiles, surroundings
from report import write_readme

FILES = 200
"""Of the folder that git checks out."""
EDITED = 20
"""Files that the outside editor saves again and again."""


class Editor(threading.Thread):
    """Saves files as editors do: a temporary one, renamed over."""

    def __init__(self, vault: Path) -> None:
        super().__init__()
        self.vault = vault
        self.saved: dict[str, str] = {}
        self.saves = 0
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.wait(0.05):
            path = self.vault / f"outside-{self.saves % EDITED}.md"
            text = f"# Outside\n\nsaved{self.saves}times and linked to [[log]]\n"
            draft = path.with_name(f".{path.name}.swp")
            draft.write_text(text, encoding="utf-8")
            draft.rename(path)
            self.saved[path.name] = f"saved{self.saves}times"
            self.saves += 1


class Checkouts(threading.Thread):
    """Goes from one commit to the other and back, and ends at the second one."""

    def __init__(self, vault: Path) -> None:
        super().__init__()
        self.vault = vault
        self.count = 0
        self.stopped = threading.Event()
        self.git("init", "--quiet", "--initial-branch=one")
        self.write("one", range(FILES))
        self.commit("one")
        self.git("checkout", "--quiet", "-b", "two")
        for number in range(0, FILES, 10):
            (vault / "book" / f"{number}.md").unlink()
        self.write("two", range(5, FILES + 20, 2))
        self.commit("two")

    def run(self) -> None:
        while not self.stopped.wait(4.0):
            self.check_out("one" if self.count % 2 == 0 else "two")
        self.check_out("one")
        self.check_out("two")

    def check_out(self, branch: str) -> None:
        self.git("checkout", "--quiet", branch)
        self.count += 1

    def write(self, word: str, numbers: range) -> None:
        (self.vault / "book").mkdir(exist_ok=True)
        for number in numbers:
            text = f"# Page {number}\n\nedition{word} of page{number}, see [[{number + 1}]]\n"
            (self.vault / "book" / f"{number}.md").write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        self.git("add", "book")
        self.git("-c", "user.name=crowd", "-c", "user.email=crowd@localhost", "commit", "--quiet", "-m", message)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", str(self.vault), *arguments], check=True, stdout=subprocess.DEVNULL)


def soak(trial: Trial, writes: int) -> dict[str, Any]:
    checkouts, editor = Checkouts(trial.vault), Editor(trial.vault)
    servers = [start_server(trial.vault, trial.home, free_port()) for _ in range(2)]
    pipes = [start_stdio(trial.vault, trial.home) for _ in range(2)]
    with ended(*(server.process for server in servers), *pipes):
        for server in servers:
            wait_until_ready(server)
        clients: dict[str, Any] = {}
        for number, server in enumerate(servers):
            clients |= {f"rest-{number}": Rest(server.port), f"mcp-{number}": McpHttp(server.port)}
            clients[f"more-{number}"] = Rest(server.port)
        for number, process in enumerate(pipes):
            clients[f"stdio-{number}"] = Stdio(process)
            clients[f"stdio-{number}"].greet()
        writers = [
            trial.writers.setdefault(name, Writer(name, client, Random(f"{name} {trial.random.random()}"), LOG_ID))
            for name, client in clients.items()
        ]
        editor.start()
        checkouts.start()
        figures = written(writers, writes)
        for thread in (editor, checkouts):
            thread.stopped.set()
            thread.join()
        begun = time.monotonic()
        for server in servers:
            caught_up(server, writers, editor)
        figures["seconds until every server had found everything"] = round(time.monotonic() - begun, 1)
    figures |= {"saves by the editor": editor.saves, "checkouts": checkouts.count}
    trial.check("off", rebuilt=True)
    return figures


def written(writers: list[Writer], writes: int) -> dict[str, Any]:
    """Let all write until so many writes are acknowledged; their pace."""
    failures: list[BaseException] = []
    seconds: list[float] = []

    def work(writer: Writer) -> None:
        try:
            while len(seconds) < writes and not failures:
                begun = time.perf_counter()
                writer.act()
                seconds.append(time.perf_counter() - begun)
        except BaseException as failure:  # noqa: BLE001 - told by the main thread
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(writer,)) for writer in writers]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    if failures:
        raise Wrong(repr(failures[0]))
    pace = {"writes": len(seconds), "seconds": round(took, 1), "writes_per_second": round(len(seconds) / took, 1)}
    return {**pace, "one_write": quantiles(seconds)}


def caught_up(server: Server, writers: list[Writer], editor: Editor) -> None:
    """Wait until a server finds what all the others have written."""
    wanted = {word: name for name, word in editor.saved.items()} | {"edition" + "two": None}
    for writer in writers:
        if writer.logged:
            wanted[writer.logged[-1]] = "log.md"
    deadline = time.monotonic() + START_SECONDS
    for word, path in wanted.items():
        while True:
            query = quote(f'"{word}"')
            hits = server.ask("GET", f"/api/v1/search?mode=fulltext&limit=1&q={query}")["results"]
            if hits and path in (None, hits[0]["path"]):
                break
            if time.monotonic() > deadline:
                raise Wrong(f"the server on port {server.port} does not find {word!r}: {hits}")
            time.sleep(0.05)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="Write no results.")
    given = parser.parse_args()
    trial = Trial(Path(tempfile.mkdtemp(prefix="trilith-soak-")), Random(given.seed))
    begin(trial)
    load_before = load()
    try:
        figures = soak(trial, given.writes)
    except Wrong as wrong:
        print(f"in {trial.folder}: {wrong}")
        return 1
    shutil.rmtree(trial.folder)
    found = {
        "seed": given.seed,
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": {"before": load_before, "after": load()},
        **figures,
        "wrong": 0,
    }
    print(json.dumps(figures))
    if not given.dry:
        (RESULTS / "soak.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        write_readme()
    return 0


if __name__ == "__main__":
    sys.exit(main())
