"""A library with a model of its own in a folder: what is found, what is told, and what a change of models does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine
from tests.models import make_embedder, make_reranker

from trilith.app import App
from trilith.errors import InvalidInput
from trilith.model.hits import EngineState
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import FILE, load
from trilith.wiring import open_app

NOTES = {"bread.md": "A recipe for sourdough bread.\n", "cats.md": "Cats sleep most of the day.\n"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / name).write_text(text, encoding="utf-8")
    return tmp_path / "home"


def choose(home: Path, section: str) -> None:
    (home / FILE).write_text(f"[library.notes.embedder]\n{section}\n", encoding="utf-8")


@contextmanager
def opened(home: Path) -> Iterator[App]:
    with open_app(load(home, watch="off"), [home.parent / "notes"]) as app:
        yield app


def found(app: App, text: str, mode: Mode) -> tuple[list[str], EngineState]:
    outcome = app.searcher.search(Query(text=text, filter=app.gate.filter(Principal()), mode=mode))
    return [hit.entry.path for hit in outcome.hits], outcome.diagnostics.semantic


def test_s17_a_change_of_models_mixes_nothing_and_full_text_answers_meanwhile(home: Path, tmp_path: Path) -> None:
    """Refuse to mix, also at the same width; full text works meanwhile; rebuilt in the background; old vectors kept."""
    make_embedder(tmp_path / "one", seed=1)
    make_embedder(tmp_path / "two", seed=2, pooling="max_tokens")
    texts: list[str] = []
    for name in ("one", "two", "one"):
        choose(home, f'kind = "folder"\npath = {json.dumps(str(tmp_path / name))}')
        with opened(home) as app:
            library = app.gate.libraries()[0]
            embedder = app.indexer.feeder.embedder.of("notes")
            assert embedder.model.startswith(name)
            if name == "one" and app.catalog.scan_state("notes").finished_at:
                assert app.catalog.pending_count("notes", embedder.model) == 0, "the old vectors are still there"
            app.indexer.refresh(library)
            if app.catalog.pending_count("notes", embedder.model):
                paths, state = found(app, "sourdough", Mode.HYBRID)
                assert (paths, state) == (["bread.md"], EngineState.LOADING)
            app.indexer.complete(library)
            assert found(app, "cats sleep", Mode.SEMANTIC)[0][0] == "cats.md"
            assert found(app, "cats sleep", Mode.HYBRID)[1] is EngineState.OK
            texts = texts or app.catalog.pending_texts("notes", "nobody's", 9)
            best = max(float(embedder.embed_query("sourdough") @ vector) for vector in embedder.embed(texts))
            query = Query(text="sourdough", filter=app.gate.filter(Principal()), mode=Mode.SEMANTIC)
            assert app.searcher.search(query).hits[0].score == pytest.approx(best, abs=0.02)


def test_a_folder_that_cannot_be_used_leaves_full_text(home: Path, tmp_path: Path) -> None:
    choose(home, 'kind = "folder"\npath = "models/none"')
    with opened(home) as app:
        app.indexer.refresh(app.gate.libraries()[0])
        paths, state = found(app, "sourdough", Mode.HYBRID)
        assert (paths, state) == (["bread.md"], EngineState.DEGRADED)
        reason = app.reporter.status(app.gate.filter(Principal())).reason
        assert f"There is no folder {home / 'models' / 'none'}" in str(reason)


def test_doctor_looks_at_each_model(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trilith = CommandLine(home, monkeypatch, capsys)
    choose(home, 'kind = "folder"\npath = "small"')
    make_embedder(home / "small")
    checks = {each["name"]: each for each in trilith("doctor", "--vault", tmp_path / "notes", "--json").json["checks"]}
    assert checks["model"]["verdict"] == "ok"
    assert checks["model notes"]["verdict"] == "ok"
    (home / "small" / "tokenizer.json").unlink()
    done = trilith("doctor", "--vault", tmp_path / "notes", "--json")
    broken = {each["name"]: each for each in done.json["checks"]}["model notes"]
    assert done.status == 1
    assert "has no tokenizer.json" in broken["message"]
    assert "[library.notes.embedder]" in broken["next_step"]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ('kind = "folder"', "path"),
        ('kind = "folder"\npath = ""', "path"),
        ('kind = "folder"\npath = "x"\nmodel = "y"', "model"),
        ('kind = "other"', "'kind' must be"),
    ],
)
def test_wrong_settings_are_refused_by_name(home: Path, section: str, said: str) -> None:
    choose(home, section)
    with pytest.raises(InvalidInput, match=r"library\.notes\.embedder") as refused:
        load(home)
    assert said in refused.value.message


GERMAN = "Der Teig ruht über Nacht im Kühlschrank und wird am Morgen auf dem Stein gebacken. Das ist nicht schwer.\n"


def test_notes_in_other_languages_are_told_of_until_a_model_is_chosen(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trilith = CommandLine(home, monkeypatch, capsys)
    vault = tmp_path / "notes"

    def told() -> tuple[bool, bool]:
        checks = trilith("doctor", "--vault", vault, "--json").json["checks"]
        status = trilith("status", "--vault", vault, "--json").json["libraries"][0]["advice"]
        return any(each["name"] == "language notes" for each in checks), status is not None

    assert told() == (False, False)
    for number in range(3):
        (vault / f"brot {number}.md").write_text(GERMAN, encoding="utf-8")
    assert told() == (True, True)
    assert "[library.notes.embedder]" in trilith("status", "--vault", vault).out
    assert trilith("doctor", "--vault", vault).status == 0, "it is no fault"
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    assert told() == (False, False)
    monkeypatch.delenv("TRILITH_SEMANTIC")
    choose(home, 'kind = "multilingual"')
    assert told() == (False, False)
    found = trilith("search", "how to bake bread in the morning", "--vault", vault, "--mode", "semantic", "--json").json
    assert found["results"][-1]["path"] == "cats.md"


def test_a_reranker_is_off_unless_a_folder_is_named(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trilith = CommandLine(home, monkeypatch, capsys)
    search = ("search", "a recipe for bread", "--vault", tmp_path / "notes")
    assert "reranker" not in trilith(*search, "--json").json["diagnostics"]
    make_reranker(home / "judge")
    (home / FILE).write_text('[reranker]\npath = "judge"\nbudget_ms = 60000\n', encoding="utf-8")
    answer = trilith(*search, "--json", "--explain").json
    assert (answer["diagnostics"]["reranker"], answer["diagnostics"]["reranker_reason"]) == ("ok", None)
    assert answer["results"][0]["path"] == "bread.md"
    assert answer["results"][0]["explanation"]["reranked"]["from"] == 1
    assert "reranked: from place 1" in trilith(*search, "--explain").out
    assert "reranker: ready" in trilith("doctor", "--vault", tmp_path / "notes").out
    (home / "judge" / "model.onnx").unlink()
    assert "Not reranked, degraded" in trilith(*search).err
    assert trilith("doctor", "--vault", tmp_path / "notes").status == 1
    (home / FILE).write_text('[reranker]\npath = "judge"\nbudget_ms = 0\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"reranker\.budget_ms"):
        load(home)
