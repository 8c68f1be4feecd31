from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.language.normal import fold, fold_case


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Café", "cafe"),
        ("CAFE\u0301", "cafe"),
        ("naïve", "naive"),
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("Ærøskøbing", "aeroskobing"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδοσ"),
        ("Ёлка", "елка"),
        ("Йод", "йод"),
        ("Ўзбек", "ўзбек"),
        ("العَرَبِيَّة", "العربيه"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिंदी"),
        ("फ़िल्म", "फिल्म".replace("ल्म", "ल्म")),
        ("إلى", "الي"),
        ("کتابی", "كتابي"),
        ("chứ Quốc", "chu quoc"),
        ("L’ŒUF", "l’oeuf"),
        ("ґанок", "ґанок"),
        ("ก็", "ก็"),
        ("がぎ", "がぎ"),
        ("ｶﾞ", "ガ"),
        ("ＡＰＩ", "api"),
        ("ﬁle", "file"),
        ("데이터", "데이터"),
    ],
)
def test_words_fold_to_one_form(written: str, normal: str) -> None:
    assert fold(written) == normal


@given(st.text(max_size=30))
def test_folding_is_stable_and_blind_to_the_unicode_form(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


def test_folding_case_keeps_accents() -> None:
    assert fold_case("CAFÉ/Ü") == "café/ü" == fold_case(unicodedata.normalize("NFD", "Café/ü"))
    assert fold_case("cafe") != fold_case("café")
