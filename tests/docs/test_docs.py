"""The documentation says what the code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from trilith.dialects.native.requests import MAX_LIMIT
from trilith.model.hits import EngineState
from trilith.model.note import Metadata, Status, Visibility
from trilith.model.query import POOL, Sort
from trilith.model.textquery import Field
from trilith.settings import Settings
from trilith.vault.names import IGNORE_FILE, NOTE_ENDINGS

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"


def build_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_docs", ROOT / "tools" / "build_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def quoted(text: str) -> set[str]:
    """Everything that a page sets in code, fenced blocks left out."""
    return set(re.findall(r"`([^`\n]+)`", without_fences(text)))


def without_fences(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]+`", "", without_fences(text))


@pytest.mark.parametrize("name", ["tools.md", "cli.md", "settings.md", "errors.md"])
def test_reference_pages_are_what_the_code_makes_of_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(terminal, raising=False)
    assert page(name) == build_docs().pages()[name], "run: python tools/build_docs.py"


def test_every_link_between_pages_leads_somewhere() -> None:
    for path in DOCS.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", without_code(path.read_text(encoding="utf-8"))):
            assert (DOCS / target).exists() or "://" in target, f"{path.name}: {target}"


def test_note_format_names_every_known_field() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", page("note-format.md"), flags=re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    known = {"links" if name == "typed_links" else name for name in Metadata.__dataclass_fields__ if name != "extra"}
    assert documented == known | {"id"}


def test_note_format_names_the_endings_and_the_ignore_file() -> None:
    assert {*NOTE_ENDINGS, IGNORE_FILE} <= quoted(page("note-format.md"))


def test_note_format_names_every_status_and_visibility() -> None:
    assert {*Status, *Visibility} <= quoted(page("note-format.md"))


def test_note_format_promises_the_defaults_of_a_note() -> None:
    plain = Metadata(title="t")
    assert plain.confidence == 1.0
    assert plain.visibility is Visibility.PRIVATE
    assert "`private` when missing" in page("note-format.md")


def test_search_names_every_mode_field_and_state() -> None:
    named = quoted(page("search.md"))
    assert {"hybrid", "fulltext", "semantic", "graph"} <= named
    assert {state.value for state in EngineState} <= named
    fields = {name.split(":")[0] for name in named if ":" in name}
    assert {field.value for field in Field} <= fields


def test_search_tells_the_constants_that_are_in_force() -> None:
    from trilith.model.query import Mode
    from trilith.search.fuse import RRF_K
    from trilith.search.neighbourhood import MAX_DEPTH
    from trilith.search.retrieve import PATIENCE

    text = " ".join(page("search.md").split())
    assert f"k = {RRF_K}, {POOL} notes" in text
    assert f"up to {MAX_DEPTH} links away" in text
    assert f"waits for at most {PATIENCE[Mode.HYBRID]:g} seconds" in text
    assert f"waits for {PATIENCE[Mode.SEMANTIC]:g} seconds" in text


@pytest.mark.parametrize(
    ("query", "interpretation"),
    [
        ("rate limit", "literal"),
        ('"rate limit"', "syntax"),
        ("rate AND NOT limit", "syntax"),
        ("cats -dogs", "syntax"),
        ("cats +dogs", "syntax"),
        ("rm -rf", "literal"),
        ('title:"rate limit"', "syntax"),
        ("gath*", "syntax"),
        ("gather~1", "syntax"),
        ("updated:[2026-01-01 TO 2026-03-31]", "syntax"),
        ("created:{2026-01-01 TO *}", "syntax"),
        ("*", "syntax"),
        ("RuntimeError: This event loop is already running", "literal"),
    ],
)
def test_search_shows_syntax_that_works(query: str, interpretation: str) -> None:
    from trilith.language.query import parse

    assert parse(query).interpretation.value == interpretation


def test_rest_names_every_path_and_parameter() -> None:
    from trilith.surfaces.http.rest import PREFIX, operations

    text = page("rest.md")
    for route in operations():
        path = PREFIX + route.path.replace(":path}", "}")
        (method,) = route.methods
        assert f"{method} {path}" in text, path
        parameters = {parameter.name for model in models(route) for parameter in model}
        assert parameters <= quoted(text), path


def test_rest_names_every_field_that_can_be_sent() -> None:
    from trilith.dialects.native.bodies import CREATE, DELETE, EDIT, PATCH

    assert {parameter.name for body in (CREATE, PATCH, EDIT, DELETE) for parameter in body} <= quoted(page("rest.md"))


def test_note_format_tells_what_a_write_maintains_and_the_limit_in_force() -> None:
    from trilith.notes.change import MAX_CONTENT

    text = page("note-format.md")
    assert f"{MAX_CONTENT:,} bytes" in text
    assert {"id", "updated_at", "version", "contributors"} <= quoted(text.partition("## What a write changes")[2])


def models(route: object) -> list[list[object]]:
    """The query parameters of a route, model by model."""
    from trilith.surfaces.http import asked

    named = route.endpoint.__annotations__  # type: ignore[attr-defined]
    found = [getattr(asked, name) for name in re.findall(r"Annotated\[(\w+),", " ".join(map(str, named.values())))]
    return [[type("P", (), {"name": name}) for name in model.model_fields if name != "para"] for model in found]


def test_rest_tells_the_limits_and_the_address_in_force() -> None:
    from trilith.surfaces.http.asked import Listed, Searched

    text = page("rest.md")
    limits = (Searched.model_fields["limit"].default, Listed.model_fields["limit"].default)
    assert f"{limits[0]} for search and {limits[1]} for notes when it is missing, at most {MAX_LIMIT}" in text
    address = f"http://{Settings.model_fields['host'].default}:{Settings.model_fields['port'].default}"
    assert address in text
    assert {sort.value for sort in Sort} <= quoted(text)


def test_the_command_line_tells_the_defaults_in_force() -> None:
    from trilith.surfaces.cli.doors import Host, Port

    helps = [meta.__metadata__[0].help for meta in (Host, Port)]
    assert f"Default: {Settings.model_fields['host'].default}." in helps[0]
    assert f"Default: {Settings.model_fields['port'].default}." in helps[1]
