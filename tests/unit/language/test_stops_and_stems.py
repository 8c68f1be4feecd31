from __future__ import annotations

import pytest

from trilith.language.stems import stem
from trilith.language.stops import STOP_WORDS
from trilith.language.tongues import content_words
from trilith.language.words import words


def test_content_words_are_distinct_and_in_order() -> None:
    assert content_words(words("How do I run the tests and the tests of tests?")) == ["run", "tests"]


def test_stop_words_stay_when_there_is_nothing_else() -> None:
    assert content_words(words("The Who")) == ["the", "who"]


def test_what_an_apostrophe_leaves_is_no_content() -> None:
    assert content_words(words("what's up, isn't it Alice's")) == ["alice"]


def test_pairs_stand_for_their_characters() -> None:
    assert content_words(words("系统 体")) == ["系统", "体"]
    assert content_words(words("ก็ดี")) == ["ก็ดี"]


def test_the_stop_list_is_in_normal_form() -> None:
    assert set(words(" ".join(STOP_WORDS))) == STOP_WORDS


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("running", "run"),
        ("runs", "run"),
        ("libraries", "librari"),
        ("系统", "系统"),
        ("кошками", "кошк"),
        ("γατεσ", "γατ"),
        ("الخبز", "خبز"),
        ("মাছ", "মাছ"),
    ],
)
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected
