"""Writing, and writing at the same time: the cases from the field, through REST on a real index unless a case says more."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.doors.command_line import CommandLine, environment
from tests.doors.doorkeepers import doorkeeper

from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.http.rest import PREFIX, operations
from trilith.surfaces.mcp.offered import DIALECTS
from trilith.surfaces.mcp.starting import can_write, opened
from trilith.surfaces.opening import Opening

PATIENCE = 60.0
Json = dict[str, Any]


class Base:
    """Vaults, served over REST and MCP in this process."""

    def __init__(self, client: TestClient, vault: Path, home: Path) -> None:
        self.client, self.vault, self.home = client, vault, home

    def ask(self, method: str, path: str, body: Json | None = None, **parameters: Any) -> tuple[int, Json]:
        answer = self.client.request(method, f"{PREFIX}{path}", json=body, params=parameters)
        return answer.status_code, answer.json()

    def done(self, method: str, path: str, body: Json | None = None, **parameters: Any) -> Json:
        status, answer = self.ask(method, path, body, **parameters)
        assert status < 300, answer
        return answer

    def refused(self, method: str, path: str, body: Json | None = None, **parameters: Any) -> Json:
        status, answer = self.ask(method, path, body, **parameters)
        assert (answer["status"], status) == ("error", status), answer
        assert status >= 400
        return answer

    def create(self, title: str, content: str = "text\n", **more: Any) -> Json:
        return self.done("POST", "/notes", {"title": title, "content": content, **more})

    def edit(self, note: str, operation: str, content: str = "", **more: Any) -> Json:
        return self.done("POST", f"/notes/{note}/edit", {"operation": operation, "content": content, **more})

    def content(self, note: str) -> str:
        return str(self.done("GET", f"/notes/{note}")["content"])

    def found(self, query: str, mode: str = "fulltext") -> list[str]:
        return [hit["id"] for hit in self.done("GET", "/search", q=query, mode=mode)["results"]]

    def tool(self, name: str, **arguments: Any) -> Json:
        params = {"name": name, "arguments": arguments}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = self.client.post("/mcp", json=call, headers={"accept": "application/json"})
        result: Json = answer.json()["result"]
        return result

    def listed(self) -> set[str]:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        answer = self.client.post("/mcp", json=call, headers={"accept": "application/json"})
        return {tool["name"] for tool in answer.json()["result"]["tools"]}

    def hash(self) -> str:
        """Of everything in the vault: names, bytes, times."""
        digest = hashlib.sha256()
        for path in sorted(self.vault.rglob("*")):
            digest.update(f"{path.relative_to(self.vault)}\0{path.stat().st_mtime_ns}\0".encode())
            digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()


@contextmanager
def served(home: Path, vaults: list[Path], **settings: Any) -> Iterator[Base]:
    chosen = load(home, **{"semantic": "off", **settings})
    opening = Opening(opened(chosen, vaults, None))
    writable = can_write(chosen, vaults, None)
    app = application(opening, chosen.dialects, "127.0.0.1", doorkeeper(), Meter(), writable=writable)
    with TestClient(app, base_url="http://localhost") as client:
        base = Base(client, vaults[0], home)
        until(lambda: base.done("GET", "/status")["state"] == "ready")
        yield base


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


@pytest.fixture
def base(tmp_path: Path, vault: Path) -> Iterator[Base]:
    with served(tmp_path / "home", [vault]) as base:
        yield base


# --- E01, E02, E04, E05: parts of a text


def test_e01_replacing_a_section_whose_heading_is_not_quite_the_one_asked_for_fails(base: Base) -> None:
    """Heading `## Open items #work`, call with `## Open items`: fail, file unchanged, list near headings."""
    note = base.create("Work", "# Work\n\n## Open items #work\n\n- one\n")["path"]
    before = base.hash()
    asked = {"operation": "replace_section", "section": ["## Open items"], "content": "x"}
    answer = base.refused("POST", f"/notes/{note}/edit", asked)
    assert answer["code"] == "invalid_input"
    assert answer["near"] == ["## Open items #work"]
    assert base.hash() == before
    base.edit(note, "replace_section", "- two", section=["## Open items #work"])
    assert base.content(note) == "# Work\n\n## Open items #work\n\n- two\n"


def test_e02_a_replacement_that_contains_headings(base: Base) -> None:
    """No duplicate heading if the caller repeats it; section ends at next same-or-higher level; sub-headings included."""
    body = "# T\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\nb\n"
    note = base.create("T", body)["path"]
    base.edit(note, "replace_section", "## A\n\nnew\n\n### New\n\nmore\n", section=["A"])
    assert base.content(note) == "# T\n\n## A\n\nnew\n\n### New\n\nmore\n\n## B\n\nb\n"


@pytest.mark.parametrize(
    "heading",
    ["Über uns", "知识库", "With tag #work", "With marks", "`code` and **bold**", "C# und F#", "[[Link]] here"],
)
def test_e04_every_heading_can_be_addressed(base: Base, heading: str) -> None:
    """Headings that are non-ASCII, with trailing `#` or tags: all addressable; fenced `# x` is not a heading."""
    written = f"## {heading} ##" if heading == "With marks" else f"## {heading}"
    body = f"```\n## {heading}\n```\n\n{written}\n\nold\n\n## End\n"
    note = base.create("Headings", body)["path"]
    base.edit(note, "replace_section", "new", section=[heading])
    assert base.content(note) == body.replace("\nold\n", "\nnew\n")


def test_e05_find_and_replace_never_reaches_frontmatter(base: Base) -> None:
    """Replace `Plan` by `Plan: B` where the title holds `Plan`: body only; how often is told."""
    note = base.create("Plan", "The Plan of Plans.\n", summary="Plan it")
    answer = base.edit(note["id"], "find_replace", "Plan: B", find="Plan", all=True)
    assert answer["replaced"] == 2
    text = (base.vault / note["path"]).read_text(encoding="utf-8")
    assert "title: Plan\n" in text
    assert "summary: Plan it\n" in text
    assert text.endswith("---\nThe Plan: B of Plan: Bs.\n")


# --- E06: one field


BLOCK = (
    '\ufeff---\r\n# who and what\r\nzeta: last  # keep me\r\ntitle: "It\'s"   # quoted\r\ndate: 2026-03-01\r\n'
    "aliases: [ x,  y ]\r\nnested: {a: 1,  b: [2]}\r\nstatus: raw  # todo\r\nlist:\r\n  - one   # first\r\n  - two\r\n"
    "text: |\r\n  some\r\n   lines\r\n\r\n# the end\r\n---\r\n# Body\t\r\n\r\nwith `status: raw`  \r\n"
)


def test_e06_setting_one_field_leaves_every_other_byte(tmp_path: Path, vault: Path) -> None:
    """Comments, quoted strings, one-line lists, unquoted date, odd order; set `status`: every other byte identical."""
    (vault / "odd.md").write_bytes(BLOCK.encode())
    (vault / "odd.md").chmod(0o640)
    with served(tmp_path / "home", [vault]) as base:
        note = base.done("PATCH", "/notes/odd.md", {"status": "validated", "agent": "ann"})
        first = (vault / "odd.md").read_bytes().decode()
        kept = BLOCK.replace("status: raw  # todo", "status: validated  # todo")
        head, _, rest = kept.partition("# the end\r\n")
        assert first.startswith(head)
        assert first.endswith(rest)
        added = first[len(head) : len(first) - len(rest)].split("\r\n")
        assert added[0] == "# the end"
        assert sorted(line.partition(":")[0] for line in added[1:] if line) == [
            "contributors",
            "id",
            "updated_at",
            "version",
        ]
        assert f"id: {note['id']}" in added
        assert "contributors: [ann]" in added
        assert (vault / "odd.md").stat().st_mode & 0o777 == 0o640
        base.done("PATCH", "/notes/odd.md", {"status": "archived", "agent": "ann"})
        second = (vault / "odd.md").read_bytes().decode()
    changed = [
        (one, other) for one, other in zip(first.split("\r\n"), second.split("\r\n"), strict=True) if one != other
    ]
    assert {one.partition(":")[0] for one, _ in changed} <= {"status", "updated_at", "version"}
    assert ("status: validated  # todo", "status: archived  # todo") in changed
    assert ("version: 2", "version: 3") in changed


# --- E08, E09, E11, E12, E13: what is meant


def test_e08_creating_over_an_existing_note_is_refused(base: Base) -> None:
    """`slug_collision` with the existing note's id, path and version; never overwrite by default."""
    first = base.create("Same", "first\n")
    base.edit(first["id"], "append", "more")
    for asked in (
        {"title": "Same"},
        {"title": "SAME!"},
        {"title": "x", "path": "Same.md"},
        {"title": "x", "path": "SAME.MD"},
    ):
        status, answer = base.ask("POST", "/notes", {"content": "second\n", **asked})
        assert (status, answer["code"]) == (409, "slug_collision")
        assert answer["existing"] == {"id": first["id"], "path": "same.md", "version": 2}
    assert base.content(first["id"]) == "first\nmore\n"


def test_e09_what_is_changed_is_named_exactly(base: Base) -> None:
    """Delete, move and edit take exact id or path; fuzzy title never."""
    base.create("The Real Title", "# Other heading\n", path="folder/file.md", aliases=["Nick"])
    before = base.hash()
    for name in (
        "The Real Title",
        "the-real-title",
        "file",
        "file.md",
        "Nick",
        "Other heading",
        "Folder/file",
        "folder",
    ):
        for method, path, body in (
            ("DELETE", f"/notes/{name}", None),
            ("PATCH", f"/notes/{name}", {"tags": ["x"]}),
            ("POST", f"/notes/{name}/edit", {"operation": "append", "content": "x"}),
        ):
            assert base.refused(method, path, body)["code"] == "doc_not_found", name
    assert base.hash() == before
    base.done("DELETE", "/notes/folder/file")


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("a/b", "a-b.md"),
        ("..", None),
        ("CON", "con-note.md"),
        ("x.", "x.md"),
        ("a:b?", "a-b.md"),
        ("x" * 300, f"{'x' * 117}.md"),
        (".hidden", "hidden.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        ("C:\\temp\\x", "c-temp-x.md"),
    ],
)
def test_e11_odd_titles_become_plain_file_names(base: Base, title: str, path: str | None) -> None:
    """Titles `a/b`, `..`, `CON`, `x.`, 300 characters, leading dot: sanitised visibly; `/` never creates folders."""
    answer = base.create(title)
    assert path is None or answer["path"] == path
    assert [file.name for file in base.vault.iterdir()] == [answer["path"]]
    assert base.done("GET", f"/notes/{answer['id']}")["title"] == title


@pytest.mark.parametrize("title", ["", "   ", "a\0b", "a\x07b", "x" * 501])
def test_e11_titles_that_are_none_are_refused(base: Base, title: str) -> None:
    """Null byte, control characters, only spaces, too long: refused, and nothing is written."""
    answer = base.refused("POST", "/notes", {"title": title, "content": "x"})
    assert (answer["code"], answer["field"]) == ("invalid_input", "title")
    assert list(base.vault.iterdir()) == []


def test_e11_texts_that_are_none_are_refused(base: Base) -> None:
    """Null byte and too large: refused with a code, and nothing is written."""
    assert base.refused("POST", "/notes", {"title": "T", "content": "a\0b"})["code"] == "invalid_input"
    status, answer = base.ask("POST", "/notes", {"title": "T", "content": "x" * 1_000_001})
    assert (status, answer["code"]) == (413, "content_too_large")
    assert list(base.vault.iterdir()) == []


def test_e12_a_write_says_which_library_it_went_to_and_never_guesses(tmp_path: Path, vault: Path) -> None:
    """Library per call or a fixed default, no hidden current state; every response names the library and path."""
    other = tmp_path / "other"
    other.mkdir()
    for root in (vault, other):
        (root / "same.md").write_text("same\n", encoding="utf-8")
    with served(tmp_path / "home", [vault, other]) as base:
        answer = base.refused("POST", "/notes", {"title": "T", "content": "x"})
        assert (answer["code"], answer["field"]) == ("invalid_input", "library")
        assert "notes, other" in answer["message"]
        made = base.create("T", library="other")
        assert (made["library"], made["path"]) == ("other", "t.md")
        assert (other / "t.md").exists()
        assert not (vault / "t.md").exists()
        for method, path, body in (
            ("PATCH", "/notes/same.md", {"tags": ["x"]}),
            ("POST", "/notes/same.md/edit", {"operation": "append", "content": "x"}),
            ("DELETE", "/notes/same.md", None),
        ):
            ambiguous = base.refused(method, path, body)
            assert ambiguous["code"] == "ambiguous"
            assert [candidate["library"] for candidate in ambiguous["candidates"]] == ["notes", "other"]
        edited = base.done("PATCH", "/notes/same.md", {"tags": ["x"], "library": "other"})
        assert (edited["library"], edited["path"]) == ("other", "same.md")
        assert (vault / "same.md").read_text(encoding="utf-8") == "same\n"
        deleted = base.done("DELETE", "/notes/same.md", library="other")
        assert (deleted["library"], deleted["path"]) == ("other", "same.md")
        assert (vault / "same.md").exists()
        assert base.refused("POST", "/notes", {"title": "T", "library": "third"})["code"] == "doc_not_found"
        assert base.tool("lithos_delete", id=made["id"], agent="ann")["structuredContent"] == {
            "success": True,
            "path": "t.md",
            "library": "other",
        }


def test_e13_a_deleted_note_comes_back_as_it_was(tmp_path: Path, vault: Path) -> None:
    """Delete goes to a trash that can restore it; the restored note has its id, links and text back."""
    plain = "no frontmatter, no id, links to [[hub]]\r\n"
    (vault / "sub").mkdir()
    (vault / "sub" / "plain.md").write_bytes(plain.encode())
    (vault / "hub.md").write_text("Leads to [[plain]].\n", encoding="utf-8")
    with served(tmp_path / "home", [vault]) as base:
        note, hub = base.done("GET", "/notes/sub/plain.md"), base.done("GET", "/notes/hub")
        deleted = base.done("DELETE", "/notes/sub/plain.md", agent="ann")
        assert not (vault / "sub" / "plain.md").exists()
        assert base.done("GET", "/notes/hub")["links"] == {"outgoing": [], "incoming": []}
        (item,) = base.done("GET", "/trash")["items"]
        assert {name: item[name] for name in ("id", "path", "title", "library", "deleted_by")} == {
            "id": note["id"],
            "path": "sub/plain.md",
            "title": "plain",
            "library": "notes",
            "deleted_by": "ann",
        }
        base.create("Squatter", path="sub/plain.md")
        taken = base.refused("POST", f"/trash/{deleted['key']}/restore")
        assert (taken["code"], taken["existing"]["path"]) == ("slug_collision", "sub/plain.md")
        base.done("DELETE", "/notes/sub/plain.md")
        restored = base.done("POST", f"/trash/{deleted['key']}/restore")
        assert (restored["id"], restored["path"]) == (note["id"], "sub/plain.md")
        assert (vault / "sub" / "plain.md").read_bytes() == plain.encode()
        assert base.done("GET", "/notes/sub/plain.md") == note
        assert base.done("GET", "/notes/hub") == hub
        assert base.refused("POST", f"/trash/{deleted['key']}/restore")["code"] == "doc_not_found"


def test_e13_a_restored_note_keeps_the_id_that_stands_in_no_file(tmp_path: Path, vault: Path) -> None:
    """The restored note has its id back, and keeps it when the index is rebuilt."""
    (vault / "plain.md").write_text("plain\n", encoding="utf-8")
    with served(tmp_path / "home", [vault]) as base:
        note = base.done("GET", "/notes/plain")["id"]
        key = base.done("DELETE", "/notes/plain")["key"]
        (vault / "elsewhere.md").write_text(f"---\nid: {note}\n---\nanother\n", encoding="utf-8")
        until(lambda: base.ask("GET", "/notes/elsewhere")[0] == 200)
        taken = base.refused("POST", f"/trash/{key}/restore")
        assert (taken["code"], taken["existing"]["path"]) == ("slug_collision", "elsewhere.md")
        base.done("DELETE", "/notes/elsewhere")
        base.done("POST", f"/trash/{key}/restore")
    rebuild = [sys.executable, "-m", "trilith", "index", "--rebuild"]
    env = environment(tmp_path / "home", TRILITH_SEMANTIC="off")
    subprocess.run(rebuild, env=env, check=True, capture_output=True)
    with served(tmp_path / "home", [vault]) as base:
        assert base.done("GET", "/notes/plain")["id"] == note


# --- C01, C03: at the same time


def test_c01_a_lost_update_is_refused(base: Base) -> None:
    """A and B read v1, A writes, B writes with `expected_version=1`: B gets `version_conflict`; file has A's text."""
    note = base.create("Shared", "v1\n")["id"]
    assert base.done("PATCH", f"/notes/{note}", {"content": "A's\n", "expected_version": 1})["version"] == 2
    status, answer = base.ask("PATCH", f"/notes/{note}", {"content": "B's\n", "expected_version": 1})
    assert (status, answer["code"], answer["current_version"]) == (409, "version_conflict", 2)
    assert base.content(note) == "A's\n"


def test_c01_of_many_who_believe_the_same_one_wins(base: Base) -> None:
    """Twenty writers with the same `expected_version`: one is told `updated`, the others `version_conflict`."""
    note = base.create("Contested", "v1\n")["id"]

    def write(number: int) -> tuple[int, Json]:
        return base.ask("PATCH", f"/notes/{note}", {"content": f"{number}\n", "expected_version": 1})

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(write, range(20)))
    assert sorted(status for status, _ in answers) == [200, *[409] * 19]
    winner = next(number for number, (status, _) in enumerate(answers) if status == 200)
    assert base.content(note) == f"{winner}\n"
    assert base.done("GET", f"/notes/{note}")["metadata"]["version"] == 2


def test_c01_twenty_appends_from_threads_are_twenty_lines(base: Base) -> None:
    """20 parallel appends: 20 lines."""
    note = base.create("Log", "")["id"]
    with ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda number: base.edit(note, "append", f"line {number}"), range(20)))
    assert sorted(base.content(note).splitlines()) == sorted(f"line {number}" for number in range(20))
    assert base.done("GET", f"/notes/{note}")["metadata"]["version"] == 21


APPENDS = """
import sys
from trilith.surfaces.cli.main import run
for number in range(5):
    status = run(["edit", "log.md", "--append", f"{sys.argv[1]}-{number}", "--vault", sys.argv[2]])
    assert status == 0, status
"""


def test_c01_twenty_appends_from_four_processes_are_twenty_lines(tmp_path: Path, vault: Path) -> None:
    """20 parallel appends from 4 real processes: 20 lines."""
    (vault / "log.md").write_text("", encoding="utf-8")
    env = environment(tmp_path / "home", TRILITH_SEMANTIC="off")
    appending = [
        subprocess.Popen([sys.executable, "-c", APPENDS, str(number), str(vault)], env=env, stderr=subprocess.PIPE)
        for number in range(4)
    ]
    for process in appending:
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err.decode()
    text = (vault / "log.md").read_text(encoding="utf-8")
    lines = text.partition("\n---\n")[2].splitlines()
    assert sorted(lines) == sorted(f"{writer}-{number}" for writer in range(4) for number in range(5))
    assert "\nversion: 21\n" in text
    assert [path.name for path in vault.iterdir()] == ["log.md"]


def test_c03_fifty_writes_and_a_reindex_at_once_drop_nothing(base: Base) -> None:
    """50 concurrent writes + a reindex: one writer per index, queued; zero drops; failure reported to the caller."""
    for number in range(30):
        base.create(f"Before {number}", f"earlier{number}\n")
    rebuild = [sys.executable, "-m", "trilith", "index", str(base.vault), "--rebuild"]
    env = environment(base.home, TRILITH_SEMANTIC="off")
    with subprocess.Popen(rebuild, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with ThreadPoolExecutor(10) as threads:
            made = list(threads.map(lambda number: base.create(f"Note {number}", f"zebra{number}\n"), range(50)))
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err.decode()
    assert {answer["status"] for answer in made} == {"created"}
    until(lambda: base.done("GET", "/status")["pending"]["fulltext"] == 0)
    assert base.done("GET", "/notes", limit=200)["total"] == 80
    for number, answer in enumerate(made):
        assert base.found(f"zebra{number}") == [answer["id"]]
        assert base.content(answer["id"]) == f"zebra{number}\n"
    for number in range(30):
        assert len(base.found(f"earlier{number}")) == 1


# --- P20, S21


def test_p20_titles_in_any_script_and_in_none_make_files_of_their_own(base: Base) -> None:
    """Create `知识库`, `Иван`, `Ольга`, `ทดสอบ`, `🚀`, `???`: six different files, nothing overwritten."""
    titles = ["知识库", "Иван", "Ольга", "ทดสอบ", "🚀", "???"]
    made = [base.create(title, f"{title}\n") for title in titles]
    assert [answer["path"] for answer in made[:4]] == ["知识库.md", "иван.md", "ольга.md", "ทดสอบ.md"]
    assert len({answer["path"] for answer in made}) == len(titles)
    assert {path.name for path in base.vault.iterdir()} == {answer["path"] for answer in made}
    for title, answer in zip(titles, made, strict=True):
        assert base.content(answer["id"]) == f"{title}\n"
    long = base.create("知" * 200)["path"]
    assert len(long.encode()) <= 120
    assert set(long.removesuffix(".md")) == {"知"}


def test_s21_a_search_right_after_a_write_finds_it(base: Base) -> None:
    """Read-your-writes: search right after `write` finds it, full text at once."""
    for number in range(20):
        note = base.create(f"Fresh {number}", f"wombat{number}\n")["id"]
        assert base.found(f"wombat{number}") == [note]
        base.edit(note, "find_replace", "numbat", find="wombat")
        assert base.found(f"wombat{number}") == []
        assert base.found(f"numbat{number}") == [note]


def test_s21_meaning_follows_by_itself_or_is_waited_for(tmp_path: Path, vault: Path) -> None:
    """Semantic within a stated bound or with `wait`."""
    with served(tmp_path / "home", [vault], semantic="on", watch="auto") as base:
        waited = base.create("Quagga", "The quagga was a zebra of the southern plains.\n", wait=True)["id"]
        assert base.found("extinct striped horse", "semantic") == [waited]
        later = base.create("Sourdough", "Bread rises by wild yeast and patience.\n")["id"]
        until(lambda: later in base.found("how do I bake a loaf", "semantic"))
        changed = base.done("PATCH", f"/notes/{later}", {"content": "Planets orbit their star.\n", "wait": True})["id"]
        assert base.found("astronomy", "semantic")[0] == changed


# --- X01, X07, M09: what may not be


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
    ],
)
def test_x01_paths_that_leave_the_vault_are_refused_for_writing_too(base: Base, path: str) -> None:
    """`..`, absolute, encoded, Windows and UNC paths: `path_forbidden`, nothing read or created."""
    before = sorted(base.vault.parent.rglob("*"))
    for place in (path, path.removesuffix(".md")):
        status, answer = base.ask("POST", "/notes", {"title": "T", "content": "x", "path": place})
        assert (status, answer["code"]) == (403, "path_forbidden")
    written = [entry for entry in sorted(base.vault.parent.rglob("*")) if entry not in before]
    assert [entry for entry in written if base.home not in entry.parents] == []


def test_x01_a_link_that_leads_out_is_not_written_through(tmp_path: Path, vault: Path) -> None:
    """A path that leaves the vault by a symlink is refused before anything is touched."""
    (tmp_path / "outside").mkdir()
    (vault / "way").symlink_to(tmp_path / "outside", target_is_directory=True)
    with served(tmp_path / "home", [vault]) as base:
        assert base.refused("POST", "/notes", {"title": "T", "content": "x", "path": "way"})["code"] == "path_forbidden"
    assert list((tmp_path / "outside").iterdir()) == []


SAMPLES: Json = {"string": "x", "integer": 1, "number": 0.5, "boolean": True, "strings": ["x"], "object": {"x": 1}}


@pytest.mark.parametrize("how", ["process", "library"])
def test_x07_read_only_really_is_read_only(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """Write tools absent from `tools/list` and refused over REST and CLI; all tools enumerated, vault hash unchanged."""
    (vault / "a.md").write_text("hello [[b]]\n", encoding="utf-8")
    (vault / ".trilith-0123456789abcdef.tmp").write_text("a draft that somebody has left\n", encoding="utf-8")
    trilith = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    if how == "library":
        trilith("library", "add", vault, "--read-only")
    else:
        monkeypatch.setenv("TRILITH_READ_ONLY", "true")
    before = Base.hash(Base(None, vault, tmp_path))  # type: ignore[arg-type]
    with served(tmp_path / "home", [vault]) as base:
        note = base.done("GET", "/notes/a.md")["id"]
        tools = [tool for dialect in DIALECTS.values() for tool in dialect.tools]
        writing = {tool.name for tool in tools if tool.writes}
        assert {"lithos_write", "lithos_delete", "note_edit", "note_move"} <= writing
        assert base.listed() == {tool.name for tool in tools} - writing
        for tool in tools:
            given = {parameter.name: SAMPLES[parameter.type] for parameter in tool.parameters}
            for arguments in ({}, given, {**given, "id": note}, {**given, "id": note, "operation": "append"}):
                result = base.tool(tool.name, **arguments)
                if tool.writes:
                    assert result["isError"]
                    body = result["structuredContent"]
                    told = (body.get("code"), body.get("error"), body.get("status"))
                    assert told[0] == "read_only" or told[1] == "FORBIDDEN" or told[2] == 403, tool.name
        changes = [(method, each.path) for each in operations() for method in each.methods or () if method != "GET"]
        assert len(changes) == 6
        for method, path in changes:
            resource = path.replace("{reference:path}", "a.md").replace("{key}", "x")
            body = {"title": "T", "content": "x"} if method != "DELETE" else None
            status, answer = base.ask(method, resource, body)
            assert (status, answer["code"]) == (403, "read_only"), path
    for command in (
        ("write", "T", "--content", "x"),
        ("edit", "a.md", "--append", "x"),
        ("move", "a.md", "c.md"),
        ("delete", "a.md"),
        ("restore", "x"),
    ):
        done = trilith(*command, "--json")
        assert (done.status, done.json["code"]) == (1, "read_only"), command
    assert Base.hash(Base(None, vault, tmp_path)) == before  # type: ignore[arg-type]


def test_m09_a_failed_write_has_the_same_envelope_on_every_door(base: Base) -> None:
    """`{status, code, message}` for each anticipated failure; MCP `isError` set; same codes over REST with HTTP status."""
    note = base.create("Known", source_url="https://a.example/")["id"]
    (base.vault / "latin.md").write_bytes(b"caf\xe9\n")
    until(lambda: base.ask("GET", "/notes/latin.md")[0] == 200)
    latin = base.done("GET", "/notes/latin.md")["id"]
    new: Json = {"title": "New", "content": "x"}
    for status, code, method, path, body, tool, arguments in (
        (400, "invalid_input", "POST", "/notes", {**new, "confidence": 2}, "write", {**new, "confidence": 2}),
        (403, "path_forbidden", "POST", "/notes", {**new, "path": "../x"}, "write", {**new, "path": "../x"}),
        (404, "doc_not_found", "DELETE", "/notes/nowhere.md", None, "delete", {"id": "nowhere"}),
        (409, "slug_collision", "POST", "/notes", {**new, "title": "Known"}, "write", {**new, "title": "Known"}),
        (
            409,
            "version_conflict",
            "PATCH",
            f"/notes/{note}",
            {"content": "x", "expected_version": 9},
            "write",
            {**new, "id": note, "expected_version": 9},
        ),
        (
            413,
            "content_too_large",
            "POST",
            "/notes",
            {**new, "content": "x" * 1_000_001},
            "write",
            {**new, "content": "x" * 1_000_001},
        ),
        (422, "not_utf8", "PATCH", f"/notes/{latin}", {"content": "x"}, "write", {**new, "id": latin}),
    ):
        answered, answer = base.ask(method, path, body)
        assert (answered, answer["status"], answer["code"]) == (status, "error", code)
        result = base.tool(f"lithos_{tool}", agent="ann", **arguments)
        assert result["isError"]
        said = result["structuredContent"]
        assert (said["status"], said["code"]) == ("error", code)
        assert {name: said.get(name) for name in ("existing", "current_version", "field")} == {
            name: answer.get(name) for name in ("existing", "current_version", "field")
        }
