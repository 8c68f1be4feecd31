"""Moving, deleting and links that wait: the cases from the field, through REST on a real index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cases.test_cases_writes import Base, Json, served
from tests.doors.command_line import CommandLine

SPELLINGS = {
    "[[old]]": "[[new]]",
    "[[old|x]]": "[[new|x]]",
    "[[old#h]]": "[[new#h]]",
    "![[old]]": "![[new]]",
    "[t](/d/old.md)": "[t](/d/new.md)",
    "[t](old.md#h)": "[t](new.md#h)",
    "[a\\]b](old.md)": "[a\\]b](new.md)",
    "[r]: old.md": "[r]: new.md",
}
MARKED = {
    "[[old]]": "[a)b\\#c](a%29b%23c.md)",
    "[[old|x]]": "[x](a%29b%23c.md)",
    "[[old#h]]": "[a)b\\#c > h](a%29b%23c.md#h)",
    "![[old]]": "![a)b\\#c](./a%29b%23c.md)",
    "[t](/d/old.md)": "[t](/d/a%29b%23c.md)",
    "[t](old.md#h)": "[t](a%29b%23c.md#h)",
    "[a\\]b](old.md)": "[a\\]b](a%29b%23c.md)",
    "[r]: old.md": "[r]: a%29b%23c.md",
}
"""What each becomes when the new name has marks that links have a use for."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "notes" / "d").mkdir(parents=True)
    return tmp_path / "notes"


@pytest.fixture
def base(tmp_path: Path, vault: Path) -> Iterator[Base]:
    write(vault, "d/old.md", "# Old\n\n## h\n\nText.\n")
    for number, link in enumerate(SPELLINGS):
        write(vault, f"d/n{number}.md", f"Before\n\n{link}\n\nafter `[[old]]` and <!-- [[old]] -->\n")
    write(vault, "d/other.md", "No link: [[elsewhere]], [[older]].\n")
    with served(tmp_path / "home", [vault]) as base:
        yield base


def write(vault: Path, path: str, text: str) -> None:
    (vault / path).parent.mkdir(parents=True, exist_ok=True)
    (vault / path).write_bytes(text.encode())


def texts(vault: Path) -> dict[str, str]:
    return {str(path.relative_to(vault).as_posix()): path.read_bytes().decode() for path in vault.rglob("*.md")}


def links(base: Base, note: str) -> Json:
    found: Json = base.done("GET", f"/notes/{note}")["links"]
    return found


@pytest.mark.parametrize(("name", "spelled"), [("new", SPELLINGS), ("a)b#c", MARKED)])
def test_l16_rename_keeps_links(base: Base, vault: Path, name: str, spelled: dict[str, str]) -> None:
    """Each keeps its own spelling style; the reported count equals files really changed."""
    before, note = texts(vault), base.done("GET", "/notes/d/old.md")["id"]
    incoming = links(base, note)["incoming"]
    moved = base.done("POST", f"/notes/{note}/move", {"to": f"d/{name}.md"})
    after = texts(vault)
    assert after.pop(f"d/{name}.md") == before.pop("d/old.md")
    changed = [path for path, text in after.items() if text != before[path]]
    assert (moved["notes_changed"], moved["links_updated"], moved["failed"]) == (len(changed), 8, [])
    for number, (link, new) in enumerate(spelled.items()):
        assert after[f"d/n{number}.md"] == before[f"d/n{number}.md"].replace(f"\n\n{link}\n\n", f"\n\n{new}\n\n")
    assert links(base, note)["incoming"] == incoming
    assert len(incoming) == 8


def test_l16_rename_lists_failures(base: Base, vault: Path) -> None:
    """Failures listed: what is not UTF-8 or damaged is left as it is, never bent."""
    odd = {"d/latin.md": b"caf\xe9 [[old]]\n", "d/broken.md": b'---\nup: "a" (b\n---\n[[old]]\n'}
    for path, data in odd.items():
        (vault / path).write_bytes(data)
    moved = base.done("POST", "/notes/d/old.md/move", {"to": "d/new.md"})
    assert [each["path"] for each in moved["failed"]] == sorted(odd)
    assert all(each["reason"] and each["id"] for each in moved["failed"])
    assert (moved["notes_changed"], moved["links_updated"]) == (8, 8)
    assert {path: (vault / path).read_bytes() for path in odd} == odd


def test_l18_delete_leaves_ghost_relations(tmp_path: Path, vault: Path) -> None:
    """A links B, delete B: A's edge is unresolved at once; no hit leads to a path that is gone; re-creating B resolves it."""
    write(vault, "a.md", "A quokka, see [[b]].\n")
    write(vault, "b.md", "A quokka as well.\n")
    with served(tmp_path / "home", [vault]) as base:
        a, b = (base.done("GET", f"/notes/{name}.md")["id"] for name in "ab")
        assert links(base, a)["outgoing"] == [b]
        base.done("DELETE", f"/notes/{b}")
        assert links(base, a)["outgoing"] == []
        assert base.done("GET", f"/related/{a}")["unresolved_links"] == ["b"]
        assert base.found("quokka") == [a]
        assert base.done("GET", "/search", q=a, mode="graph")["results"] == []
        made = base.create("B", "Back.\n")["id"]
        assert links(base, a)["outgoing"] == [made]
        assert base.done("GET", f"/related/{a}")["unresolved_links"] == []
    assert texts(vault)["a.md"] == "A quokka, see [[b]].\n"


def test_l19_forward_reference(tmp_path: Path, vault: Path) -> None:
    """A link to a not-yet-existing note resolves when the note appears, made or moved there; the linking file is untouched."""
    write(vault, "a.md", "Wait for [[made]], [[moved]] and [t](d/both.md).\n")
    write(vault, "x.md", "x\n")
    write(vault, "y.md", "y\n")
    with served(tmp_path / "home", [vault]) as base:
        before = (vault / "a.md").stat().st_mtime_ns
        a = base.done("GET", "/notes/a.md")["id"]
        assert links(base, a)["outgoing"] == []
        made = base.create("Made")["id"]
        assert links(base, a)["outgoing"] == [made]
        moved = base.done("POST", "/notes/x.md/move", {"to": "deep/moved.md"})
        both = base.done("POST", "/notes/y.md/move", {"to": "d/both.md"})
        assert (moved["links_updated"], both["links_updated"]) == (0, 0)
        assert links(base, a)["outgoing"] == [made, moved["id"], both["id"]]
    assert (vault / "a.md").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "a/../../x.md",
        "/etc/x.md",
        "C:\\x.md",
        "C:x.md",
        "\\\\host\\share\\x.md",
        "%2e%2e/x.md",
        "%252e%252e%252fx.md",
        "..\\x.md",
        "~/x.md",
        "x\0.md",
        ".hidden/x.md",
        "d/.x.md",
        "x.md.tmp/y.md",
        "left/out/x.md",
        "secret.md",
    ],
)
def test_x01_nothing_moves_out_of_the_vault_or_out_of_sight(base: Base, vault: Path, path: str) -> None:
    """`..`, absolute, encoded, Windows and UNC paths, hidden and ignored ones: `path_forbidden`, nothing created."""
    write(vault, ".trilithignore", "left/\nsecret.md\n")
    before = sorted(vault.parent.glob("*")), base.hash()
    for place in (path, path.removesuffix(".md")):
        if place == "secret":
            continue
        answer = base.refused("POST", "/notes/d/old.md/move", {"to": place})
        assert answer["code"] == "path_forbidden", answer
        new: Json = {"title": "T", "content": "x", "path": place}
        assert base.refused("POST", "/notes", new)["code"] == "path_forbidden", place
    assert (sorted(vault.parent.glob("*")), base.hash()) == before


def test_x01_nothing_comes_back_to_where_no_walk_would_show_it(base: Base, vault: Path) -> None:
    """A folder that was left out of the vault since takes back no deleted note."""
    key = base.done("DELETE", "/notes/d/other.md")["key"]
    write(vault, ".trilithignore", "d/\n")
    assert base.refused("POST", f"/trash/{key}/restore")["code"] == "path_forbidden"
    assert not (vault / "d" / "other.md").exists()
    (vault / ".trilithignore").unlink()
    assert base.done("POST", f"/trash/{key}/restore")["path"] == "d/other.md"


def test_x01_nothing_moves_through_a_link_that_leads_out(tmp_path: Path, vault: Path) -> None:
    """A path that leaves the vault by a symlink is refused before anything is touched."""
    (tmp_path / "outside").mkdir()
    (vault / "way").symlink_to(tmp_path / "outside", target_is_directory=True)
    write(vault, "a.md", "x\n")
    with served(tmp_path / "home", [vault]) as base:
        for to in ("way", "way/b.md"):
            assert base.refused("POST", "/notes/a.md/move", {"to": to})["code"] == "path_forbidden"
    assert list((tmp_path / "outside").iterdir()) == []
    assert (vault / "a.md").exists()


def test_e09_what_is_moved_is_named_exactly(base: Base) -> None:
    """Destructive calls take an exact id or path; a title or part of a path never."""
    before = base.hash()
    for name in ("Old", "old", "old.md", "nowhere"):
        assert base.refused("POST", f"/notes/{name}/move", {"to": "x.md"})["code"] == "doc_not_found"
    for wrong in ({}, {"to": ""}, {"to": 1}, {"to": "x.md", "from": "y"}, {"to": "x.md", "expected_version": 0}):
        assert base.refused("POST", "/notes/d/old.md/move", wrong)["code"] == "invalid_input"
    stale = base.refused("POST", "/notes/d/old.md/move", {"to": "x.md", "expected_version": 7})
    assert (stale["code"], stale["current_version"]) == ("version_conflict", 1)
    assert base.hash() == before


def test_w09_a_move_embeds_nothing_again(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The id stays, and so do the vectors, where the title does not come from the file's name."""
    write(vault, "old.md", "# A title of its own\n\nA quokka swims in the sea.\n")
    write(vault, "b.md", "# B\n\nNothing of that.\n")
    trilith = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    trilith("library", "add", vault)
    trilith("index")
    before = trilith("read", "old.md", "--json").json
    assert trilith("move", "old.md", "e/new.md").out.startswith("moved  old.md  to  e/new.md  version 1\n0 links")
    after = trilith("read", "e/new.md", "--json").json
    assert (after["id"], after["content"]) == (before["id"], before["content"])
    monkeypatch.setenv("TRILITH_SEMANTIC", "on")
    assert "2 chunks embedded" in trilith("index").out
    trilith("move", "e/new.md", "f/newer.md")
    assert "0 chunks embedded" in trilith("index").out
