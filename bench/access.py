"""What do permissions and many libraries cost?

usage: python bench/access.py [--libraries 20] [--notes 1000] [--embed-seconds 2] [--rounds 5] [--queries 100] [--work FOLDER]

Makes so many libraries, every second note of them public, on one home. Asks one of them as its owner, with nothing else
served, and then among all the others: named by its owner, by a user to whom it is granted, and by one who may see what is
public; full text and hybrid, by turns. Then a server of all of them is asked for each in turn, and weighed. Writes
`results/access.json` and the table of `README.md`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from handshake import free_port
from indexing import embedding, filling
from latency import LOADING_SECONDS, Ask, measured
from machine import RESULTS, load, memory, surroundings
from make_vault import queries, write_vault
from report import write_readme
from serving import gets, running, wait_until_ready
from trilith.app import App
from trilith.home.accounts import SqliteAccounts
from trilith.home.layout import Home
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Grant, Principal, Role
from trilith.model.query import Filter, Mode, Query
from trilith.settings import load as load_settings
from trilith.wiring import open_app

WARM_UP = 20
GRANTED, STRANGER = Principal("granted", is_owner=False), Principal("stranger", is_owner=False)


def write_libraries(folder: Path, libraries: int, notes: int) -> list[Path]:
    places = [folder / f"lib-{number:02}" for number in range(libraries)]
    for number, place in enumerate(places):
        write_vault(place, notes, number + 1)
        for path in sorted(place.rglob("*.md"))[::2]:
            text = path.read_text(encoding="utf-8")
            opened = re.sub(r"\A---\n", "---\nvisibility: public\n", text)
            path.write_text(opened if opened != text else f"---\nvisibility: public\n---\n{text}", encoding="utf-8")
    return places


def index(home: Path, places: list[Path], embed_seconds: float) -> None:
    for place in places:
        print(f"{time.strftime('%H:%M:%S')} {place.name}", file=sys.stderr)
        with open_app(load_settings(home=home), [place]) as app:
            (library,) = app.gate.libraries()
            app.indexer.refresh(library)
            embedding(app, library, embed_seconds)
            filling(app, library)
    accounts = SqliteAccounts(LedgerFile(Home(home).ledger))
    for user in (GRANTED.name, STRANGER.name):
        accounts.add_user(user)
    accounts.grant(Grant(places[0].name, GRANTED.name, Role.READER))


def latency(home: Path, place: Path, rounds: int, count: int) -> dict[str, dict[str, float]]:
    """p50 and p95 by who asks, in milliseconds."""
    with ExitStack() as stack:
        settings = load_settings(home=home)
        alone = stack.enter_context(open_app(settings, library=place.name))
        among = stack.enter_context(open_app(settings))
        for app in (alone, among):
            app.indexer.feeder.embedder.wait(LOADING_SECONDS)
        asks = dict(callers(alone, among, place.name))
        texts = queries((WARM_UP + count) * len(asks), 7)
        for ask in asks.values():
            for text in texts[:WARM_UP]:
                ask(text)
        return measured(asks, texts[WARM_UP * len(asks) :], rounds)


def callers(alone: App, among: App, name: str) -> Iterator[tuple[str, Ask]]:
    for mode in (Mode.FULLTEXT, Mode.HYBRID):
        yield f"{mode}, alone", asking(alone, Principal(), None, mode)
        yield f"{mode}, named among all", asking(among, Principal(), name, mode)
        yield f"{mode}, granted", asking(among, GRANTED, name, mode)
        yield f"{mode}, public half", asking(among, STRANGER, name, mode)


def asking(app: App, caller: Principal, library: str | None, mode: Mode) -> Ask:
    """A search with everything that permissions cost: the filter is made anew for each."""

    def ask(text: str) -> object:
        filter: Filter = app.gate.filter(caller, library)
        return app.searcher.search(Query(text=text, filter=filter, mode=mode))

    return ask


def weight(home: Path, places: list[Path]) -> dict[str, float]:
    """Megabytes of a server of all libraries, each of which has been searched."""
    port = free_port()
    with running(["-m", "trilith", "serve", "--home", str(home), "--port", str(port), "--no-watch"]) as pid:
        wait_until_ready(port)
        import http.client

        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for place in places:
            for mode in ("fulltext", "hybrid"):
                for text in queries(10, 3):
                    gets(f"/api/v1/search?mode={mode}&library={place.name}&q={{}}")(connection, text)
        connection.close()
        return memory(pid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=int, default=20)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--embed-seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--work", type=Path, help="Keep the vaults and their index in this folder, which must be new.")
    asked = parser.parse_args()
    before = load()
    with tempfile.TemporaryDirectory(prefix="trilith-bench-") as passing:
        work = asked.work or Path(passing)
        places = write_libraries(work / "vaults", asked.libraries, asked.notes)
        index(work / "home", places, asked.embed_seconds)
        found: dict[str, Any] = {
            "libraries": asked.libraries,
            "notes": asked.notes,
            "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
            "surroundings": surroundings(),
            "latency": latency(work / "home", places[0], asked.rounds, asked.queries),
            "memory": weight(work / "home", places),
            "load": {"before": before, "after": load()},
        }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "access.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_readme()


if __name__ == "__main__":
    main()
