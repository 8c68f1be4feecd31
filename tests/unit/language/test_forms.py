from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.language.forms import Forms, beginning
from trilith.language.stems import stem
from trilith.language.words import tokens, words

ENDING = (
    "s|es|ed|ing|er|ers|ness|less|able|ably|ability|abilities|ful|fully|ly|ily|ist|ism|ational|ation|ator|izer|ization"
    "|iveness|ivity|ively|ous|ously|al|ality|ical|ence|ency|ment|y|ies|ied|ying|ibility|ogy|ate|ative"
)
PIECES = [
    *("oven", "Ovens", "OVEN", "proven", "getOvenHeat", "oven_door", "v1.0.21", "c++", "skies", "dying", "tying"),
    *("Überöfen", "uberofen", "e\u0301clair", "食パンを", "食", "İstanbul", "\u212aelvin", "“oven”", "oven,", "(flour"),
    *(" ", " ", "\n", "\n\n", "\t", "\u00a0", "-", "/", "*"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join)


def test_forms_of_a_word_are_found_wherever_they_stand() -> None:
    text = "Ovens were proven,\nand getOvenHeat asks (oven)."
    assert [(text[start:end], word) for start, end, word in Forms(["oven"]).find(text)] == [
        ("Ovens", "oven"),
        ("Oven", "oven"),
        ("oven", "oven"),
    ]


def test_the_beginning_of_a_word_stands_for_all_that_begin_so() -> None:
    assert [word for _, _, word in Forms(["flo*"]).find("flour on the floor, aflow")] == ["flo*", "flo*"]


@given(TEXTS, TEXTS, st.lists(st.sampled_from(["ov*", "sk*", "食*"])))
def test_nothing_is_found_or_missed_that_reading_every_token_would_not(
    text: str, query: str, beginnings: list[str]
) -> None:
    asked = [*words(query)[:5], *beginnings]
    found = Forms(asked).find(text)
    assert sorted({(start, end) for start, end, _ in found}) == sorted(
        {(token.start, token.end) for token in tokens(text) if is_asked(token.text, asked)}
    )


def is_asked(token: str, asked: list[str]) -> bool:
    whole = [word for word in asked if not word.endswith("*")]
    beginnings = tuple(word[:-1] for word in asked if word.endswith("*"))
    return token in whole or stem(token) in map(stem, whole) or token.startswith(beginnings)


@given(st.from_regex(rf"[a-z]{{1,8}}({ENDING})?", fullmatch=True))
def test_every_word_begins_as_its_stem_promises(word: str) -> None:
    assert word.startswith(beginning(stem(word)))


@pytest.mark.parametrize(
    "word", ["happy", "ability", "hoping", "dying", "lying", "tying", "skies", "skis", "early", "ugly"]
)
def test_every_word_begins_as_its_stem_promises_where_the_stemmer_changes_letters(word: str) -> None:
    assert word.startswith(beginning(stem(word)))
