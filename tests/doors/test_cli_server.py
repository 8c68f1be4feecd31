"""The command line beside a running server: the same answers, from the same index, by the shortest way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine, environment, indexed, process, serving, write_vault


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    command_line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return command_line


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


QUESTIONS = [
    ["search", "gather coroutines"],
    ["search", "flour", "--limit", "1"],
    ["search", "*", "--tag", "python", "--tag", "async", "--sort", "updated"],
    ["search", "*", "--where", '{"mood": "calm"}', "--modified-before", "2025-06-01"],
    ["search", "gather: bar (baz"],
    ["search", "loop", "--mode", "graph"],
    ["list", "--sort", "title", "--limit", "2", "--offset", "1"],
    ["list", "--author", "bob", "--path-prefix", "procedures"],
    ["read", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
    ["read", "procedures/backup", "--max-length", "30"],
    ["related", "The event loop"],
    ["status"],
    ["read", "no/such note?&%"],
    ["related", "no such note"],
    ["search", "nothing such", "--mode", "graph"],
    ["search", "x" * 10_001],
]


def test_a_server_and_the_index_itself_answer_alike(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    alone = [trilith(*question, "--json") for question in QUESTIONS]
    assert all("via" not in done.err for done in alone)
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off") as url:
        beside = [trilith(*question, "--json") for question in QUESTIONS]
        told = [trilith(*question).err for question in QUESTIONS]
    for question, mine, servers in zip(QUESTIONS, alone, beside, strict=True):
        assert servers.status == mine.status, question
        assert without_times(servers.json) == without_times(mine.json), question
        assert servers.err == mine.err, question
    assert all(err.startswith(f"via {url}\n") for err in told)


def without_times(answer: dict[str, object]) -> dict[str, object]:
    """An answer without the time at which somebody last looked over the vault, and how the one who answers follows it."""
    libraries = answer.get("libraries")
    if isinstance(libraries, list):
        return {**answer, "libraries": [{**library, "last_scan": None, "watcher": None} for library in libraries]}
    return answer


def test_one_library_of_several_is_asked_of_a_server_by_name(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "gather.md").write_text("How to gather mushrooms.\n", encoding="utf-8")
    for root in (vault, other):
        trilith("library", "add", root)
    trilith("index")
    with serving(home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        everywhere = trilith("search", "gather", "--json").json["results"]
        by_path = trilith("search", "gather", "--vault", other)
        by_name = trilith("search", "gather", "--library", "other", "--json").json["results"]
        narrowed_status = trilith("status", "--library", "other")
        whole_status = trilith("status")
    assert {hit["library"] for hit in everywhere} == {"notes", "other"}
    assert by_path.err.startswith("via http")
    assert "mushrooms" in by_path.out
    assert "asyncio.md" not in by_path.out
    assert [hit["path"] for hit in by_name] == ["gather.md"]
    assert "library" not in by_name[0]
    assert "via" not in narrowed_status.err
    assert str(vault) not in narrowed_status.out
    assert whole_status.err.startswith("via http")


def test_what_a_server_does_not_serve_is_answered_from_the_index(
    trilith: CommandLine, vault: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "gather.md").write_text("How to gather mushrooms.\n", encoding="utf-8")
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        new_folder = trilith("search", "mushrooms", "--vault", other)
        everything = trilith("search", "gather", "--json").json["results"]
        served = trilith("search", "coroutines", "--library", "notes")
    assert "gather.md" in new_folder.out
    assert "via" not in new_folder.err
    assert {hit["library"] for hit in everything} == {"notes", "other"}
    assert served.err.startswith("via http")


def test_the_notice_of_a_server_that_is_gone_misleads_nobody(trilith: CommandLine, vault: Path) -> None:
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        notice = (trilith.home / "serve.json").read_text(encoding="utf-8")
    (trilith.home / "serve.json").write_text(notice, encoding="utf-8")
    done = trilith("search", "gather", "--library", "notes")
    assert "asyncio.md" in done.out
    assert done.err == ""
    (trilith.home / "serve.json").write_text("{", encoding="utf-8")
    assert "asyncio.md" in trilith("search", "gather", "--library", "notes").out


def test_a_server_and_commands_may_index_the_same_vault_at_once(trilith: CommandLine, vault: Path) -> None:
    for number in range(300):
        (vault / f"{number}.md").write_text(f"# Note {number}\n\nAbout thing{number}.\n", encoding="utf-8")
    with serving(vault, home=trilith.home, ready=lambda status: True, TRILITH_SEMANTIC="off"):
        report = trilith("index", vault, "--json").json["libraries"][0]
        assert report["documents"] == 305
        assert "299.md" in trilith("search", "thing299", "--vault", vault).out


def test_doctor_tells_of_the_server(trilith: CommandLine, vault: Path) -> None:
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off") as url:
        checks = {check["name"]: check for check in trilith("doctor", "--json").json["checks"]}
    assert url in checks["server"]["message"]


def test_the_commands_are_light(tmp_path: Path) -> None:
    """No engine, model or web framework is imported before a command needs it."""
    import subprocess
    import sys

    script = "import sys, trilith.surfaces.cli.main; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    heavy = {"numpy", "tantivy", "onnxruntime", "pydantic", "mcp", "starlette", "fastapi", "uvicorn", "rich", "asyncio"}
    assert not heavy & set(done.stdout.split())
    assert environment(tmp_path)["TRILITH_HOME"] == str(tmp_path)


def test_python_m_trilith_is_the_command(tmp_path: Path) -> None:
    done = process("--version", home=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("trilith 0.")
