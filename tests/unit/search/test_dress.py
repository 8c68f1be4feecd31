"""Where the lines of a snippet are looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trilith.search.dress import WINDOW, window


def test_a_short_text_is_looked_through_whole() -> None:
    assert window("a few words", {"words": 1.0}) == (0, 11)


def test_the_weightiest_word_that_is_there_decides() -> None:
    text = "common " * 1000 + "Rare thing " + "common " * 1000
    start, end = window(text, {"common": 0.1, "rare": 3.0, "absent": 9.0})
    assert "Rare thing" in text[start:end]
    assert end - start <= WINDOW


def test_without_a_word_it_is_the_beginning() -> None:
    assert window("word " * 2000, {"absent": 1.0})[0] == 0


@given(
    st.text(alphabet="aé\u0301👩\u200d🚀 \n", min_size=WINDOW, max_size=WINDOW * 3), st.sampled_from(["a", "é", "🚀"])
)
def test_no_character_is_parted(text: str, word: str) -> None:
    start, end = window(text, {word: 1.0})
    assert 0 <= start <= end <= len(text)
    assert end - start <= WINDOW + 100
    for edge in (start, end):
        assert edge in (0, len(text)) or text[edge] not in "\u0301\u200d" or text[edge - 1] in " \n"
