from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.language.words import LONGEST, Kind, characters, occurrences, terms, tokens, words

ODD_TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("abcXYZ019 _.-/+#c\u0301\u00ad\u200d系统知ばがก็เ한국\u1112\u1161\u11abﾞｶ½²ﬁй"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick fox.", ["the", "quick", "fox"]),
        ("asyncio.gather", ["asyncio", "gather"]),
        ("DEC-0054, gpt-4o", ["dec", "0054", "gpt", "4o"]),
        ("atomic_write_json", ["atomic_write_json", "atomic", "write", "json"]),
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("SHA256sum PDFs", ["sha256sum", "pdfs"]),
        ("XML_HTTPRequest2", ["xml_httprequest2", "xml", "http", "request2"]),
        ("__init__", ["init"]),
        ("größe_ändern", ["grosse_andern", "grosse", "andern"]),
        ("v1.0.21", ["v", "1", "0", "21"]),
        ("v2 V8", ["v2", "v8"]),
        ("src/app.py", ["src", "app", "py"]),
        ("C++, C# and F#; i++ x#y", ["c++", "c#", "and", "f#", "i", "x", "y"]),
        ("don't", ["don", "t"]),
        ("系统", ["系", "统", "系统"]),
        ("体", ["体"]),
        ("API系统x", ["api", "系", "统", "x", "系统"]),
        ("やばい", ["や", "ば", "い", "やば", "ばい"]),
        ("정리", ["정", "리", "정리"]),
        ("ก็ดี", ["ก็", "ดี", "ก็ดี"]),
        ("한".replace("한", "\u1112\u1161\u11ab"), ["한"]),
        ("हिन्दी में", ["हिंदी", "में"]),
        ("Größe", ["grosse", "groesse"]),
        ("Ærø Århus", ["aero", "aeroe", "arhus", "aarhus"]),
        ("کتاب\u200cها", ["كتابها", "كتاب", "ها"]),
        ("והבית הבית של", ["והבית", "הבית", "בית", "הבית", "בית", "של"]),
        ("والمدرسة للبيت ولد", ["والمدرسه", "مدرسه", "للبيت", "بيت", "ولد"]),
        ("go 🚀🚀 up", ["go", "🚀", "🚀", "up"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zero", "width"]),
        ("\x00\x07 \ud800 >>> \\ + “”", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_every_token_has_its_place() -> None:
    text = "Run getUserName 系统 C#"
    assert [(token.text, text[token.start : token.end], token.kind) for token in tokens(text)] == [
        ("run", "Run", Kind.WORD),
        ("getusername", "getUserName", Kind.WORD),
        ("get", "get", Kind.PART),
        ("user", "User", Kind.PART),
        ("name", "Name", Kind.PART),
        ("系", "系", Kind.LONE),
        ("统", "统", Kind.LONE),
        ("系统", "系统", Kind.PAIR),
        ("c#", "C#", Kind.WORD),
    ]


def test_places_are_those_of_the_text_given_in_whatever_unicode_form() -> None:
    text = unicodedata.normalize("NFD", "le café, 데이터")
    places = {token.text: text[token.start : token.end] for token in tokens(text)}
    assert places["cafe"] == unicodedata.normalize("NFD", "café")
    assert places["이터"] == unicodedata.normalize("NFD", "이터")


@given(ODD_TEXT)
def test_the_ways_to_ask_for_tokens_agree(text: str) -> None:
    found = list(tokens(text))
    assert sorted(words(text)) == sorted(token.text for token in found)
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    by_kind = terms(text)
    assert by_kind.words.split() == [t.text for t in found if t.kind in (Kind.WORD, Kind.LONE)]
    assert by_kind.spaced.split() == [t.text for t in found if t.kind is Kind.WORD]
    assert by_kind.parts.replace(" _ ", " ").split() == [t.text for t in found if t.kind is Kind.PART]
    assert by_kind.pairs.split() == [t.text for t in found if t.kind is Kind.PAIR]
    assert sorted(occurrences(text, lambda token: token)) == sorted((t.start, t.end, t.text) for t in found)


@given(ODD_TEXT)
def test_the_unicode_form_makes_no_difference(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@given(ODD_TEXT)
def test_no_token_holds_a_blank_or_the_break_between_parts(text: str) -> None:
    assert all(token.text == "".join(token.text.split()) and token.text.strip("_") for token in tokens(text))


def test_a_word_counts_up_to_its_longest() -> None:
    blob = "aB3_" * 50_000
    (word,) = words(blob)
    assert word == blob.lower()[:LONGEST]
    (token,) = tokens(blob)
    assert (token.start, token.end) == (0, len(blob) - 1)


def test_characters() -> None:
    assert characters("系统") == ["系", "统"]
    assert characters("ก็") == ["ก็"]
    assert characters("word") == characters("слово") == []


@given(
    ODD_TEXT
    | st.lists(st.sampled_from(["a", "B", "_", "9", ".", "+", "#", " ", "\n", "v", "x" * 130, "é", "系"])).map("".join)
)
def test_the_terms_of_a_text_are_those_of_its_tokens(text: str) -> None:
    found = terms(text)
    by_kind = {kind: [token.text for token in tokens(text) if token.kind is kind] for kind in Kind}
    assert found.words.split() == [token.text for token in tokens(text) if token.kind in (Kind.WORD, Kind.LONE)]
    assert found.spaced.split() == by_kind[Kind.WORD]
    assert [part for part in found.parts.split() if part != "_"] == by_kind[Kind.PART]
    assert found.pairs.split() == by_kind[Kind.PAIR]
