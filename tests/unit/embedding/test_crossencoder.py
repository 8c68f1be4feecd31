"""What is told of a folder that is no cross-encoder. The rest is in the suite of the port."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.models import make_embedder, make_reranker

from trilith.embedding.crossencoder import FolderReranker
from trilith.errors import Unavailable
from trilith.model.hits import EngineState


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    broken = make_reranker(tmp_path / "broken")
    (broken / "tokenizer.json").unlink()
    for folder, said in (
        (tmp_path / "none", "There is no folder"),
        (broken, "has no tokenizer.json"),
        (make_embedder(tmp_path / "embedder"), "is no cross-encoder"),
    ):
        reranker = FolderReranker(folder)
        status = reranker.wait(30)
        assert status.state is EngineState.DEGRADED
        assert said in str(status.reason)
        with pytest.raises(Unavailable, match=said):
            reranker.scores("a", ["b"], 9.0)


def test_a_pair_is_cut_to_the_window(tmp_path: Path) -> None:
    reranker = FolderReranker(make_reranker(tmp_path / "m", window=32))
    assert reranker.wait(30).state is EngineState.OK
    assert len(reranker.scores("bread " * 500, ["oven " * 500], 9.0)) == 1
