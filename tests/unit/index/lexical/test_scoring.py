from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.unit.index.lexical.notes import ask, fed, note

from trilith.index.lexical.index import LexicalIndex
from trilith.index.lexical.scoring import beginning_with, idf


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return LexicalIndex(tmp_path, lambda filter: np.array([], np.int64))


def test_idf_is_that_of_bm25() -> None:
    assert idf(1, 10) == pytest.approx(math.log(1 + 9.5 / 1.5))
    assert idf(10, 10) > 0
    assert idf(11, 10) > 0  # deleted notes count until segments are merged


def test_one_exact_match_scores_as_the_formula_says(index: LexicalIndex) -> None:
    fed(index, [note(1, "zebra one two three"), note(2, "four five six seven")])
    # The mark that says how far the index has come is a document too.
    single = 2.2 * idf(1, 3) * 1 / (1 + 1.2 * (0.25 + 0.75 * 4 / (8 / 3)))
    (hit,) = ask(index, "body:zebra").candidates
    assert hit.raw == pytest.approx(1.5 * single, rel=1e-5)  # words and stems: the second by half


def test_an_unknown_word_raises_the_bound(index: LexicalIndex) -> None:
    fed(index, [note(1, "zebra"), note(2, "horse")])
    known, more = ask(index, "zebra"), ask(index, "zebra unheard")
    assert known.bound is not None
    assert more.bound is not None
    assert more.bound > known.bound
    assert more.candidates[0].raw == known.candidates[0].raw


def test_words_that_stand_together_come_first(index: LexicalIndex) -> None:
    fed(index, [note(1, "multi-agent runs"), note(2, "agent multi runs"), note(3, "multi agent runs")])
    assert [c.num for c in ask(index, "multi-agent").candidates] == [3, 1, 2]


def test_patterns_are_quoted() -> None:
    assert beginning_with("c++") == r"c\+\+.*"
    assert beginning_with("a.b*[x]") == r"a\.b\*\[x\].*"
    assert beginning_with("系统") == "系统.*"
