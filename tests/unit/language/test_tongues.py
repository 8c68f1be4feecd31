from __future__ import annotations

import pytest

from trilith.language.stems import stem, stem_in, stemmed
from trilith.language.tongues import ENGLISH, OTHERS, content_words, stop_words, tongue
from trilith.language.words import words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wer hat die zerstörten Pfeiler ersetzt und warum?", "german"),
        ("¿En qué edificio está la biblioteca?", "spanish"),
        ("Когда и кем был построен маяк?", "russian"),
        ("Köprüden geçmek için ne veriyordu?", "turkish"),
        ("Où se trouve la gare et quand ouvre-t-elle?", "french"),
        ("أين يقع المتحف ومن هو مديره", "arabic"),
        ("Who was it that repaired the bridge in the end?", ENGLISH),
        ("die hard", ENGLISH),
        ("atomic_write_json", ENGLISH),
        ("灯塔是什么时候修建的", ENGLISH),
        ("", ENGLISH),
    ],
)
def test_a_text_is_told_by_its_stop_words(text: str, language: str) -> None:
    assert tongue(words(text)) == language


def test_a_question_loses_the_stop_words_of_its_own_language() -> None:
    assert content_words(words("Wann wurde der Leuchtturm gebaut?")) == ["leuchtturm", "gebaut"]
    assert content_words(words("die Lampe")) == ["die", "lampe"]  # one word of German is not enough
    assert content_words(words("qué es esto")) == ["que", "es", "esto"]  # there is nothing else


@pytest.mark.parametrize("language", OTHERS)
def test_stop_words_are_in_normal_form_and_have_a_stemmer(language: str) -> None:
    stops = stop_words(language)
    assert len(stops) > 40
    assert set(words(" ".join(stops))) == set(stops)
    assert stem_in(language, "word")


def test_stems_of_another_language() -> None:
    assert stem_in("spanish", "construyeron") == stem_in("spanish", "construyó".replace("ó", "o"))
    assert stem("construyeron") != stem("construyo")
    assert stem("опоры") == stem("опорах")  # its script tells


def test_what_the_index_takes_english_stems_of_gives_what_queries_ask_for() -> None:
    text = "puentes construyeron running"
    assert [stem(word) for word in stemmed("spanish", text).split()] == [stem_in("spanish", w) for w in text.split()]
    assert stemmed(ENGLISH, text) == text
