"""The score of chunks and memos, from the numbers on the MythOS page."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.language.words import words
from trilith.model.ids import Num
from trilith.search.blend import blend, chunk_score, note_score, query_words, share

A, B = Num(1), Num(2)


def test_the_memo_score_on_the_page_comes_from_its_chunk_and_four_more() -> None:
    """`memoScore: 0.85` beside a best chunk of 0.69: five chunks."""
    assert round(note_score(0.69, 5), 2) == 0.85
    chunks = {(A, 0): 0.69, **{(A, ordinal): 0.3 for ordinal in range(1, 5)}}
    memo = blend(chunks)[A]
    assert (round(memo.score, 2), memo.count) == (0.85, 5)


def test_one_chunk_adds_nothing() -> None:
    assert note_score(0.4, 1) == 0.4


def test_a_chunk_is_seven_parts_meaning_and_three_parts_words() -> None:
    assert chunk_score(1.0, 1.0) == pytest.approx(1.0)
    assert chunk_score(0.6, 0.5) == pytest.approx(0.7 * 0.6 + 0.3 * 0.5)
    assert chunk_score(0.0, 2 / 3) == pytest.approx(0.2)


@pytest.mark.parametrize(("cosine", "counted"), [(-0.4, 0.0), (1.0001, 1.0)])
def test_the_cosine_is_clipped(cosine: float, counted: float) -> None:
    assert chunk_score(cosine, 0.0) == pytest.approx(0.7 * counted)


def test_chunks_count_from_a_quarter_of_the_best_of_all_memos() -> None:
    blended = blend({(A, 0): 0.8, (A, 1): 0.2, (A, 2): 0.19, (B, 0): 0.1, (B, 1): 0.1})
    assert (blended[A].count, blended[A].score) == (2, pytest.approx(0.8 + 0.1 * math.log(2)))
    assert (blended[B].count, blended[B].score) == (1, pytest.approx(0.1))


def test_chunks_stand_best_first_and_equal_ones_in_the_order_of_the_text() -> None:
    blended = blend({(A, 2): 0.5, (A, 7): 0.9, (A, 1): 0.5})
    assert blended[A].chunks == ((7, 0.9), (1, 0.5), (2, 0.5))


def test_no_candidates_are_no_memos() -> None:
    assert blend({}) == {}


def test_the_words_of_a_query_are_distinct_tokens_without_stop_words() -> None:
    assert query_words("What is the Caf\u00e9 of the cafe?") == ("cafe",)
    assert query_words("to be or not to be") == ("to", "be", "or", "not")
    assert query_words("\u6771\u4eac") == ("\u6771\u4eac",)
    assert query_words("?!") == ()


def test_the_share_counts_words_as_they_are_in_chunk_title_or_tags() -> None:
    asked = query_words("green tea kettle whistle")
    assert share(asked, "Tea is GREEN", words("Kettles kitchen/kettle")) == 0.75
    assert share(asked, "teas and whistles") == 0.0
    assert share((), "anything") == 0.0


@given(
    st.lists(
        st.sampled_from(["user", "getusername", "c++", "cafe", "1", "tea", "\u6771\u4eac"]), unique=True, min_size=1
    ),
    st.lists(
        st.sampled_from(["getUserName()", "C++17", "c++", "Caf\u00e9", "v1.0", "tea-pot", "team", "\u6771\u4eac", "\n"])
    ),
)
def test_the_short_way_comes_to_the_same_as_taking_the_whole_text_apart(asked: list[str], pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert share(asked, text) == sum(word in words(text) for word in asked) / len(asked)
