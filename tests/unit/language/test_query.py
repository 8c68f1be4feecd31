from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.errors import InvalidInput
from trilith.language.query import LONGEST_QUERY, parse
from trilith.model.hits import Interpretation
from trilith.model.textquery import (
    Boolean,
    Boost,
    Everything,
    Field,
    Fuzzy,
    Node,
    Occurs,
    Phrase,
    Prefix,
    Range,
    Words,
)

PLAIN, MUST, SHOULD, MUST_NOT = Occurs.PLAIN, Occurs.MUST, Occurs.SHOULD, Occurs.MUST_NOT


@pytest.mark.parametrize(
    "text",
    [
        "status: done",
        'timeout "error',
        "retry OR",
        "what's up?",
        "plan (draft",
        "https://a.b/c?d=1",
        "C++",
        "\\",
        "+",
        ">>>",
        "AND",
        "a:b:c",
        "[x TO",
        "foo: bar (baz",
        "RuntimeError: This event loop is already running",
        "DEC-0054",
        "gpt-4o",
        "multi-agent memory",
        "post-commit",
        "rm -rf x",
        "git commit --amend",
        "java -jar app.jar",
        "- item one",
        "1 -2 +3",
        "-draft",
        "*foo",
        "f*o",
        "**bold**",
        "(a+)+$",
        "title: foo",
        "title:*",
        "body:/x.*/",
        "12:30 AND x",
        "foo:bar AND x",
        "[a TO b] AND x",
        "title:[a TO b]",
        "created:[foo TO bar]",
        "created:2026-13-01",
        "created:>soon",
        "word~3 x AND y",
        '""',
        '"!!" AND x',
        "foo AND AND",
        "x AND (y",
        "(" * 200 + "x AND y" + ")" * 200,
        "NOT " * 200 + "x",
        "a* " * 40,
        " OR ".join(f"w{i}" for i in range(300)),
    ],
)
def test_literal_with_a_reason(text: str) -> None:
    query = parse(text)
    assert query.interpretation is Interpretation.LITERAL
    assert query.reason
    assert query.root == Words(text)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ('"DEC-0054"', Phrase("DEC-0054")),
        ('"event loop"~3', Phrase("event loop", slop=3)),
        ('"event lo"*', Phrase("event lo", prefix=True)),
        ("loo*", Prefix("loo")),
        ("asyncio~1", Fuzzy("asyncio", 1)),
        ("*", Everything()),
        ("title:cats", Words("cats", Field.TITLE)),
        ("title:foo-bar", Phrase("foo-bar", Field.TITLE)),
        ("title:系统", Phrase("系统", Field.TITLE)),
        ("tag:#x", Words("#x", Field.TAGS)),
        ("tags:a*b", Words("a*b", Field.TAGS)),
        ("tags:a/*", Prefix("a/", Field.TAGS)),
        ('tags:"two words"', Phrase("two words", Field.TAGS)),
        ("author:O'Brien", Phrase("O'Brien", Field.AUTHOR)),
        ("path:notes/app.md", Phrase("notes/app.md", Field.PATH)),
        ("headings:setup^2", Boost(Words("setup", Field.HEADINGS), 2.0)),
        ("created:[2026-01-01 TO 2026-02-01}", Range(Field.CREATED, "2026-01-01", "2026-02-01", include_upper=False)),
        ("updated:>2026-01-01", Range(Field.UPDATED, "2026-01-01", None, include_lower=False)),
        ("updated:[* TO 2026]", Range(Field.UPDATED, None, "2026")),
        ("created:2026-03-01", Range(Field.CREATED, "2026-03-01", "2026-03-01")),
    ],
)
def test_one_clause(text: str, root: Node) -> None:
    assert parse(text).root == root
    assert parse(text).interpretation is Interpretation.SYNTAX
    assert parse(text).reason is None


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            'title:"asyncio patterns" AND tags:python',
            ((MUST, Phrase("asyncio patterns", Field.TITLE)), (MUST, Words("python", Field.TAGS))),
        ),
        ("asyncio.gather AND it's", ((MUST, Phrase("asyncio.gather")), (MUST, Phrase("it's")))),
        ("a\nAND\tb", ((MUST, Words("a")), (MUST, Words("b")))),
        ("cats OR dogs", ((SHOULD, Words("cats")), (SHOULD, Words("dogs")))),
        ("cats AND NOT dogs", ((MUST, Words("cats")), (MUST_NOT, Words("dogs")))),
        ("NOT dogs", ((MUST, Everything()), (MUST_NOT, Words("dogs")))),
        ("how to install -windows", ((PLAIN, Words("how to install")), (MUST_NOT, Words("windows")))),
        ("系统 -知识", ((PLAIN, Words("系统")), (MUST_NOT, Phrase("知识")))),
        ("+rust async", ((MUST, Words("rust")), (PLAIN, Words("async")))),
        ('x && "y z"', ((PLAIN, Words("x &&")), (PLAIN, Phrase("y z")))),
        ("event loo* now", ((PLAIN, Words("event")), (PLAIN, Prefix("loo")), (PLAIN, Words("now")))),
        ("title:(a OR b)", ((SHOULD, Words("a", Field.TITLE)), (SHOULD, Words("b", Field.TITLE)))),
    ],
)
def test_several_clauses(text: str, clauses: tuple[tuple[Occurs, Node], ...]) -> None:
    assert parse(text).root == Boolean(clauses)


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "x" * (LONGEST_QUERY + 1)])
def test_blank_and_too_long_are_invalid(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(text)
    assert refused.value.details["field"] == "query"


def test_the_longest_query_is_taken() -> None:
    assert parse("x" * LONGEST_QUERY).root == Words("x" * LONGEST_QUERY)


PIECES = [*"a - + ( ) \" ' * [ ] : \\ / > { } é ! #", "title:", "tags:", "created:", "2026", "AND", "OR", "NOT", " TO "]
PIECES += ["  ", "~1", "^2", "系统", "it's", "<=", "IN", "&&", "\ud800", "\x00"]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=25).map(lambda pieces: "a" + "".join(pieces)))
def test_nothing_but_an_invalid_length_is_refused(text: str) -> None:
    query = parse(text)
    assert (query.interpretation is Interpretation.LITERAL) == (query.reason is not None)
