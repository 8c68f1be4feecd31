"""Cases from the field about queries and full text."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from tests.unit.index.lexical.notes import EVERYTHING, ask, fed, found, note

from trilith.errors import InvalidInput
from trilith.index.lexical.index import LexicalIndex
from trilith.language.excerpt import excerpt
from trilith.language.query import parse
from trilith.language.wanted import asked_words
from trilith.model.hits import Interpretation
from trilith.model.query import Filter, Match


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return LexicalIndex(tmp_path, lambda filter: np.array([], np.int64))


def snippet(text: str, query: str) -> str:
    return excerpt(text, asked_words(parse(query).root))


@pytest.mark.parametrize("match", [Match.ANY, Match.ALL])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("DEC-0054", 1),
        ('"DEC-0054"', 1),
        ("dec-0054", 1),
        ("gpt-4o", 1),
        ('"gpt-4o"', 1),
        ("post-commit", 1),
        ("0054", 1),
        ("commit", 1),
        ("multi-agent memory", 2),
        ('"multi-agent memory"', 2),
        ("multi agent", 2),
    ],
)
def test_s01_hyphenated_ids(index: LexicalIndex, match: Match, query: str, expected: int) -> None:
    """`see DEC-0054, gpt-4o, post-commit` is found by each; leading `-term` as exclusion only in advanced syntax."""
    fed(index, [note(1, "see DEC-0054, gpt-4o, post-commit"), note(2, "multi-agent memory"), note(3, "dec gpt 4 post")])
    assert found(index, query, match)[0] == expected


def test_s01_a_hyphen_within_a_word_excludes_nothing(index: LexicalIndex) -> None:
    """`post-commit` is no exclusion of `commit`; `memory -agent` excludes."""
    fed(index, [note(1, "post and commit"), note(2, "memory of an agent"), note(3, "memory")])
    assert found(index, "post-commit") == [1]
    assert found(index, "memory -agent") == [3]
    assert found(index, "rm -rf memory agent") == [2, 3]


@pytest.mark.parametrize("match", [Match.ANY, Match.ALL])
@pytest.mark.parametrize(
    "query",
    [
        "atomic_write_json",
        "atomic write",
        "json",
        "asyncio.gather",
        "gather",
        "1.0.21",
        '"1.0.21"',
        "v1.0.21",
        "ubuntu 20.04",
        '"20.04"',
        "src/app.py",
        "app.py",
        "getUserName",
        "getusername",
        "user name",
        "get_user_name",
        "crate::user::Name",
    ],
)
def test_s02_snake_case_dotted_version_path(index: LexicalIndex, match: Match, query: str) -> None:
    """Identifiers are found both as whole and by parts, and before notes that only have some of the parts."""
    code = "atomic_write_json asyncio.gather v1.0.21 on ubuntu 20.04 in src/app.py: getUserName(crate::user::Name)"
    fed(index, [note(1, code), note(2, "write 21 tests in 20 days, 4 a user, 1 app and 0 names")])
    assert found(index, query, match)[0] == 1


@pytest.mark.parametrize("version", ["v1.0.21", "1.0.21"])
def test_s02_a_version_is_not_any_note_with_its_numbers(index: LexicalIndex, version: str) -> None:
    """`1.0.21` finds `v1.0.21` and the other way round, and no note that has a 1, a 0 and a 21."""
    fed(index, [note(1, "released v1.0.21 today"), note(2, "released 1.0.21"), note(3, "21 of 1 or 0")])
    assert sorted(found(index, version)) == [1, 2]


@pytest.mark.parametrize(
    "query",
    [
        "status: done",
        'timeout "error',
        "retry OR",
        "what's up?",
        "plan (draft",
        "https://a.b/c?d=1",
        "C++",
        "AND",
        "a:b:c",
        "[x TO",
        "RuntimeError: This event loop is already running",
        "foo: bar (baz",
    ],
)
def test_s03_query_metacharacters(index: LexicalIndex, query: str) -> None:
    """Never an exception and never a silent `[]` caused by syntax: literal, with the reason."""
    fed(index, [note(1, f"before {query} after"), note(2, "something else")])
    ranked = ask(index, query)
    assert [c.num for c in ranked.candidates][:1] == [1]
    assert ranked.interpretation is Interpretation.LITERAL
    assert ranked.reason


@pytest.mark.parametrize("query", ["\\", "+", ">>>"])
def test_s03_a_query_without_words_finds_nothing_and_says_so(index: LexicalIndex, query: str) -> None:
    """`\\`, `+` and `>>>` hold no word: nothing is found, and the reason tells why."""
    fed(index, [note(1, "text")])
    ranked = ask(index, query)
    assert (ranked.candidates, ranked.total) == ((), 0)
    assert ranked.reason == "it has no words"


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "x" * 10_001])
def test_s05_empty_blank_and_too_long(query: str) -> None:
    """Empty, blank and over the length cap: `invalid_input`."""
    with pytest.raises(InvalidInput) as refused:
        parse(query)
    assert refused.value.code == "invalid_input"


def test_s05_stop_words_control_characters_and_ten_thousand_characters(index: LexicalIndex) -> None:
    """A defined answer for stop words only, control characters and a query of the greatest length."""
    fed(index, [note(1, "the who live"), note(2, "needle in hay")])
    assert found(index, "the who") == [1]
    assert found(index, "the needle") == [2]
    assert found(index, "\x00\x07needle\x1b\ud800") == [2]
    assert found(index, "needle " * 1_428) == [2]


CJK = {1: "今天整理知识管理系统", 2: "やばいね", 3: "데이터베이스를 정리", 4: "API 文档和系统设计"}


@pytest.mark.parametrize("match", [Match.ANY, Match.ALL])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("系统", {1, 4}),
        ("知识", {1}),
        ("知识管理", {1}),
        ("やばい", {2}),
        ("정리", {3}),
        ("데이터베이스", {3}),
        ("统", {1, 4}),
        ("체", set()),
        ("体", set()),
        ("API 系统", {4}),
        ("API系统", {4}),
        ('"管理系统"', {1}),
        ("title:系统 OR body:知识", {1}),
    ],
)
def test_s06_cjk_substring(index: LexicalIndex, match: Match, query: str, expected: set[int]) -> None:
    """Found mid-sentence, one and two characters included; a snippet covers the match."""
    fed(index, [note(num, f"{'。' * 400}{text}{'。' * 400}") for num, text in CJK.items()])
    hits = found(index, query, match)
    if match is Match.ALL or "API" not in query:
        assert set(hits) == expected
    assert set(hits) >= expected
    if query in ("系统", "知识", "やばい", "정리", "统"):
        assert all(query in snippet(f"{'。' * 400}{CJK[num]}{'。' * 400}", query) for num in hits)


def test_s06_characters_must_be_neighbours(index: LexicalIndex) -> None:
    """`系统` is not in a note that has both characters apart."""
    fed(index, [note(1, "系列和传统")])
    assert found(index, "系统") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("cafe", [1]),
        ("CAFÉ", [1]),
        ("CAFE\u0301", [1]),
        ("run", [2]),
        ("runs", [2]),
        ("ran", []),
        ('"running fast"', [2]),
        ('"fast running"', []),
        ('"run fast"', []),
        ("tags:runnings", [3]),
        ("tags:running", []),
        ("елка", [4]),
        ("العربية", [5]),
        ("हिन्दी", [6]),
        ("ทดสอบ", [7]),
        ("елкой", [4]),
        ("عربيه", [5]),
        ("हिंदी", [6]),
        ("groesse", [8]),
        ("GRÖSSE", [8]),
        ("בית", [9]),
        ("كتاب", [10]),
        ("duong", [11]),
        ("ΟΔΥΣΣΕΥΣ", [12]),
        ("ışık", [13]),
        ("ISIK", [13]),
    ],
)
def test_s08_accents_case_stemming(index: LexicalIndex, query: str, expected: list[int]) -> None:
    """`cafe` finds `café`; English is stemmed; a phrase respects order; tags are not stemmed."""
    fed(
        index,
        [
            note(1, "Café noir"),
            note(2, "they keep running fast"),
            note(3, "tagged", tags=("runnings",)),
            note(4, "Ёлки и ёлка"),
            note(5, "اللغة العَرَبِيَّة"),
            note(6, "यह हिन्दी है"),
            note(7, "นี่คือการทดสอบระบบ"),
            note(8, "die Größe des Brotes"),
            note(9, "אני בהבית הגדול והבית"),
            note(10, "کتاب\u200cها در خانه"),
            note(11, "Đường và nước mắm"),
            note(12, "Ο Οδυσσεύς ταξιδεύει"),
            note(13, "IŞIK ve ılık"),
        ],
    )
    assert found(index, query) == expected


def test_s09_text_beyond_the_first_few_kilobytes(index: LexicalIndex) -> None:
    """A unique word at the end of a 200 kB note is found, and the snippet shows it."""
    text = "plain words that fill the page. " * 6_400 + "The quokka sleeps."
    fed(index, [note(1, text), note(2, "other")])
    assert len(text) > 200_000
    assert found(index, "quokka") == [1]
    assert found(index, '"quokka sleeps"') == [1]
    assert "quokka" in snippet(text, "quokka")


@pytest.mark.parametrize("match", [Match.ANY, Match.ALL])
def test_s10_a_filter_does_not_lose_results(index: LexicalIndex, match: Match) -> None:
    """1,000 notes contain `x`, the only three that pass the filter rank last: exactly those three."""
    crowd = [note(num, "x " * 30, title="x") for num in range(1, 998)]
    few = [
        note(num, "filler " * 300 + "x", tags=("t",), author="ada", path=f"deep/down/{num}.md")
        for num in (998, 999, 1000)
    ]
    fed(index, crowd + few)
    for narrow in ({"tags": ("t",)}, {"author": "ada"}, {"path_prefix": "deep"}):
        filter = Filter(scopes=EVERYTHING.scopes, **narrow)  # type: ignore[arg-type]
        assert sorted(found(index, "x", match, filter, depth=3)) == [998, 999, 1000]
        assert ask(index, "x", match, filter, depth=3).total == 3


@pytest.mark.parametrize("query", ["x", "tags:a*b", "*"])
def test_p16_tag_wildcard_characters(index: LexicalIndex, query: str) -> None:
    """Tags `a*b`, `a_b`, `axb`: the filter `a*b` is an exact match only."""
    fed(index, [note(num, "x", tags=(tag,)) for num, tag in enumerate(["a*b", "a_b", "axb", "a%b"], start=1)])
    filter = Filter(scopes=EVERYTHING.scopes, tags=("a*b",))
    assert found(index, query, filter=filter) == [1]
    assert found(index, "tags:a*b") == [1]
    assert found(index, "tags:a_b") == [2]


@pytest.mark.parametrize(
    "query",
    [
        "(a+)+$",
        "body:/(a+)+$/",
        " OR ".join(f"alpha{number}" for number in range(700)),
        " ".join(f"alpha{number}" for number in range(1_100)),
        "alpha~2 " * 300,
        "a* b* " * 200,
        "*a",
        "(" * 3_000 + "alpha AND beta" + ")" * 3_000,
        "NOT " * 2_000 + "alpha",
        "+-" * 4_000 + "alpha",
        '"alpha ' * 1_200,
        "a.b/" * 2_400,
        "知识管理" * 2_400,
    ],
)
def test_x12_queries_that_abuse(index: LexicalIndex, query: str) -> None:
    """Nested expressions, very many terms and leading wildcards: bounded, quickly answered, never an exception."""
    fed(index, [note(num, " ".join(f"alpha{num * place % 997}" for place in range(60))) for num in range(300)])
    start = time.perf_counter()
    ask(index, query)
    ask(index, query, Match.ALL)
    assert time.perf_counter() - start < 10
