"""Searching in the LoomBrain dialect, by the cases of the field: a part is down, the model is another, answers stay short."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from trilith.app import App
from trilith.dialects.loombrain import LOOMBRAIN
from trilith.errors import TrilithError, Unavailable
from trilith.model.principal import Principal
from trilith.settings import load
from trilith.wiring import open_app

NOTES = {
    "kneading.md": "---\ntitle: Kneading\n---\nFold the dough until it is smooth and elastic.\n",
    "oven.md": "---\ntitle: Oven log\n---\nThe dough went into a cold oven.\n",
}
CONTEXT = 4_000 * 4
"""Characters of about 4,000 tokens."""


@contextmanager
def opened(tmp_path: Path, semantic: str = "on") -> Iterator[App]:
    vault = tmp_path / "notes"
    vault.mkdir(exist_ok=True)
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic=semantic, watch="off"), [vault]) as app:
        for library in app.gate.libraries():
            app.indexer.complete(library)
        yield app


def call(app: App, tool: str, **arguments: Any) -> dict[str, Any]:
    """The answer, or what went wrong in the dialect's words."""
    try:
        return LOOMBRAIN.call(app, Principal(), LOOMBRAIN.tool(tool), arguments)
    except TrilithError as failure:
        return LOOMBRAIN.render_error(failure)


def titles(answer: dict[str, Any]) -> list[str]:
    return [hit["title"] for hit in answer["data"]]


def test_s16_without_meaning_hybrid_answers_from_words_and_says_so(tmp_path: Path) -> None:
    """`diagnostics.semantic` with a reason; hybrid still answers; semantic mode errors, never `[]`."""
    with opened(tmp_path, semantic="off") as app:
        hybrid = call(app, "lb_search", query="dough")
        assert set(titles(hybrid)) == {"Kneading", "Oven log"}
        assert [hit["match_provenance"]["semantic"] for hit in hybrid["data"]] == [False, False]
        assert [hit["match_provenance"]["score"] for hit in hybrid["data"]] == [1 / 61, 1 / 62]
        assert hybrid["diagnostics"]["semantic"] == "off"
        assert hybrid["diagnostics"]["reason"]
        semantic = call(app, "lb_search", query="dough", mode="semantic")
        assert semantic["error"] == "UNAVAILABLE"
        assert "off" in semantic["message"]
        assert call(app, "lb_search", query="dough", mode="semantic", para_item_id="x")["error"] == "UNAVAILABLE"
        assert call(app, "lb_get_context", topic="dough")["diagnostics"]["semantic"] == "off"
        assert call(app, "lb_graph_health")["stale_nodes"] == 0


def test_s16_a_model_that_fails_is_degraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same when the model breaks on the way; full text that is down is told too, with an unknown count of matches."""
    with opened(tmp_path) as app:
        engines = app.searcher.engines

        def broken(*_: object, **__: object) -> Any:
            raise Unavailable("the model ran out of memory")

        with monkeypatch.context() as patched:
            patched.setattr(type(engines.embedder), "embed_query", broken)
            hybrid = call(app, "lb_search", query="dough")
            assert hybrid["diagnostics"]["semantic"] == "degraded"
            assert "memory" in hybrid["diagnostics"]["reason"]
            assert hybrid["total_matches"] == 2
            assert call(app, "lb_search", query="dough", mode="semantic")["error"] == "UNAVAILABLE"
        with monkeypatch.context() as patched:
            patched.setattr(type(engines.fulltext), "retrieve", broken)
            hybrid = call(app, "lb_search", query="dough")
            assert hybrid["diagnostics"]["fulltext"] == "degraded"
            assert len(hybrid["data"]) == 2
            assert "total_matches" not in hybrid
            assert hybrid["coverage_capped"] is False
            assert call(app, "lb_search", query="dough", mode="keyword")["error"] == "UNAVAILABLE"


def test_s17_vectors_of_another_model_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another model is told by its id: full text works meanwhile, semantic mode waits and then errors."""
    from trilith.embedding.manifest import Manifest

    with opened(tmp_path) as app:
        assert call(app, "lb_search", query="dough", mode="semantic")["total"] == 2
    monkeypatch.setattr(Manifest, "identity", "another-model")
    monkeypatch.setattr("trilith.search.retrieve.PATIENCE", {"hybrid": 0.1, "semantic": 0.1})
    with open_app(load(tmp_path / "home", watch="off"), [tmp_path / "notes"]) as app:
        hybrid = call(app, "lb_search", query="dough")
        assert [hit["match_provenance"]["semantic"] for hit in hybrid["data"]] == [False, False]
        assert hybrid["diagnostics"]["semantic"] == "loading"
        assert hybrid["diagnostics"]["pending"] == 2
        assert call(app, "lb_search", query="dough", mode="semantic")["error"] == "UNAVAILABLE"
        assert call(app, "lb_graph_health")["stale_nodes"] == 2


def test_s18_what_is_not_embedded_yet_is_counted(tmp_path: Path) -> None:
    """Pending is visible: in each answer and in the graph's health."""
    with opened(tmp_path) as app:
        (library,) = app.gate.libraries()
        (tmp_path / "notes" / "new.md").write_text("A sentence that nobody has embedded yet.\n", encoding="utf-8")
        app.indexer.refresh(library)
        assert call(app, "lb_search", query="sentence")["diagnostics"]["pending"] == 1
        assert call(app, "lb_graph_health")["stale_nodes"] == 1
        app.indexer.complete(library)
        assert call(app, "lb_search", query="sentence")["diagnostics"]["pending"] == 0
        assert call(app, "lb_graph_health")["stale_nodes"] == 0


def test_m07_answers_stay_within_what_a_context_bears(tmp_path: Path) -> None:
    """Default answers < 4k tokens, capped with `truncated` + how to continue; no full bodies in lists."""
    vault = tmp_path / "notes"
    for folder in range(120):
        for number in range(2):
            path = vault / f"Projects/Item {folder} {'of many ' * 9}/note-{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            tags = ", ".join(f"tag-{n}-of-note-{folder}" for n in range(9))
            links = "[[hub]] " * (number + 1)
            path.write_text(
                f"---\ntitle: Note {folder} {'on a winding subject ' * 9}\nsummary: {'A long summary. ' * 60}\ntags: [{tags}]\n---\n"
                f"{links}{'plain words ' * 300}",
                encoding="utf-8",
            )
    (vault / "hub.md").write_text("# Hub\n\n" + "a line of text\n" * 3_000, encoding="utf-8")
    with opened(tmp_path, semantic="off") as app:
        hub = call(app, "lb_search", query="hub a line", mode="keyword")["data"][0]["id"]
        answers = {
            "lb_search": {"query": "plain words"},
            "lb_get_context": {"topic": "plain words"},
            "lb_list_para_items": {},
            "lb_get_node": {"id": hub},
            "lb_get_related": {"id": hub, "limit": 100},
        }
        for tool, arguments in answers.items():
            answer = call(app, tool, **arguments)
            assert len(json.dumps(answer, ensure_ascii=False)) < CONTEXT, tool
            assert answer["truncated"] is True, tool
        assert len(call(app, "lb_search", query="plain words", limit=100, top_k=100)["data"]) > 60, (
            "asked for more, it may be longer"
        )

        body, offset = "", 0
        while offset is not None:
            node = call(app, "lb_get_node", id=hub, offset=offset)
            body, offset = body + node["body_markdown"], node.get("next_offset")
        assert body == (vault / "hub.md").read_text(encoding="utf-8")

        first = call(app, "lb_list_para_items")
        rest = call(app, "lb_list_para_items", offset=first["next_offset"])
        ids = [item["id"] for page in (first, rest) for item in page["items"]]
        assert len(ids) == len(set(ids))
        assert first["total"] == 120
