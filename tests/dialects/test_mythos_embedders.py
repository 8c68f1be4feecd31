"""A library whose owner has chosen an embedder of its own: what it finds, and what is said when that server fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from tests.dialects.mythos_vault import write
from tests.dialects.test_mythos_statuses import PATH, fails, server
from tests.fakes import HashEmbedder
from tests.openai_server import KEY, Upstream, upstream

from trilith.errors import InvalidInput
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import FILE, load
from trilith.wiring import models, open_app


@pytest.fixture
def owner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Upstream]:
    """The server that the owner has named, and the key that is good there."""
    monkeypatch.setenv("NOTES_KEY", KEY)
    with upstream() as state:
        yield state


@pytest.fixture
def home(tmp_path: Path, owner: Upstream) -> Path:
    """A home in which the library `notes` has that embedder."""
    home = tmp_path / "home"
    home.mkdir()
    section = (
        f'[library.notes.embedder]\nbase_url = "{owner.url}"\nmodel = "small"\nwidth = 64\nkey_env = "NOTES_KEY"\n'
    )
    (home / FILE).write_text(section, encoding="utf-8")
    return home


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "notes")


def test_its_vectors_come_from_there_and_find_memos(vault: Path, home: Path, owner: Upstream) -> None:
    with server(vault, home) as client:
        body = client.get(PATH, params={"q": "water below the boil"}).json()
        assert body["memos"][0]["title"] == "Brewing green tea"
        assert body["diagnostics"]["vectorSearchFailed"] is False
    assert owner.asked[0]["model"] == "small"
    assert owner.asked[-1]["input"] == ["water below the boil"]


def test_422_without_a_key_or_with_one_that_is_rejected(
    vault: Path, home: Path, owner: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(vault, home) as client:
        assert client.get(PATH, params={"q": "all is well"}).status_code == 200
        owner.answer = 401
        body = fails(client, 422)
        assert body["fallback"] == "substring"
        assert "rejected the key" in body["error"]
        assert KEY not in body["error"]
    with server(vault, home, vector="off", embed=False) as client:
        assert "rejected the key" in fails(client, 422)["error"]
    monkeypatch.delenv("NOTES_KEY")
    with server(vault, home, embed=False) as client:
        assert "NOTES_KEY is not set" in fails(client, 422)["error"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_s16_a_server_that_fails_leaves_the_text_search(vault: Path, home: Path, owner: Upstream, status: int) -> None:
    """Degraded mode: a limit, a fault."""
    with server(vault, home) as client:
        assert client.get(PATH, params={"q": "all is well"}).status_code == 200
        owner.answer = status
        answer = client.get(PATH, params={"q": "green tea"})
        assert answer.status_code == 200
        assert answer.json()["diagnostics"]["vectorSearchFailed"] is True
        assert str(status) in answer.json()["diagnostics"]["reason"]
        assert answer.json()["memos"][0]["title"] == "Brewing green tea"


def test_s17_another_model_never_mixes_and_words_find_meanwhile(vault: Path, home: Path, owner: Upstream) -> None:
    """Vectors are kept by model; the old ones stay until the new ones are there."""
    plain = home.with_name("home")
    toml = (plain / FILE).read_text(encoding="utf-8")
    (plain / FILE).unlink()
    with (
        mock.patch.object(models, "LocalEmbedder", return_value=HashEmbedder(width=64)),
        open_app(load(plain), [vault]) as app,
    ):
        app.indexer.complete(app.gate.libraries()[0])
        assert not app.catalog.pending_count("notes", "hash-64")
    (plain / FILE).write_text(toml, encoding="utf-8")
    with open_app(load(plain), [vault]) as app:
        filter = app.gate.filter(Principal())
        query = Query(text="green tea", filter=filter, mode=Mode.HYBRID)
        outcome = app.searcher.search(query)
        assert outcome.hits[0].entry.metadata.title == "Brewing green tea"
        assert outcome.diagnostics.semantic.value == "loading"
        assert outcome.diagnostics.pending > 0
        app.indexer.complete(app.gate.libraries()[0])
        assert app.searcher.search(query).diagnostics.semantic.value == "ok"
        assert not app.catalog.pending_count("notes", "hash-64")


def test_two_libraries_with_two_embedders_are_searched_together(vault: Path, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "kettle.md").write_text("# Kettle\n\nA kettle for green tea sings on the stove.\n", encoding="utf-8")
    with (
        mock.patch.object(models, "LocalEmbedder", return_value=HashEmbedder(width=32, model="usual")),
        open_app(load(home), [vault, other]) as app,
    ):
        for library in app.gate.libraries():
            app.indexer.complete(library)
        filter = app.gate.filter(Principal())
        found = app.chunk_searcher.search("green tea kettle", filter, 10)
        assert {hit.entry.library for hit in found.hits} == {"notes", "other"}
        assert found.diagnostics.semantic.value == "ok"
        outcome = app.searcher.search(Query(text="green tea kettle", filter=filter, mode=Mode.SEMANTIC))
        assert {hit.entry.library for hit in outcome.hits} == {"notes", "other"}
        assert app.reporter.status(filter).pending_vectors == 0


def test_s18_what_could_not_be_embedded_is_not_lost(vault: Path, home: Path, owner: Upstream) -> None:
    """Texts that the server refused are pending, are counted, and are embedded once it is well."""
    with open_app(load(home), [vault]) as app:
        library = app.gate.libraries()[0]
        app.indexer.refresh(library)
        owner.answer = 503
        with pytest.raises(Exception, match="503"):
            app.indexer.feeder.embed_some("notes")
        assert app.reporter.status(app.gate.filter(Principal())).pending_vectors == 4
        owner.answer = None
        app.indexer.complete(library)
        assert app.reporter.status(app.gate.filter(Principal())).pending_vectors == 0


def test_a_key_can_be_in_a_file_in_home(vault: Path, home: Path) -> None:
    text = (home / FILE).read_text(encoding="utf-8").replace('key_env = "NOTES_KEY"', 'key_file = "notes.key"')
    (home / FILE).write_text(text, encoding="utf-8")
    with open_app(load(home), [vault]) as app:
        assert "notes.key" in str(app.searcher.engines.embedder.of("notes").status().reason)
    (home / "notes.key").write_text(f"{KEY}\n", encoding="utf-8")
    with open_app(load(home), [vault]) as app:
        assert app.searcher.engines.embedder.of("notes").embed_query("x").shape == (64,)


@pytest.mark.parametrize(
    "section",
    [
        'base_url = "file:///etc/passwd"',
        'base_url = "https://user:secret@host/v1"',
        'model = "unknown"',
        'key = "sk-good"',
        'key_file = "../vault/key"',
        'key_file = "/etc/passwd"',
        'kind = "other"',
        "width = 0",
    ],
)
def test_wrong_settings_are_refused(home: Path, section: str) -> None:
    (home / FILE).write_text(f"[library.notes.embedder]\n{section}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"library\.notes\.embedder"):
        load(home)
