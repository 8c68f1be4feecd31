"""Does a kill -9 at any moment lose an acknowledged write, leave half a file, or need a hand to mend?

usage: python bench/kill.py [--rounds 200] [--seed 1] [--keep] [--dry]

In each round real processes (servers over HTTP, `trilith mcp` over pipes, commands, indexing) work on one vault and home,
and are killed at a random moment. Then the home is opened again, as any command would, and everything is looked at: each
note holds what was last acknowledged or what was under way then, whole, at the version that belongs to it; what was
deleted can be restored; no draft is left; and every view equals one that is built from scratch. Home and vault are carried
from round to round. Ends with status 1 at the first thing that is wrong, and keeps the folder then. Writes
`results/kill.json` unless `--dry`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from crowd import (
    McpHttp,
    Note,
    Refused,
    Rest,
    Stdio,
    Writer,
    environment,
    start_commands,
    start_server,
    start_stdio,
    wait_until_ready,
)
from handshake import free_port
from machine import RESULTS, load, surroundings
from rebuilt import differences
from report import write_readme
from trilith.app import App
from trilith.model.ids import NoteId
from trilith.model.principal import Principal
from trilith.settings import load as settings
from trilith.wiring import open_app

LOG = "log.md"
LOG_ID = "0f5d3c1e-6f0b-4b2e-9a0e-2f6f4f6a7b10"
MOST_NOTES = 60
"""Of a writer; beyond it the oldest are taken away, so that a round stays quick."""
OUTSIDE = 120
"""Files that another program has changed before an indexing round."""
EMBEDDING_EVERY = 16
"""Rounds between two with the embedding model."""
REBUILT_EVERY = 4
"""Rounds between two comparisons with an index that is built from scratch; the views are compared in each."""
PATIENCE = 60.0
"""Seconds until the first write is acknowledged; the kill comes at random after it."""

Process = subprocess.Popen[bytes]


class Wrong(Exception):
    """What a kill must not do."""


@dataclass
class Trial:
    """The state that is carried from round to round."""

    folder: Path
    random: Random
    writers: dict[str, Writer] = field(default_factory=dict)
    killed: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def writer(self, name: str, client: Any) -> Writer:
        """The writer of this name, with another client: it goes on with its notes."""
        known = self.writers.setdefault(name, Writer(name, client, self.random, LOG_ID))
        known.client = client
        return known

    def round(self, number: int) -> None:
        scenario = SCENARIOS[number % len(SCENARIOS)]
        embedding = "on" if number % EMBEDDING_EVERY == EMBEDDING_EVERY - 1 else "off"
        scenario(self, embedding)
        self.killed[scenario.__name__] += 1
        self.check(embedding, rebuilt=number % REBUILT_EVERY == 0)

    # --- looking at what is left

    def check(self, embedding: str, *, rebuilt: bool) -> None:
        drafts = len(list(self.vault.rglob(".trilith-*")))
        self.counted["drafts left by kills, and tidied"] += drafts
        chosen = settings(self.home, semantic=embedding, watch="off")
        with open_app(chosen, [self.vault]) as app:
            (library,) = app.gate.libraries()
            if app.catalog.set_aside:
                raise Wrong(f"a kill has damaged the catalog: {app.catalog.set_aside}")
            app.follower.tidy(library)
            app.indexer.complete(library)
            if left := list(self.vault.rglob(".trilith-*")):
                raise Wrong(f"drafts are left: {left}")
            others = (path.name for kind in ("outside-*", "pair-*") for path in self.vault.glob(kind))
            expected = {LOG, *others}
            for writer in self.writers.values():
                for note in writer.notes:
                    expected |= self._settled(app, note)
            self._log(app)
            for writer in self.writers.values():
                self._pair(app, writer)
            if strange := {path.name for path in self.vault.glob("*.md")} - expected:
                raise Wrong(f"files that nobody wrote: {strange}")
            wrong = [f"{view} is off by {off}" for view, off in app.reporter.drift(library.name).items() if off]
            if rebuilt and embedding == "off":
                wrong += differences(app, chosen, self.vault)
                self.counted["comparisons with an index built from scratch"] += 1
            if wrong:
                raise Wrong("\n".join(wrong[:10]))
        for writer in self.writers.values():
            writer.notes = [note for note in writer.notes if note.settled and not note.gone]
            for note in writer.notes[: max(len(writer.notes) - MOST_NOTES, 0)]:
                self._take_away(note)
            writer.notes = [note for note in writer.notes if not note.gone]

    def _settled(self, app: App, note: Note) -> set[str]:
        """The file of a note, if it must be or is there: its text and version are one of those it may have."""
        filter = app.gate.filter(Principal())
        path = next((p for p in self.vault.glob("*.md") if p.name.startswith(_slug(note.title))), None)
        entry = app.catalog.by_id(NoteId(note.id), filter) if note.id else None
        if entry is None and not note.id and path is not None:
            entry = app.catalog.by_path(path.name, filter)
        may_be = [*([None if note.gone else (note.body, note.version)] if note.settled else [None]), *note.hoped]
        found = None if entry is None else (app.reader.read(entry, filter).content, entry.metadata.version)
        if found not in may_be:
            raise Wrong(f"{note}: found {str(found)[:300]}")
        if note.hoped:
            self.counted[
                "changes under way that came through" if found in note.hoped else "changes under way that did not"
            ] += 1
        if found is None and note.settled:
            if note.id not in {trashed.id for trashed in app.trash.kept(filter)}:
                raise Wrong(f"{note} is neither there nor in the trash")
            note.gone = True
        note.hoped = []
        if entry is None or found is None:
            return set()
        note.id, (note.body, note.version) = entry.id, found
        on_disk = (self.vault / entry.path).read_text(encoding="utf-8")
        if not on_disk.endswith(note.body):
            raise Wrong(f"{entry.path} is answered otherwise than it is on disk")
        return {entry.path}

    def _log(self, app: App) -> None:
        """The shared log has each acknowledged line once, and none that nobody asked for; its version counts them."""
        filter = app.gate.filter(Principal())
        entry = app.reader.find(filter, path=LOG)
        lines = [line for line in app.reader.read(entry, filter).content.splitlines() if line.startswith("line-")]
        acknowledged = [line for writer in self.writers.values() for line in writer.logged]
        for writer in self.writers.values():
            if writer.logging in lines:
                writer.logged.append(writer.logging)
                acknowledged.append(writer.logging)
            writer.logging = None
        if Counter(lines) != Counter(acknowledged):
            raise Wrong(f"log: {set(lines) ^ set(acknowledged)}")
        if entry.metadata.version != 1 + len(lines):
            raise Wrong(f"log: version {entry.metadata.version} after {len(lines)} lines")

    def _pair(self, app: App, writer: Writer) -> None:
        """A moved note is in one place, and the link to it has followed."""
        if writer.pair is None:
            return
        filter = app.gate.filter(Principal())
        link, target = (app.reader.find(filter, note_id=each) for each in writer.pair)
        places = list(self.vault.rglob(Path(target.path).name))
        if len(places) != 1:
            raise Wrong(f"{target.path} is in {len(places)} places: {places}")
        if [each.id for each in app.reader.read(link, filter).outgoing] != [target.id]:
            raise Wrong(f"{link.path} does not lead to {target.path}: {app.reader.read(link, filter).content}")

    def _take_away(self, note: Note) -> None:
        for path in self.vault.glob(f"{_slug(note.title)}*"):
            path.unlink()
        note.gone = True


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


# --- what is killed


def servers(trial: Trial, embedding: str) -> None:
    """A server to which three clients write."""
    port = free_port()
    server = start_server(trial.vault, trial.home, port, TRILITH_SEMANTIC=embedding)
    wait_until_ready(server)
    clients = {"rest-a": Rest(port), "rest-b": Rest(port), "mcp-a": McpHttp(port)}
    killed_at_work(trial, [server.process], [trial.writer(*each) for each in clients.items()])


def pipes(trial: Trial, embedding: str) -> None:
    """A stdio server, and its one client."""
    process = start_stdio(trial.vault, trial.home, TRILITH_SEMANTIC=embedding)
    client = Stdio(process)
    client.greet()
    killed_at_work(trial, [process], [trial.writer("stdio-a", client)])


def commands(trial: Trial, embedding: str) -> None:
    """Commands that find no server."""
    client = start_commands(trial.vault, trial.home, TRILITH_SEMANTIC=embedding)
    killed_at_work(trial, [client.process], [trial.writer("cli-a", client)], most=2.0)


def all_together(trial: Trial, embedding: str) -> None:
    """A server and a stdio server on one home, killed together."""
    port = free_port()
    server = start_server(trial.vault, trial.home, port, TRILITH_SEMANTIC=embedding)
    process = start_stdio(trial.vault, trial.home, TRILITH_SEMANTIC=embedding)
    client = Stdio(process)
    client.greet()
    wait_until_ready(server)
    writers = [
        trial.writer("rest-a", Rest(port)),
        trial.writer("mcp-b", McpHttp(port)),
        trial.writer("stdio-a", client),
    ]
    killed_at_work(trial, [server.process, process], writers)


def indexing(trial: Trial, embedding: str) -> None:
    """A server that reads what another program has changed."""
    for number in trial.random.sample(range(2 * OUTSIDE), OUTSIDE):
        path = trial.vault / f"outside-{number}.md"
        if path.exists() and trial.random.random() < 0.3:
            path.unlink()
        else:
            path.write_text(f"# Outside {number}\n\n[[log]] {trial.random.getrandbits(60):x}\n" * 20, encoding="utf-8")
    server = start_server(trial.vault, trial.home, free_port(), TRILITH_SEMANTIC=embedding)
    time.sleep(trial.random.uniform(0.5, 2.5))
    kill([server.process])


def rebuilding(trial: Trial, embedding: str) -> None:
    """`trilith index --rebuild`."""
    command = [sys.executable, "-m", "trilith", "index", str(trial.vault), "--rebuild"]
    environ = environment(trial.home, TRILITH_SEMANTIC=embedding)
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(trial.random.uniform(0.5, 2.0))
    kill([process])


Scenario = Callable[[Trial, str], None]
SCENARIOS: tuple[Scenario, ...] = (servers, pipes, indexing, commands, all_together, rebuilding, servers)


def killed_at_work(trial: Trial, processes: list[Process], writers: list[Writer], most: float = 1.0) -> None:
    """Let the writers write, kill the processes at a random moment, and wait until all have noticed."""
    done = sum(writer.done for writer in writers)
    failures: list[BaseException] = []
    threads = [threading.Thread(target=write, args=(writer, failures)) for writer in writers]
    for thread in threads:
        thread.start()
    until = time.monotonic() + PATIENCE
    while not failures and sum(writer.done for writer in writers) == done and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(trial.random.uniform(0.0, most))
    kill(processes)
    for thread in threads:
        thread.join()
    if failures:
        raise Wrong(repr(failures[0]))
    trial.counted["acknowledged writes"] += sum(writer.done for writer in writers) - done


def write(writer: Writer, failures: list[BaseException]) -> None:
    try:
        while True:
            writer.act()
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        return  # the server has gone
    except (Refused, AssertionError, LookupError) as failure:
        failures.append(failure)


def kill(processes: list[Process]) -> None:
    for process in processes:
        process.kill()
    for process in processes:
        process.wait()


def begin(trial: Trial) -> None:
    trial.vault.mkdir()
    trial.home.mkdir()
    (trial.vault / LOG).write_text(f"---\nid: {LOG_ID}\n---\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="Keep the folder also when all is well.")
    parser.add_argument("--dry", action="store_true", help="Write no results.")
    given = parser.parse_args()
    trial = Trial(Path(tempfile.mkdtemp(prefix="trilith-kill-")), Random(given.seed))
    begin(trial)
    begun, load_before = time.monotonic(), load()
    for number in range(given.rounds):
        try:
            trial.round(number)
        except Wrong as wrong:
            print(f"round {number} ({SCENARIOS[number % len(SCENARIOS)].__name__}) in {trial.folder}: {wrong}")
            return 1
        if number % 10 == 9:
            print(f"{number + 1} rounds, {time.monotonic() - begun:.0f} s, {dict(trial.counted)}", flush=True)
    if not given.keep:
        shutil.rmtree(trial.folder)
    found = {
        "rounds": given.rounds,
        "seed": given.seed,
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "surroundings": surroundings(),
        "load": {"before": load_before, "after": load()},
        "seconds": round(time.monotonic() - begun),
        "killed": dict(trial.killed),
        "counted": dict(trial.counted),
        "wrong": 0,
    }
    if not given.dry:
        (RESULTS / "kill.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        write_readme()
    return 0


if __name__ == "__main__":
    sys.exit(main())
