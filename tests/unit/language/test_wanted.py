from __future__ import annotations

import pytest

from trilith.language.query import parse
from trilith.language.wanted import MOST_WANTED, Wanted, Word, asked_words, wanted


def plain(*words: str) -> tuple[Wanted, ...]:
    return tuple(Wanted((Word(word),)) for word in words)


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("What is the purpose of the loop?", plain("purpose", "loop")),
        ("the who", plain("the", "who")),
        ("getUserName", (Wanted((Word("getusername", ("get", "user", "name")),)),)),
        ("asyncio.gather", (Wanted((Word("asyncio"), Word("gather")), ("asyncio", "gather")),)),
        ("DEC-0054", (Wanted((Word("dec"), Word("0054")), ("dec", "0054")),)),
        ("1.0.21", (Wanted((), ("1", "0", "21"), strict=True),)),
        ("v1.0.21", (Wanted((), ("1", "0", "21"), strict=True),)),
        ("x-ray", (Wanted((Word("ray"),), ("x", "ray"), strict=True),)),
        ("state-of-the-art", (Wanted((Word("state"), Word("art")), ("state", "of", "the", "art")),)),
        ("to-do", (Wanted((), ("to", "do"), strict=True),)),
        ("API 系统", plain("api", "系统")),
        ("体", plain("体")),
        ("知识系统", plain("知识", "识系", "系统")),
        ("loop loop LOOP", plain("loop")),
        (">>>", ()),
    ],
)
def test_wanted(text: str, things: tuple[Wanted, ...]) -> None:
    assert wanted(text) == things


def test_parts_that_are_stop_words_do_not_tell() -> None:
    (thing,) = wanted("isInRange")
    assert thing.words[0].parts == ("is", "in", "range")
    assert thing.words[0].telling == ("isinrange", "range")


def test_what_counts_is_bounded() -> None:
    text = " ".join(f"w{i}" for i in range(1_000))
    assert len(wanted(text)) == len(asked_words(parse(text).root)) == MOST_WANTED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do the loops run?", ["loops", "run"]),
        ('title:"a cat" AND dog NOT bird', ["cat", "dog"]),
        ("tags:x AND author:alice AND path:y AND cat", ["cat"]),
        ("event loo* -windows", ["event", "loo*"]),
        ("asyncio~1^2 AND created:2026", ["asyncio"]),
        ("*", []),
    ],
)
def test_asked_words(text: str, expected: list[str]) -> None:
    assert list(asked_words(parse(text).root)) == expected
