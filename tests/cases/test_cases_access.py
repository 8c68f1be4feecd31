"""Cases from the field about who may do what: folder rules, foreign vaults, sessions."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.doors.command_line import environment
from tests.doors.doorkeepers import OWN, doorkeeper

from trilith.access.libraries import register
from trilith.access.office import Office
from trilith.clock import SystemClock
from trilith.home.accounts import SqliteAccounts
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.starting import opened
from trilith.surfaces.opening import Opening

API = "/api/v1"
AGENT = {"agent": "tester"}
ACCEPT = {"accept": "application/json, text/event-stream"}


class Ruled:
    """A server over one library in which `private/` is hidden and `archive/` protected."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def tool(self, name: str, **arguments: Any) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        answer = self.client.post("/mcp/lithos", json=message, headers=ACCEPT)
        return answer.json()["result"]["structuredContent"]

    def id_of(self, path: str) -> str:
        return str(self.tool("lithos_read", path=path)["id"])


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for folder in ("private", "archive", "open"):
        (tmp_path / "notes" / folder).mkdir(parents=True)
        text = f"---\ntags: [{folder}-tag]\n---\nzebra of [[open/here]] and [[private/here]]\n"
        (tmp_path / "notes" / folder / "here.md").write_text(text)
    return tmp_path / "notes"


@pytest.fixture
def ruled(vault: Path, tmp_path: Path) -> Iterator[Ruled]:
    home = tmp_path / "home"
    home.mkdir()
    file = LedgerFile(home / "ledger.db")
    office = Office(SqliteLedger(file), SqliteAccounts(file), SystemClock())
    register(office.ledger, vault)
    office.set_folders("notes", ["private"], ["archive"])
    file.close()
    opening = Opening(opened(load(home, semantic="off", watch="off"), [], None))
    with TestClient(
        application(opening, ["lithos"], "127.0.0.1", doorkeeper(), Meter()), base_url="http://localhost"
    ) as client:
        while client.get(f"{API}/status").json()["state"] != "ready":
            pass
        yield Ruled(client)


def test_x08_folders_are_closed_to_reading_and_writing(ruled: Ruled, vault: Path) -> None:
    """Write-allow and read-deny; deny wins; the error names the active scope."""
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    assert {hit["path"] for hit in ruled.tool("lithos_search", query="zebra", mode="fulltext")["results"]} == {
        "archive/here.md",
        "open/here.md",
    }
    assert set(ruled.tool("lithos_tags")["tags"]) == {"archive-tag", "open-tag"}
    assert ruled.tool("lithos_stats")["documents"] == 2
    assert ruled.tool("lithos_read", path="private/here.md")["code"] == "doc_not_found"
    near = ruled.tool("lithos_related", id=ruled.id_of("archive/here.md"))
    assert [note["path"] for note in near["links"]["outgoing"]] == ["open/here.md"]
    for place, code in (("private", "path_forbidden"), ("PRIVATE/sub", "path_forbidden"), ("archive", "read_only")):
        refused = ruled.tool("lithos_write", title="new", content="x", path=place, **AGENT)
        assert refused["code"] == code
        assert f"'{place.partition('/')[0].lower()}/' of library 'notes'" in refused["message"]
    kept = ruled.id_of("archive/here.md")
    for refused in (
        ruled.tool("lithos_write", id=kept, title="here", content="x", **AGENT),
        ruled.tool("lithos_delete", id=kept, **AGENT),
        ruled.tool("note_edit", id=kept, operation="append", content="x", **AGENT),
    ):
        assert refused["code"] == "read_only"
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


@pytest.mark.parametrize(
    ("path", "to", "code"),
    [
        ("open/here.md", "archive/", "read_only"),
        ("open/here.md", "private/new.md", "path_forbidden"),
        ("open/here.md", "PRIVATE/", "path_forbidden"),
        ("archive/here.md", "open/there.md", "read_only"),
        ("private/here.md", "open/there.md", "doc_not_found"),
    ],
)
def test_x08_both_ends_of_a_move_are_checked(ruled: Ruled, vault: Path, path: str, to: str, code: str) -> None:
    """Both ends of a move checked, error names the active scope."""
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    assert ruled.tool("note_move", path=path, to=to, **AGENT)["code"] == code
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_x08_a_move_leaves_links_in_closed_folders_as_they_are(ruled: Ruled, vault: Path) -> None:
    """What may not be written is not rewritten: it is told of where it may be seen, and not where it may not."""
    before = {folder: (vault / folder / "here.md").read_bytes() for folder in ("archive", "private")}
    moved = ruled.tool("note_move", path="open/here.md", to="open/there.md", **AGENT)
    assert moved["path"] == "open/there.md"
    assert {folder: (vault / folder / "here.md").read_bytes() for folder in ("archive", "private")} == before
    assert "archive/here.md" in str(moved)
    assert "private" not in str(moved)


def test_x08_a_link_within_the_vault_does_not_open_a_closed_folder(ruled: Ruled, vault: Path) -> None:
    """Deny wins also where a path leads into the folder by a link; nothing of what is there is told."""
    (vault / "way").symlink_to("private", target_is_directory=True)
    (vault / "road").symlink_to(vault / "archive", target_is_directory=True)
    for path, code in (
        ("way/here.md", "path_forbidden"),
        ("way/new.md", "path_forbidden"),
        ("road/new.md", "read_only"),
    ):
        refused = ruled.tool("lithos_write", title="x", content="x", path=path, **AGENT)
        assert refused["code"] == code
        assert "existing" not in refused
        assert ruled.tool("note_move", path="open/here.md", to=path, **AGENT)["code"] == code
    assert sorted(path.name for path in vault.glob("*/*.md")) == ["here.md"] * 5
    assert not list(vault.rglob("new.md"))


def test_x08_both_ends_of_a_restoration_are_checked(ruled: Ruled, vault: Path) -> None:
    """What was deleted before its folder was closed does not come back into it."""
    assert ruled.tool("lithos_delete", id=ruled.id_of("open/here.md"), **AGENT)["success"]
    (key,) = [each["key"] for each in ruled.client.get(f"{API}/trash").json()["items"]]
    file = LedgerFile(vault.parent / "home" / "ledger.db")
    SqliteLedger(file).set_folders("notes", ["open"], [])
    file.close()
    assert ruled.client.get(f"{API}/trash").json()["items"] == []
    assert ruled.client.post(f"{API}/trash/{key}/restore").status_code == 404
    assert not (vault / "open" / "here.md").exists()


def test_x11_files_of_a_vault_configure_nothing(vault: Path, tmp_path: Path) -> None:
    """Files inside a vault can never set commands, model downloads, or paths outside it."""
    hostile = 'host = "0.0.0.0"\nsemantic = "off"\nhome = "/tmp/evil"\nread_only = true\n'
    (vault / "trilith.toml").write_text(hostile)
    (vault / ".trilith").mkdir()
    (vault / ".trilith" / "trilith.toml").write_text(hostile)
    (vault / ".env").write_text("TRILITH_HOST=0.0.0.0\nTRILITH_HOME=/tmp/evil\nTRILITH_SEMANTIC=off\n")
    (vault / "sitecustomize.py").write_text("raise SystemExit(99)\n")
    (vault / "trilith.py").write_text("raise SystemExit(98)\n")
    (vault / ".trilithignore").write_text("!../../**\n")
    (tmp_path / "outside.md").write_text("zebra outside\n")
    code = "from trilith.settings import load; s = load(); print(s.host, s.semantic, s.home, s.read_only)"
    env = environment(tmp_path / "home", PYTHONSAFEPATH="1")
    done = subprocess.run([sys.executable, "-c", code], cwd=vault, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["127.0.0.1", "on", str(tmp_path / "home"), "False"]
    program = Path(sys.executable).with_name("trilith")
    found = subprocess.run(
        [program, "search", "zebra", "--mode", "fulltext", "--vault", ".", "--json"],
        cwd=vault,
        env=environment(tmp_path / "home"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "outside.md" not in found.stdout
    assert "open/here.md" in found.stdout
    assert not os.path.exists("/tmp/evil")  # noqa: PTH110


def test_m04_a_session_of_a_former_server_does_not_matter(ruled: Ruled) -> None:
    """Stateless by default: a session id from before a restart is neither 400, 404 nor 503."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    stale = {**ACCEPT, "mcp-session-id": "of-yesterday", "Authorization": f"Bearer {OWN}"}
    for path in ("/mcp", "/mcp/lithos", "/l/notes/mcp"):
        answer = ruled.client.post(path, json=message, headers=stale)
        assert answer.status_code == 200
        assert "mcp-session-id" not in answer.headers
