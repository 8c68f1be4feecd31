"""Cases from the field about real processes on one home: servers, commands beside them, and indexing that is cut off."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from tests.doors.command_line import environment, indexed, process, serving, write_vault
from tests.doors.stdio_client import call, command, started

from rebuilt import differences
from trilith.settings import load
from trilith.wiring import open_app

PATIENCE = 60.0
Json = dict[str, Any]
OFF = {"TRILITH_SEMANTIC": "off"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


class Rest:
    """REST of a server, asked as its owner's own programs do."""

    def __init__(self, url: str, home: Path) -> None:
        self._place = urlsplit(url)
        self._key = json.loads((home / "serve.json").read_text("utf-8"))["secret"]

    def ask(self, method: str, path: str, body: Json | None = None, **parameters: Any) -> tuple[int, Json]:
        connection = http.client.HTTPConnection(str(self._place.hostname), self._place.port or 0, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1{path}?{urlencode(parameters)}", sent, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def done(self, method: str, path: str, body: Json | None = None, **parameters: Any) -> Json:
        """Asked again while the server says that it cannot answer yet."""
        deadline = time.monotonic() + PATIENCE
        while True:
            status, answer = self.ask(method, path, body, **parameters)
            if status < 300:
                return answer
            assert answer["code"] == "unavailable", answer
            assert time.monotonic() < deadline, answer
            time.sleep(0.05)

    def found(self, query: str) -> set[str]:
        answer = self.done("GET", "/search", q=query, mode="fulltext", limit=50)
        return {hit["path"] for hit in answer["results"]}


@contextmanager
def server(vault: Path, home: Path, *more: str, **env: str) -> Iterator[Rest]:
    with serving(vault, *more, home=home, ready=indexed, **{**OFF, **env}) as url:
        yield Rest(url, home)


def until(condition: Callable[[], bool], told: Callable[[], object] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, told()
        time.sleep(0.02)


def put(vault: Path, name: str, text: str) -> None:
    (vault / name).write_text(text, encoding="utf-8")


def trilith(*arguments: object, home: Path) -> Json:
    """What a command answers as JSON, as a process of its own."""
    done = process(*arguments, "--json", home=home, env=OFF)
    assert done.status == 0, done.out + done.err
    answer: Json = done.json
    return answer


# --- C04, C10, C11: one index, many processes


def test_c04_commands_work_beside_a_server_that_sees_what_they_have_indexed(vault: Path, home: Path) -> None:
    """Server running, then CLI `reindex`/`search`: no lock is held for life; the server's reader reloads on commit."""
    with server(vault, home, "--no-watch") as rest:
        put(vault, "zebra.md", "a zebra on the plain\n")
        assert rest.found("zebra") == set(), "nobody has told it"
        (report,) = trilith("index", vault, home=home)["libraries"]
        assert (report["read"], report["documents"]) == (1, 6)
        assert rest.found("zebra") == {"zebra.md"}
        by_server = trilith("search", "zebra", "--mode", "fulltext", home=home)
        assert [hit["path"] for hit in by_server["results"]] == ["zebra.md"]
        with started(command(vault), home, env=environment(home, **OFF)) as pipe:
            pipe.greet()
            put(vault, "okapi.md", "an okapi in the wood\n")
            trilith("index", vault, home=home)
            heard = pipe.ask(call("lithos_search", query="okapi", mode="fulltext"))["result"]["structuredContent"]
            assert [hit["path"] for hit in heard["results"]] == ["okapi.md"]
        assert rest.found("okapi") == {"okapi.md"}


@pytest.mark.parametrize("reset", ["index --rebuild", "library remove", "index files deleted"])
def test_c10_an_index_that_is_reset_under_a_running_server_comes_back(vault: Path, home: Path, reset: str) -> None:
    """Reset while running: coordinated. The server answers on, and soon as before; ids stay, and the vault is untouched."""
    for number in range(60):
        put(vault, f"zebra {number}.md", f"zebra{number} on the plain\n")
    with server(vault, home, TRILITH_RESCAN_SECONDS="1") as rest:
        before = {path: path.read_bytes() for path in vault.rglob("*.md")}
        ids = {note["path"]: note["id"] for note in rest.done("GET", "/notes", limit=200)["items"]}
        if reset == "index --rebuild":
            (report,) = trilith("index", vault, "--rebuild", home=home)["libraries"]
            assert report["documents"] == 65
        elif reset == "library remove":
            trilith("library", "remove", "notes", home=home)
            assert rest.ask("GET", "/search", q="zebra7", mode="fulltext")[1].get("results", []) == []
            trilith("library", "add", vault, home=home)
        else:
            shutil.rmtree(home / "index" / "fulltext")
        until(lambda: rest.found("zebra7") == {"zebra 7.md"})
        until(lambda: indexed(rest.done("GET", "/status")))
        assert rest.done("GET", "/notes", limit=1)["total"] == 65
        again = {note["path"]: note["id"] for note in rest.done("GET", "/notes", limit=200)["items"]}
        assert {path: ids[path] for path in again if path in ids} == {
            path: again[path] for path in again if path in ids
        }
        made = rest.done("POST", "/notes", {"title": "After", "content": "an okapi\n"})
        assert rest.found("okapi") == {made["path"]}
        assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("part", ["term", "idx", "fast"])
def test_c10_full_text_that_is_cut_short_under_a_running_server_heals_by_itself(
    vault: Path, home: Path, part: str
) -> None:
    """Files cut short that the server has mapped: it lives on, says that full text is down or answers rightly, and soon has
    built it anew; never an empty answer without a word."""
    for number in range(60):
        put(vault, f"zebra {number}.md", f"zebra{number} on the plain\n")
    with server(vault, home) as rest:
        assert rest.found("zebra7") == {"zebra 7.md"}
        for file in (home / "index" / "fulltext").rglob(f"*.{part}"):
            os.truncate(file, 40)

        def answers() -> bool:
            status, answer = rest.ask("GET", "/search", q="zebra7", mode="fulltext")
            if status == 503:
                assert answer["code"] == "search_backend_error"
                return False
            paths = [hit["path"] for hit in answer["results"]]
            assert paths == ["zebra 7.md"] or "built" in json.dumps(answer["diagnostics"]), answer
            return bool(paths)

        until(answers)
        assert indexed(rest.done("GET", "/status"))


@pytest.mark.timeout(120)
def test_c11_writing_indexing_and_deleting_at_once_comes_to_an_end(vault: Path, home: Path) -> None:
    """Deadlock families: a stress of write + index + delete with a time limit. Every call is answered, every process
    ends, and afterwards the index is what one built from scratch would be."""
    with server(vault, home) as rest:

        def write_and_delete(writer: int) -> list[str]:
            kept = []
            for number in range(8):
                made = rest.done(
                    "POST", "/notes", {"title": f"W{writer} {number}", "content": f"text [[W{writer} 0]]\n"}
                )
                edit = {"operation": "append", "content": "more\n"}
                rest.done("POST", f"/notes/{made['id']}/edit", edit)
                rest.done("GET", "/search", q=f"w{writer}", mode="fulltext")
                if number % 2:
                    rest.done("DELETE", f"/notes/{quote(made['id'])}")
                else:
                    kept.append(made["path"])
            return kept

        def index_again() -> None:
            for more in (["--rebuild"], []):
                trilith("index", vault, *more, home=home)

        def come_and_go() -> None:
            for number in range(40):
                put(vault, f"outside {number % 5}.md", f"outside {number}\n")
                (vault / f"outside {(number + 2) % 5}.md").unlink(missing_ok=True)

        with ThreadPoolExecutor(8) as threads:
            writers = [threads.submit(write_and_delete, writer) for writer in range(4)]
            others = [threads.submit(each) for each in (index_again, come_and_go)]
            kept = [path for writer in writers for path in writer.result()]
            for other in others:
                other.result()
        there = {str(path.relative_to(vault)) for path in vault.rglob("*.md")}
        assert set(kept) <= there
        until(lambda: rest.done("GET", "/notes", limit=1)["total"] == len(there))
    with open_app(load(home, semantic="off", watch="off"), [vault]) as app:
        app.indexer.complete(app.gate.libraries()[0])
        assert differences(app, load(home, semantic="off"), vault, ("outside", "text")) == []


# --- M14


def test_m14_settings_are_read_again_when_they_change(vault: Path, home: Path) -> None:
    """CLI and server disagree: config re-read on change. What a server takes over at once holds for it as for a command;
    `doctor` says what does not. Flags go on winning, and a file that is wrong changes nothing."""
    settings = home / "trilith.toml"
    draft = {"title": "T", "content": "x\n"}

    def change(text: str) -> None:
        settings.with_suffix(".tmp").write_text(text, encoding="utf-8")
        settings.with_suffix(".tmp").replace(settings)

    with server(vault, home) as rest:
        (check,) = [each for each in trilith("doctor", home=home)["checks"] if each["name"] == "server"]
        assert check["verdict"] == "ok"
        rest.done("POST", "/notes", draft)
        change("read_only = true\n")
        assert rest.ask("POST", "/notes", draft)[1]["code"] == "read_only"
        refused = process("write", "T", "--content", "x", home=home, env=OFF)
        assert (refused.status, "may only be read" in refused.err) == (1, True)
        assert rest.found("gather") == {"asyncio.md"}
        change("read_only = maybe\n")
        assert rest.ask("POST", "/notes", draft)[1]["code"] == "read_only", "nothing is opened by a mistake"
        change("port = 9000\n")
        rest.done("POST", "/notes", {**draft, "title": "Another"})
        (check,) = [each for each in trilith("doctor", home=home)["checks"] if each["name"] == "server"]
        assert check["verdict"] == "notice"
        assert "trilith.toml was changed" in check["message"]
    with server(vault, home, "--read-only") as rest:
        change("read_only = false\n")
        assert rest.ask("POST", "/notes", draft)[1]["code"] == "read_only", "the flag wins"


# --- W08, W16


def test_w08_the_index_is_outside_of_the_vault_and_each_vault_has_its_own(tmp_path: Path) -> None:
    """The index is outside the vault by default, keyed by vault."""
    vaults = [write_vault(tmp_path / place / "notes") for place in ("one", "two")]
    put(vaults[1], "zebra.md", "a zebra on the plain\n")
    before = [sorted(vault.rglob("*")) for vault in vaults]
    user = tmp_path / "user"
    user.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRILITH_", "XDG_"))}
    env = {**kept, **OFF, "HOME": str(user), "USERPROFILE": str(user), "APPDATA": str(user), "LOCALAPPDATA": str(user)}

    def run(*arguments: object) -> Json:
        line = [sys.executable, "-m", "trilith", *map(str, arguments), "--json"]
        done = subprocess.run(line, env=env, capture_output=True, encoding="utf-8", check=True, cwd=vaults[0])
        answer: Json = json.loads(done.stdout)
        return answer

    names = [run("index", vault)["libraries"][0]["name"] for vault in vaults]
    assert len(set(names)) == 2
    assert [sorted(vault.rglob("*")) for vault in vaults] == before
    assert list(user.rglob("ledger.db")), "in the user's own data folder"
    found = [run("search", "zebra", "--mode", "fulltext", "--library", name)["results"] for name in names]
    assert [len(hits) for hits in found] == [0, 1]


def test_w08_a_vault_and_a_home_that_are_moved_keep_everything(vault: Path, home: Path, tmp_path: Path) -> None:
    """Moving it works: the vault, once its owner has said where it is now, and the home, without a word."""
    ids = {note["path"]: note["id"] for note in trilith("list", "--vault", vault, home=home)["items"]}
    trashed = trilith("delete", "bread.md", home=home)
    elsewhere = vault.rename(tmp_path / "elsewhere")
    lost = process("list", "--library", "notes", home=home, env=OFF)
    assert "trilith library move" in lost.err
    assert trilith("library", "move", "notes", elsewhere, home=home)["root"] == str(elsewhere)
    (report,) = trilith("index", elsewhere, home=home)["libraries"]
    assert (report["name"], report["read"], report["documents"]) == ("notes", 0, 4), "nothing is read again"
    moved = home.rename(tmp_path / "another home")
    again = {note["path"]: note["id"] for note in trilith("list", home=moved)["items"]}
    assert again == {path: ids[path] for path in again}
    assert process("doctor", "--repair", home=moved, env=OFF).status == 0
    assert trilith("restore", trashed["key"], home=moved)["id"] == ids["bread.md"]
    assert (elsewhere / "bread.md").is_file()


def test_w08_a_moved_vault_that_is_taken_for_a_new_one_says_so(vault: Path, home: Path, tmp_path: Path) -> None:
    """Moving it works: whoever just opens the folder at its new place is told how to have everything back."""
    trilith("index", vault, home=home)
    (tmp_path / "deep").mkdir()
    there = vault.rename(tmp_path / "deep" / "notes")
    done = process("index", there, home=home, env=OFF)
    assert f"trilith library move notes '{there}'" in done.err
    name = done.out.split(":")[0].split()[0]
    refused = process("library", "move", "notes", there, home=home, env=OFF)
    assert refused.status == 2
    assert "trilith library remove" in refused.err, name
    trilith("library", "remove", "notes-2", home=home)
    trilith("library", "move", "notes", there, home=home)
    assert trilith("list", home=home)["total"] == 5


def test_w16_status_tells_how_far_the_index_is(vault: Path, home: Path) -> None:
    """Freshness: `status` shows pending counts and the last scan; a write can wait until it is found."""
    for number in range(1000):
        put(vault, f"{number}.md", f"zebra{number}\n" + "a line of text\n" * 20)
    told: list[Json] = []

    def ready(status: Json) -> bool:
        told.extend(status["libraries"])
        return indexed(status)

    with serving(vault, home=home, ready=ready, **OFF) as url:
        rest = Rest(url, home)
        assert any(each["pending"]["fulltext"] and not each["last_scan"] for each in told), "it was seen at work"
        (library,) = rest.done("GET", "/status")["libraries"]
        assert (library["pending"], library["documents"]) == ({"fulltext": 0, "vectors": 0}, 1005)
        made = rest.done("POST", "/notes", {"title": "New", "content": "an okapi\n", "wait": True})
        assert rest.found("okapi") == {made["path"]}
        scanned = datetime.fromisoformat(library["last_scan"])
        until(lambda: datetime.now(UTC) >= scanned + timedelta(seconds=1))  # it is told to the second
        put(vault, "late.md", "a gnu\n")
        until(lambda: rest.done("GET", "/status")["libraries"][0]["last_scan"] > library["last_scan"])
        until(lambda: rest.found("gnu") == {"late.md"})


# --- Z03

MANY = 3_000
"""Notes, for a run that takes a second or two."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_z03_an_index_run_that_is_cut_off_goes_on_where_it_stopped(tmp_path: Path, home: Path, number: int) -> None:
    """Indexing is pausable and resumable: an interrupted run continues where it stopped, and reads no note twice."""
    vault = tmp_path / "large"
    vault.mkdir()
    for count in range(MANY):
        put(vault, f"{count}.md", f"# Zebra {count}\n\n" + "a line of text\n" * 20)
    line = [sys.executable, "-m", "trilith", "index", str(vault), "--json"]
    with open_app(load(home, semantic="off")) as app:
        running = subprocess.Popen(
            line,
            env=environment(home, **OFF),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A shell makes what it runs in the background deaf to Ctrl-C, and so would be the child of such a test run.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no thread here holds a lock that it needs
        )
        until(lambda: len(app.catalog.known_files("large")) > 0)
        running.send_signal(number)
        out, err = running.communicate(timeout=PATIENCE)
        assert running.returncode != 0, "it was cut off before its end"
        assert b"Traceback" not in out + err
        before = len(app.catalog.known_files("large"))
        assert before < MANY
        (report,) = trilith("index", vault, home=home)["libraries"]
        assert (report["read"], report["documents"]) == (MANY - before, MANY)
