"""Stories of a note through every door: made, found, edited, contested, deleted, brought back; and moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
from tests.dialects.lithos_client import over_http, over_stdio
from tests.doors.command_line import CommandLine
from tests.doors.writers import Door, McpDoor, TerminalDoor, rest_server

HUB = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    command_line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return command_line


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "hub.md").write_text(f"---\nid: {HUB}\n---\nLeads to [[wanderer]].\n", encoding="utf-8")
    return root


@pytest.fixture(params=["MCP over stdio", "MCP over HTTP", "REST", "terminal", "terminal beside a server"])
def door(request: pytest.FixtureRequest, trilith: CommandLine, vault: Path) -> Iterator[Door]:
    with opened(request.param, trilith, vault) as door:
        yield door


@contextmanager
def opened(kind: str, trilith: CommandLine, vault: Path) -> Iterator[Door]:
    if kind == "MCP over stdio":
        with over_stdio(vault, trilith.home) as lithos:
            yield McpDoor(lithos, trilith.home)
    elif kind == "MCP over HTTP":
        with over_http(vault, trilith.home, "2026-07-28") as lithos:
            yield McpDoor(lithos, trilith.home)
    elif kind == "REST":
        with rest_server(vault, trilith.home) as rest:
            yield rest
    elif kind == "terminal":
        trilith("index", vault)
        yield TerminalDoor(trilith)
    else:
        with rest_server(vault, trilith.home):
            assert "via http" in trilith("restore").err
            yield TerminalDoor(trilith)


def test_one_note_from_its_making_to_its_return(door: Door, vault: Path) -> None:
    made = door.create("Wanderer", "A quokka roams. See [[hub]].\n")
    note, file = made["id"], vault / "wanderer.md"
    assert str(UUID(note)) == note
    assert (made["status"], made["version"], made["path"]) == ("created", 1, "wanderer.md")
    assert (made["library"], made["warnings"]) == ("notes", [])
    assert door.found("quokka") == [note]
    assert door.read(HUB)["links"] == {"outgoing": [note], "incoming": [note]}

    edited = door.append(note, "It also swims.", 1)
    assert (edited["status"], edited["id"], edited["version"]) == ("updated", note, 2)
    assert door.found("swims") == [note]
    text = file.read_text(encoding="utf-8")
    assert text.endswith("---\nA quokka roams. See [[hub]].\nIt also swims.\n")
    assert f"id: {note}\ntitle: Wanderer\nauthor: ann\n" in text
    assert "contributors" not in text

    contested = door.rewrite(note, "Lost.\n", 1)
    assert (contested["status"], contested["code"]) == ("error", "version_conflict")
    assert contested["current_version"] == 2
    assert file.read_text(encoding="utf-8") == text

    taken = door.create("Wanderer", "Another.\n")
    assert taken["code"] == "slug_collision"
    assert taken["existing"] == {"id": note, "path": "wanderer.md", "version": 2}

    assert door.delete(note)["success"] is True
    assert not file.exists()
    assert door.found("quokka") == []
    assert door.read(note)["code"] == "doc_not_found"
    assert door.read(HUB)["links"] == {"outgoing": [], "incoming": []}

    back = door.restore()
    assert (back["status"], back["id"], back["path"], back["version"]) == ("restored", note, "wanderer.md", 2)
    assert file.read_text(encoding="utf-8") == text
    assert door.found("quokka") == [note]
    document = door.read(note)
    assert document["content"] == "A quokka roams. See [[hub]].\nIt also swims.\n"
    assert document["links"] == {"outgoing": [HUB], "incoming": [HUB]}
    assert door.read(HUB)["links"] == {"outgoing": [note], "incoming": [note]}
    assert door.rewrite(note, "Home.\n", 2)["version"] == 3


def test_one_note_from_one_place_to_another(door: Door, vault: Path) -> None:
    note = door.create("Wanderer", "A quokka roams. See [[hub]].\n")["id"]
    moved = door.move(note, "far/Away Now.md")
    assert moved == {
        "status": "moved",
        "id": note,
        "path": "far/Away Now.md",
        "old_path": "wanderer.md",
        "version": 1,
        "library": "notes",
        "links_updated": 1,
        "notes_changed": 1,
        "failed": [],
        "warnings": [],
    }
    assert (vault / "hub.md").read_text(encoding="utf-8") == f"---\nid: {HUB}\n---\nLeads to [[Away Now]].\n"
    assert not (vault / "wanderer.md").exists()
    assert door.found("quokka") == [note]
    assert door.read(HUB)["links"] == {"outgoing": [note], "incoming": [note]}
    assert door.read(HUB)["metadata"]["version"] == 2
    assert door.rewrite(HUB, "Lost.\n", 1)["code"] == "version_conflict"

    assert door.move(note, "far")["status"] == "unchanged"
    taken = door.move(note, "hub.md")
    assert (taken["code"], taken["existing"]) == ("slug_collision", {"id": HUB, "path": "hub.md", "version": 2})
    for out in ("../x.md", ".hidden/x.md", "/etc/x.md", "C:\\x.md"):
        assert door.move(note, out)["code"] == "path_forbidden"
    assert (vault / "far" / "Away Now.md").exists()
