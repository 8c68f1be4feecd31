"""A process that moves a note with hundreds of backlinks is killed; the next one, whatever it was started for, ends it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.doors.command_line import Done, environment, process

PATIENCE = 60.0
BACKLINKS = 300
LINKS = ("[[hub]]", "[[hub#part|it]]", "![[hub]]", "[it](hub.md)", "[it](/hub.md#part)", "[[./hub]]")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def vault(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "hub.md").write_text("# Hub\n\n## part\n\nBack to [the first](n000.md) and [[n001]].\n", encoding="utf-8")
    for number in range(BACKLINKS):
        text = f"---\nup: '[[hub]]'\n---\nNote {number} leads to {LINKS[number % len(LINKS)]}.\n"
        (root / f"n{number:03}.md").write_text(text, encoding="utf-8")
    assert trilith("index", root, home=home).status == 0
    return root


def trilith(*arguments: object, home: Path) -> Done:
    return process(*arguments, home=home, env={"TRILITH_SEMANTIC": "off"})


def texts(vault: Path) -> dict[str, str]:
    return {path.relative_to(vault).as_posix(): path.read_bytes().decode() for path in vault.rglob("*.md")}


def killed(home: Path, move: tuple[str, str], last: Path) -> None:
    """Begin a move, and kill it as soon as the file `last` is another one."""
    before = last.read_bytes() if last.exists() else None
    command = [sys.executable, "-m", "trilith", "move", *move]
    mover = subprocess.Popen(command, env=environment(home, TRILITH_SEMANTIC="off"), stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while not last.exists() or last.read_bytes() == before:
        assert time.monotonic() < deadline
        assert mover.poll() is None, "it was through before it could be killed"
        time.sleep(0.001)
    mover.kill()
    mover.wait(PATIENCE)


def test_a_move_that_was_killed_is_ended_by_the_next_process(vault: Path, home: Path) -> None:
    """No link is lost, none is rewritten twice, and the way back, killed as well, leaves every byte as it was."""
    before = texts(vault)
    note = trilith("read", "hub.md", "--json", home=home).json["id"]
    killed(home, ("hub.md", "far/new hub.md"), vault / "far" / "new hub.md")
    assert any("new hub" not in text for path, text in texts(vault).items() if path[0] == "n"), "nothing is left to do"

    assert trilith("search", "leads", home=home).status == 0
    after = texts(vault)
    assert after.keys() ^ before.keys() == {"hub.md", "far/new hub.md"}
    assert all(text.count("new hub") + text.count("new%20hub") == 2 for path, text in after.items() if path[0] == "n")
    document = trilith("read", note, "--json", home=home).json
    assert document["path"] == "far/new hub.md"
    assert len(document["links"]["incoming"]) == 200
    assert document["links_truncated"], "they are more"
    assert len(document["links"]["outgoing"]) == 2
    assert not trilith("doctor", "--json", home=home).json["problems"]

    killed(home, (note, "hub.md"), vault / "n150.md")
    assert any("new hub" in text for path, text in texts(vault).items() if path[0] == "n"), "nothing is left to do"
    assert trilith("status", home=home).status == 0
    assert trilith("edit", "n299.md", "--append", "More.", home=home).status == 0
    assert texts(vault) | {"n299.md": before["n299.md"]} == before
