from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.language.excerpt import excerpt, excerpt_around
from trilith.language.words import words

FILLER = "filler words come and go " * 40


def test_a_short_text_is_shown_whole_with_blanks_collapsed() -> None:
    assert excerpt("# Title\n\n  one\ttwo  ", ["two"]) == "# Title one two"


def test_without_a_match_it_is_the_start() -> None:
    shown = excerpt(FILLER, ["absent"])
    assert FILLER.startswith(shown.removesuffix("…"))
    assert shown.endswith("…")


def test_it_shows_the_match_in_context_between_whole_words() -> None:
    shown = excerpt(f"{FILLER}They kept running the tests. {FILLER}", ["run"])
    assert "kept running the tests." in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= 300
    assert set(shown.strip("…").split()) <= set(f"{FILLER}They kept running the tests.".split())


def test_the_window_with_the_most_words_wins() -> None:
    text = f"alpha alpha alpha {FILLER} alpha near beta {FILLER} beta beta beta"
    assert "alpha near beta" in excerpt(text, ["alpha", "beta"])


def test_the_end_of_a_long_text_is_reached() -> None:
    shown = excerpt(FILLER * 200 + "unique zebra", ["zebra"])
    assert shown.endswith("unique zebra")


@pytest.mark.parametrize("query_word", ["naive", "user", "gath*"])
def test_folded_forms_parts_and_beginnings_match(query_word: str) -> None:
    text = f"{FILLER}a naïve call of getUserName in asyncio.gather() {FILLER}"
    assert {"naive": "naïve", "user": "getUserName", "gath*": "asyncio.gather"}[query_word] in excerpt(
        text, [query_word]
    )


def test_text_without_spaces_is_cut_between_characters() -> None:
    text = "今天整理知识管理系统，" * 100 + "数据库优化很重要。" + "我们需要更多的时间。" * 100
    shown = excerpt(text, words("数据库"))
    assert "数据库" in shown
    assert 290 <= len(shown) <= 300


def test_marks_stay_with_their_characters() -> None:
    assert excerpt("ก็" * 300, [], limit=50) == "ก็" * 24 + "…"
    assert excerpt("x " + "e\u0301" * 300, [], limit=50).endswith("e\u0301…")


def test_emoji_and_flags_stay_whole() -> None:
    assert set(excerpt("👩\u200d💻" * 100, [], limit=50).strip("…").split("👩\u200d💻")) == {""}
    assert len(excerpt("\U0001f1e9\U0001f1ea" * 100, [], limit=50).strip("…")) % 2 == 0


LETTERS = st.sampled_from([*"abc DE_.-\n", "系", "统", "e\u0301", "ก็", "👩\u200d💻", "\U0001f1e9\U0001f1ea", "needle "])


@given(st.lists(LETTERS, max_size=120).map("".join), st.integers(20, 80))
def test_it_is_always_a_part_of_the_text_and_within_the_limit(text: str, limit: int) -> None:
    shown = excerpt(text, ["needle", "系统"], limit)
    assert len(shown) <= limit
    assert shown.strip("…") in " ".join(text.split())


@given(st.lists(st.text("abc._", min_size=1, max_size=30), max_size=60), st.integers(0, 60), st.integers(40, 120))
def test_a_match_is_always_shown(around: list[str], place: int, limit: int) -> None:
    around.insert(place, "fooNeedleBar")
    assert "Needle" in excerpt(" ".join(around), ["needle"], limit)


# --- around a text as it stands


def test_an_excerpt_stands_around_a_text_whatever_its_case_and_accents() -> None:
    text = f"{'before ' * 100}a CAFE\u0301 by the sea {'after ' * 100}"
    shown = excerpt_around(text, "caf\u00c9 by")
    assert "CAFE\u0301 by the sea" in shown
    assert shown.startswith("\u2026")
    assert shown.endswith("\u2026")
    assert len(shown) <= 300


def test_letters_that_become_two_do_not_move_the_place() -> None:
    text = "stra\u00dfe " * 200 + "needle" + " end" * 200
    assert "needle" in excerpt_around(text, "NEEDLE", limit=60)


def test_a_text_that_is_not_there_shows_the_beginning() -> None:
    assert excerpt_around("word " * 100, "nowhere", limit=20).startswith("word word")
    assert excerpt_around("short", "nowhere") == "short"


def test_a_text_longer_than_the_excerpt_is_cut() -> None:
    shown = excerpt_around("x" * 50 + " " + "needle " * 200, "needle " * 100, limit=60)
    assert len(shown) <= 60
    assert "needle" in shown
