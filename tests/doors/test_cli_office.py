"""`trilith user`, `grant`, `key` and the rules of `library`, as an owner types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine, process, serving, write_vault

from trilith.access.keys import LOOKS_LIKE_ONE


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "vault")


def test_a_key_is_shown_once(trilith: CommandLine) -> None:
    made = trilith("key", "create")
    secret, *rest = made.out.splitlines()
    assert LOOKS_LIKE_ONE.fullmatch(secret)
    assert "first key" in rest[-1]
    assert "first key" not in trilith("key", "create").out
    listed = trilith("key", "list", "--json").json["keys"]
    assert [(key["user"], key["rights"], key["revoked"]) for key in listed] == [("owner", "read,write", None)] * 2
    assert secret not in trilith("key", "list").out
    assert trilith("key", "revoke", listed[0]["id"]).status == 0
    assert [key["revoked"] is None for key in trilith("key", "list", "--json").json["keys"]] == [False, True]
    assert "It was the last" not in trilith("key", "revoke", listed[0]["id"]).out
    last = trilith("key", "revoke", listed[1]["id"]).out
    assert "every HTTP request is refused now" in last
    assert "trilith key create" in last
    assert all(secret.encode() not in file.read_bytes() for file in trilith.home.rglob("*") if file.is_file())


def test_users_own_libraries_and_are_granted_others(trilith: CommandLine, vault: Path) -> None:
    assert trilith("library", "add", vault, "--owner", "bea").status == 1, "there is no such user yet"
    assert trilith("user", "add", "bea").status == 0
    assert trilith("library", "add", vault, "--owner", "bea").status == 0
    assert trilith("library", "add", vault, "--owner", "bea").status == 0
    assert trilith("library", "list", "--json").json["libraries"][0]["owner"] == "bea"
    assert trilith("user", "add", "cy").status == 0
    assert trilith("library", "add", vault, "--owner", "cy").status == 2, "it is bea's"
    assert trilith("grant", "add", "vault", "cy", "--role", "writer").status == 0
    assert trilith("grant", "list", "--json").json["grants"] == [{"library": "vault", "user": "cy", "role": "writer"}]
    assert trilith("grant", "remove", "vault", "cy").status == 0
    assert trilith("grant", "remove", "vault", "cy").status == 1


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("user add Bea", 2),
        ("user add a/b", 2),
        ("user add owner", 2),
        ("key create --user nobody", 1),
        ("key create --library none", 1),
        ("key create --right all", 2),
        ("key create --expires soon", 2),
        ("key create --expires 2001-01-01", 2),
        ("key revoke none", 1),
        ("grant add none owner", 1),
        ("library folders none", 1),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_made(trilith: CommandLine, command: str, status: int) -> None:
    done = trilith(*command.split(), "--json")
    assert done.status == status
    assert done.json["status"] == "error"
    assert trilith("key", "list", "--json").json == {"keys": []}
    assert trilith("user", "list", "--json").json == {"users": [{"name": "owner"}]}


def test_folders_are_hidden_and_protected(trilith: CommandLine, vault: Path) -> None:
    for folder in ("private", "archive"):
        (vault / folder).mkdir()
        (vault / folder / "x.md").write_text(f"zebra in {folder}\n")
    trilith("library", "add", vault)
    ruled = trilith("library", "folders", "vault", "--hide", "private", "--protect", "archive/", "--json").json
    assert (ruled["hidden"], ruled["protected"]) == (["private"], ["archive"])
    assert trilith("library", "folders", "vault", "--hide", "../x").status == 1
    assert [hit["path"] for hit in trilith("search", "zebra", "--mode", "fulltext", "--json").json["results"]] == [
        "archive/x.md"
    ]
    assert trilith("read", "private/x.md").status == 1
    for command in (
        ("write", "New", "--path", "archive/new.md", "--content", "x"),
        ("delete", "archive/x.md"),
        ("edit", "archive/x.md", "--append", "more"),
    ):
        refused = trilith(*command, "--json")
        assert (refused.status, refused.json["code"]) == (1, "read_only"), refused
        assert "'archive/'" in refused.json["message"]
    closed = trilith("write", "New", "--path", "PRIVATE/new.md", "--content", "x", "--json")
    assert closed.json["code"] == "path_forbidden"
    assert (
        sorted(file.name for file in vault.glob("*/*.md") if file.parent.name in ("private", "archive")) == ["x.md"] * 2
    )
    assert trilith("library", "folders", "vault", "--clear").out == "hidden: none\nread-only: none\n"
    assert len(trilith("search", "zebra", "--mode", "fulltext", "--json").json["results"]) == 2


def test_the_owners_own_commands_need_no_key(tmp_path: Path, vault: Path) -> None:
    home = tmp_path / "home"
    process("library", "add", vault, home=home)
    process("key", "create", home=home)
    with serving(home=home, ready=lambda status: status["state"] == "ready", TRILITH_SEMANTIC="off"):
        done = process("search", "sourdough", "--mode", "fulltext", home=home)
        assert "via http://127.0.0.1" in done.err
        notice = home / "serve.json"
        assert notice.stat().st_mode & 0o077 == 0
        assert json.loads(notice.read_text())["secret"] not in done.out + done.err
