"""As many searches at once as there are processors."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pytest
from tests.fakes import HashEmbedder

from trilith import wiring
from trilith.model.hits import EngineState
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.ports.embedding import EmbedderStatus, Floats
from trilith.search import turns
from trilith.search.turns import Turns
from trilith.settings import load
from trilith.wiring import open_app


def test_only_the_first_is_alone() -> None:
    both = Turns(2)
    with both.taken() as first, both.taken() as second:
        assert (first, second) == (True, False)
    with both.taken() as again:
        assert again


def test_who_has_waited_long_enough_begins_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    one = Turns(1)
    with one.taken(), one.taken() as late:
        assert not late
    with one.taken() as again:
        assert again, "every turn was given back"


@dataclass
class Onlooker(HashEmbedder):
    """Tells whether anybody held a turn while it was waited for, or asked."""

    turns: Turns | None = None
    alone: list[bool] = field(default_factory=list)

    def wait(self, seconds: float) -> EmbedderStatus:
        self._look()
        return super().wait(seconds)

    def embed_query(self, text: str) -> Floats:
        self._look()
        return super().embed_query(text)

    def _look(self) -> None:
        if self.turns is not None:
            with self.turns.taken() as alone:
                self.alone.append(alone)


@pytest.mark.parametrize("state", [EngineState.LOADING, EngineState.OK])
def test_who_waits_for_a_model_holds_no_turn(tmp_path: Path, state: EngineState) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "bread.md").write_text("Sourdough.\n", "utf-8")
    embedder = Onlooker()
    with (
        mock.patch.object(wiring, "embedder_of", return_value=embedder),
        open_app(load(tmp_path / "home", watch="off"), [tmp_path / "notes"]) as app,
    ):
        app.indexer.complete(app.gate.libraries()[0])
        embedder.state, embedder.reason, embedder.turns = state, "not read yet", app.searcher.engines.turns
        query = Query(text="sourdough", filter=app.gate.filter(Principal()), mode=Mode.HYBRID)
        assert [hit.entry.path for hit in app.searcher.search(query).hits] == ["bread.md"]
    assert embedder.alone
    assert set(embedder.alone) == {state is EngineState.LOADING}
