from __future__ import annotations

from collections.abc import Callable

import pytest

from trilith.markdown.links import is_attachment
from trilith.model.note import Link, LinkKind, Note

Parse = Callable[..., Note]


def brief(note: Note) -> list[tuple[str, str, str | None, str | None]]:
    return [(link.kind.value, link.target, link.fragment, link.text) for link in note.links]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[[A]]", ("wiki", "A", None, None)),
        ("[[ A | b ]]", ("wiki", "A", None, "b")),
        ("[[A|]]", ("wiki", "A", None, None)),
        ("[[dir/A.md]]", ("wiki", "dir/A.md", None, None)),
        ("[[A^block]]", ("wiki", "A", "^block", None)),
        ("![[A#Part|x]]", ("embed", "A", "Part", "x")),
        ("[t](A%20b.md#Part%20two)", ("markdown", "A b.md", "Part two", "t")),
        ("[t](a%23b.md)", ("markdown", "a#b.md", None, "t")),
        ("[t](a\\)b.md)", ("markdown", "a)b.md", None, "t")),
        ("[t](a&amp;b.md)", ("markdown", "a&b.md", None, "t")),
        ("[t](R&notes.md?a&b)", ("markdown", "R&notes.md?a&b", None, "t")),
        ("[t](a\\&amp;b.md)", ("markdown", "a&amp;b.md", None, "t")),
        ("[t](../up/../A.md 'T')", ("markdown", "../up/../A.md", None, "t")),
        ("[](A.md)", ("markdown", "A.md", None, None)),
        ("![t](<my pic.png>)", ("embed", "my pic.png", None, "t")),
    ],
)
def test_the_parts_of_a_link(parse: Parse, text: str, link: tuple[str, str, str | None, str | None]) -> None:
    note = parse(f"before {text} after")
    assert brief(note) == [link]
    assert note.body[note.links[0].start : note.links[0].end] == text


@pytest.mark.parametrize(
    "text",
    [
        "[t](https://example.com/a.md)",
        "[t](mailto:a@example.com)",
        "[t](obsidian://open?file=A)",
        "[t](//example.com/a.md)",
        "[t](#here)",
        "[t]()",
        "[t](<>)",
        "[t]: https://example.com",
        "<https://example.com/a.md>",
        "[[https://example.com/a]]",
        "[[ ]]",
        "[[#]]",
    ],
)
def test_what_leads_out_or_nowhere_is_no_link(parse: Parse, text: str) -> None:
    assert parse(text).links == ()


def test_order_of_appearance_then_frontmatter_then_typed(parse: Parse) -> None:
    note = parse("---\nup: '[[F]]'\nlinks:\n  next: [T]\n---\n[b](B.md) [[A]]\n\n[c]\n\n[c]: C.md\n")
    assert [link.target for link in note.links] == ["B.md", "A", "C.md", "F", "T"]
    assert note.links[-1] == Link(LinkKind.TYPED, "T", relation="next")


@pytest.mark.parametrize(
    ("yaml", "targets"),
    [
        ("up: '[[A]]'", ["A"]),
        ("up: [[A]]", ["A"]),
        ("up:\n- [[A|x]]\n- '[[B#h]] and ![[C]]'", ["A", "B", "C"]),
        ("a: {b: [{c: '[[Deep]]'}]}", ["Deep"]),
        ("title: About [[A]]\nauthor: '[[B]]'", ["A", "B"]),
        ("x: [[a, b], [c]]", []),
        ("x: '[t](A.md)'", []),
        ("collaborator_notes: '[[Secret]]'", []),
        ("links: {next: '[[A]]'}", ["A"]),
        ("links: ['[[A]]']", ["A"]),
    ],
)
def test_wiki_links_in_frontmatter_at_any_depth(parse: Parse, yaml: str, targets: list[str]) -> None:
    links = parse(f"---\n{yaml}\n---\n").links
    assert [link.target for link in links] == targets
    assert {(link.start, link.end) for link in links} <= {(-1, -1)}


def test_a_typed_link_is_not_counted_twice(parse: Parse) -> None:
    links = parse("---\nlinks: {next: '[[A]]'}\n---\n").links
    assert [(link.kind, link.relation) for link in links] == [(LinkKind.TYPED, "next")]


@pytest.mark.parametrize(
    "target",
    ["pic.png", "Doc.PDF", "a/b.c/x.jpeg", "Board.canvas", "Books.base", "../data.csv", "ch01.html", "archive.tar.gz"],
)
def test_attachments(target: str) -> None:
    assert is_attachment(target)


@pytest.mark.parametrize(
    "target", ["A", "A.md", "v1.2 notes", "Node.js", "1.5", "Mr. X", "a.b/c", "", ".png", "ASP.NET", "2026.03.01"]
)
def test_notes_with_a_dot_are_no_attachments(target: str) -> None:
    assert not is_attachment(target)
