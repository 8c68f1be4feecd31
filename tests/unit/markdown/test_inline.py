from __future__ import annotations

import time

import pytest

from trilith.markdown.inline import Inline, read_inline
from trilith.markdown.structure import read_blocks


def read(text: str) -> Inline:
    return read_inline(text, read_blocks(text).regions)


def markdown(text: str) -> list[tuple[str, str]]:
    return [(span.label, span.destination) for span in read(text).markdown]


def wiki(text: str) -> list[str]:
    return [text[span.start : span.end] for span in read(text).wiki]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a `b` c", ["`b`"]),
        ("``a ` b`` `c", ["``a ` b``"]),
        ("`a\nb`", ["`a\nb`"]),
        ("\\`a` `b`", ["` `"]),
        ("`a\n\nb`", []),
        ("```a`` b ` c ```", ["```a`` b ` c ```"]),
    ],
)
def test_code_spans(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in read(text).code] == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a <!-- b --> c", ["<!-- b -->"]),
        ("a <!-- b\nc --> d", ["<!-- b\nc -->"]),
        ("<!-- a\n\nb -->\n", ["<!-- a\n\nb -->"]),
        ("<!-- never closed\n\nto the end", ["<!-- never closed\n\nto the end"]),
        ("a <!-- never closed\n\nb", []),
        ("`<!--` [[a]] `-->`", []),
        ("a <!--> b <!---> c", ["<!-->", "<!--->"]),
    ],
)
def test_comments(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in read(text).comments] == spans


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](b.md)", [("a", "b.md")]),
        ("[a]( <b c.md> 'title' )", [("a", "b c.md")]),
        ('[a](b.md "t (x)")', [("a", "b.md")]),
        ("[a](b(c)d.md)", [("a", "b(c)d.md")]),
        ("[a\\]b](c.md)", [("a\\]b", "c.md")]),
        ("[a [b] c](d.md)", [("a [b] c", "d.md")]),
        ("[a `]` b](c.md)", [("a `]` b", "c.md")]),
        ("[![i](i.png)](p.md)", [("![i](i.png)", "p.md"), ("i", "i.png")]),
        ("[a [b](c.md) d](e.md)", [("b", "c.md")]),
        ("![a [b](c.md) d](e.png)", [("a [b](c.md) d", "e.png"), ("b", "c.md")]),
        ("\\[a](b.md) [c] (d.md) [e]", []),
        ("`[a](b.md)` <!-- [c](d.md) --> <x y='[e](f.md)'>", []),
        ("[a](b c.md)", []),
        ("[[1]](https://example.com/)", [("[1]", "https://example.com/")]),
    ],
)
def test_markdown_links(text: str, links: list[tuple[str, str]]) -> None:
    assert markdown(text) == links


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a]: b.md", [("a", "b.md")]),
        ("[a]: <b c.md> 'T'\n[d]: e.md\n", [("a", "b c.md"), ("d", "e.md")]),
        ("> - [a]: b.md", [("a", "b.md")]),
        ("[a]:\n  b.md", [("a", "b.md")]),
        ("text\n[a]: b.md", []),
        ("[a]: b.md and more", []),
        ("[^1]: [[Note]]\n[a]: b.md", [("a", "b.md")]),
        ("```\n[a]: b.md\n```", []),
    ],
)
def test_definitions(text: str, links: list[tuple[str, str]]) -> None:
    assert markdown(text) == links


def test_a_definition_spans_all_of_itself() -> None:
    text = "use [a]\n\n[a]: b.md 'T'\n\nend"
    (span,) = read(text).markdown
    assert text[span.start : span.end] == "[a]: b.md 'T'"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[a]] ![[b]] [[c|d]]", ["[[a]]", "![[b]]", "[[c|d]]"]),
        ("[[a|b [c] d]]", ["[[a|b [c] d]]"]),
        ("[[[a]]]", ["[[a]]"]),
        ("[[a]](remark) [[b]]", ["[[a]]", "[[b]]"]),
        ("\\[[a]] `[[b]]` <!-- [[c]] -->", []),
        ("[[a\nb]] [[]] [[|x]] [[a]b]] Option[List[int]]", []),
        ("# [[a]]\n\n> [[b]]\n\n- [ ] [[c]]\n\n|[[d]]|\n|-|\n|`[[e]]`|\n", ["[[a]]", "[[b]]", "[[c]]", "[[d]]"]),
        ("<div>\n[[a]] <!-- [[b]] -->\n</div>\n\n<pre>\n[[c]]\n</pre>", ["[[a]]"]),
        ("[^1]: [[a]]", ["[[a]]"]),
        ("%%[[a]]%%", ["[[a]]"]),
        ("1 <b [[a]] > 2 <http://[[b]]>", ["[[a]]"]),
    ],
)
def test_wiki_links(text: str, links: list[str]) -> None:
    assert wiki(text) == links


def test_tags_are_read_in_running_text_only() -> None:
    text = "#a\n# h #b\n\n`#c` <!-- #d --> [x #e](y) <a href=' #f'>\n\n<div>\n#g\n</div>\n\n    #h\n\n> #i\n- #j \\#k\n"
    assert read(text).tags == ("a", "e", "i", "j")


HOSTILE = [
    "[" * 50_000,
    "[[" * 50_000,
    "![" * 20_000 + "[a](b)" * 10_000,
    "[[a|" * 30_000,
    "[a](" * 30_000,
    '[a](b "' * 20_000,
    "[a](" + "(" * 50_000,
    "[a](a(" * 20_000,
    "[a](\\a" * 20_000,
    "\\" * 100_000,
    " ".join("`" * length for length in range(1, 450)),
    "a <!-- " * 20_000,
    '<a b="' * 20_000,
    "<a " * 40_000,
    "<" * 100_000,
    "[a\\" * 30_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_hostile_text_takes_no_more_time_than_other_text(text: str) -> None:
    start = time.perf_counter()
    read(text)
    assert time.perf_counter() - start < 5
