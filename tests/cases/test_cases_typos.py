"""S23: typing errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trilith.app import App
from trilith.dialects import shapes
from trilith.dialects.loombrain.searching import MATCHES
from trilith.model.hits import Outcome
from trilith.model.principal import Principal, Scope
from trilith.model.query import Filter, Mode, Query, Ranking
from trilith.settings import load
from trilith.wiring import open_app

NOTES = {
    "Starter.md": "---\ntags: [bread]\n---\nFeed the sourdough starter in the evening.\n",
    "Harbour.md": "The lighthouse keeper left the harbour. See DEC-0054.\n",
    "Secret.md": "---\nvisibility: private\n---\nWhere the emeralds are.\n",
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    vault = tmp_path / "notes"
    vault.mkdir()
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    with open_app(load(home=tmp_path / "home", semantic="off"), [vault]) as app:
        (library,) = app.gate.libraries()
        app.indexer.refresh(library)
        yield app


def ask(app: App, text: str, **more: Any) -> Outcome:
    asked: dict[str, Any] = {"filter": app.gate.filter(Principal()), "mode": Mode.FULLTEXT}
    return app.searcher.search(Query(text=text, **asked | more))


def paths(outcome: Outcome) -> list[str]:
    return [hit.entry.path for hit in outcome.hits]


@pytest.mark.parametrize("mode", [Mode.FULLTEXT, Mode.HYBRID])
@pytest.mark.parametrize("typo", ["sourdoug", "sourdoughh", "sourbough", "lighthose", "sourdoug starrter"])
def test_s23_a_typing_error_is_found_and_flagged(app: App, mode: Mode, typo: str) -> None:
    """Fuzzy distance 1 only as a fallback, flagged."""
    found = ask(app, typo, mode=mode)
    assert paths(found) == ["Harbour.md" if "light" in typo else "Starter.md"]
    assert shapes.diagnostics(found.diagnostics)["similar_words"] is True
    assert found.hits[0].score == 0.0 if mode is Mode.FULLTEXT else found.hits[0].score < 0.5


@pytest.mark.parametrize(
    "query",
    ["zourboug", "0055", "ard", '"sourdoug"', "sourdoug AND starter", "sourdoug lighthose", "tarter NOT bread"],
)
def test_s23_what_is_no_typing_error_finds_nothing(app: App, query: str) -> None:
    """Two letters, digits, short words and query syntax are meant as they are; so are words of two different notes."""
    found = ask(app, query)
    assert paths(found) == []
    assert "similar_words" not in shapes.diagnostics(found.diagnostics)


def test_s23_a_word_that_is_there_is_never_taken_for_another(app: App) -> None:
    """Only as a fallback."""
    found = ask(app, "starter harbours")
    assert not found.diagnostics.similar
    assert set(paths(found)) == {"Starter.md", "Harbour.md"}


def test_s23_filters_and_permissions_hold_for_similar_words(app: App) -> None:
    """Filters and permissions act inside."""
    assert paths(ask(app, "sourdoug", filter=app.gate.filter(Principal(), tags=("bread",)))) == ["Starter.md"]
    assert paths(ask(app, "sourdoug", filter=app.gate.filter(Principal(), tags=("meat",)))) == []
    stranger = Filter(scopes=(Scope(library="notes", reader="eve"),))
    assert paths(ask(app, "emerelds")) == ["Secret.md"]
    assert paths(ask(app, "emerelds", filter=stranger)) == []
    assert not ask(app, "emerelds", filter=stranger).diagnostics.similar


def test_s23_a_pure_fusion_counts_the_words_themselves(app: App) -> None:
    """LoomBrain's totals are of the words that were asked for."""
    found = ask(app, "sourdoghs", ranking=Ranking.PURE, matches=MATCHES[Mode.FULLTEXT], count=True)
    assert (paths(found), found.total_matches) == ([], 0)
