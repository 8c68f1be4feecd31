from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.embedding.local import BUILT_IN
from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.tokens import WordPieces, fitted, most_tokens

PIECES = WordPieces(BUILT_IN / "tokenizer.json", 256)
EXACT = WordPieces(BUILT_IN / "tokenizer.json", 2)
"""With so small a window nothing fits, and all is counted."""
ENDLESS = WordPieces(BUILT_IN / "tokenizer.json", 1_000_000)


def test_the_cut_and_filling_that_the_file_asks_for_are_not_done() -> None:
    assert PIECES.count(["word " * 1_000]) == [1_002]
    assert EXACT.count(["one", "word " * 200]) == [3, 202]
    short, long = PIECES.encode(["one", "word " * 1_000])
    assert len(short) == 3
    assert len(long) == 256


def test_a_cut_text_keeps_both_marks() -> None:
    (whole,) = PIECES.encode(["word"])
    (cut,) = PIECES.encode(["word " * 1_000])
    assert (cut[0], cut[-1]) == (whole[0], whole[-1])
    assert fitted([1, 2, 3, 4, 9], 4) == [1, 2, 3, 9]
    assert fitted([1, 2, 3, 9], 4) == [1, 2, 3, 9]


ODD = [
    " ",
    "\n",
    "[",
    "_",
    "don't",
    "a.b",
    "e\u0301",
    "\u0301",
    "\x1c",
    "\u00a0",
    "\u200b",
    "漢字",
    "“",
    "a" * 41,
    "a" * 101,
]


@given(st.lists(st.text() | st.sampled_from(ODD)))
def test_counting_word_by_word_agrees_with_encoding(parts: list[str]) -> None:
    text = "".join(parts)
    (encoded,) = ENDLESS.encode([text])
    assert EXACT.count([text]) == [len(encoded)]
    (bound,) = PIECES.count([text])
    assert len(encoded) <= bound <= max(len(encoded), PIECES.window)


def test_marks_of_the_model_in_a_text_never_make_the_count_too_small() -> None:
    (encoded,) = ENDLESS.encode(["a [MASK] b"])
    assert EXACT.count(["a [MASK] b"])[0] >= len(encoded)


@given(st.text(max_size=200))
def test_the_bound_is_never_below_the_count(text: str) -> None:
    assert EXACT.count([text])[0] <= most_tokens(text)


@pytest.mark.parametrize(
    "text", ["데이터베이스를 정리", "Ünïcödé", unicodedata.normalize("NFD", "é" * 50), "ﷺ", "a" * 90]
)
def test_the_bound_holds_where_characters_come_apart(text: str) -> None:
    assert EXACT.count([text])[0] <= most_tokens(text)


def test_without_a_tokenizer_texts_can_still_be_cut_into_chunks(tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{", "utf-8")
    for path in (broken, tmp_path / "missing.json"):
        pieces = WordPieces(path, 256)
        assert pieces.count(["ab cd", ""]) == [6, 2]
        with pytest.raises(ModelUnusable, match="cannot be loaded"):
            pieces.encode(["ab cd"])
