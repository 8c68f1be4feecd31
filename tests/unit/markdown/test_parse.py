from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trilith.markdown.parse import parse_note, stem
from trilith.model.note import Note, Section

Parse = Callable[..., Note]


def count_bytes(texts: Sequence[str]) -> list[int]:
    return [len(text.encode()) + 2 for text in texts]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/Note.md", "Note"),
        ("Note.MD", "Note"),
        ("v1.2 notes.md", "v1.2 notes"),
        ("a.b/c", "c"),
        ("x.markdown", "x"),
    ],
)
def test_the_stem_of_a_path(path: str, name: str) -> None:
    assert stem(path) == name


def test_a_whole_note(parse: Parse) -> None:
    note = parse("---\ntags: [a]\n---\n# Head\n\nText with [[Link]] and #b.\n")
    assert (note.metadata.title, note.metadata.tags) == ("Head", ("a", "b"))
    assert note.body == "# Head\n\nText with [[Link]] and #b.\n"
    assert [(heading.text, heading.start, heading.line) for heading in note.headings] == [("Head", 0, 4)]
    assert [note.body[link.start : link.end] for link in note.links] == ["[[Link]]"]
    assert [(chunk.start, chunk.end, chunk.headings) for chunk in note.chunks] == [(0, 34, ("Head",))]
    assert note.problems == ()


def test_a_head_of_a_file_says_so(parse: Parse) -> None:
    note = parse("text é".encode()[:-1], truncated=True)
    assert note.body == "text "
    assert [problem.code for problem in note.problems] == ["truncated"]


def test_null_characters_are_text(parse: Parse) -> None:
    note = parse(b"# a\0b\n\n[[c]]\0")
    assert note.body == "# a\0b\n\n[[c]]\0"
    assert [link.target for link in note.links] == ["c"]


FRAGMENTS = [
    *("---\n", "---", "...\n", "\n", "\r\n", "\r", "# H\n", "## A `b`\n", "===\n", "```\n", "~~~py\n", "    code\n"),
    *("> ", "- ", "1. ", "[[", "]]", "|", "![[", "](", "(", ")", "[", "]", "[a]: ", "`", "``", "<!--", "-->", "<", ">"),
    *(
        "<div>\n",
        "</div>",
        "<script>",
        "#tag",
        "\\",
        "\\|",
        "a",
        "title: ",
        "tags: ",
        "links:\n  x: ",
        "id: ",
        "date: ",
    ),
    *(
        "&a ",
        "*a ",
        "{",
        "}",
        ": ",
        "'",
        '"',
        "\t",
        " ",
        "%%",
        "\0",
        "\ufeff",
        "é",
        "e\u0301",
        "🇩🇪",
        "字。",
        "\u2028",
        "\x85",
    ),
    *(
        "!!binary ",
        "? ",
        "| ",
        "|-|-|\n",
        r'"\ud83d"',
        r'"\U00ffffff"',
        "%YAML 1.2\n",
        "<<: ",
        "@",
        "!",
        "~",
        ". ",
        "word ",
    ),
    *(
        "collaborator_notes: |\n  x [[y]]\n",
        "expires_at: 0001-01-01T00:00:00+09:00\n",
        "confidence: .nan\n",
        "version: 9e9\n",
    ),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=50).map("".join)
FILES = st.one_of(
    st.binary(max_size=200),
    TEXTS.map(str.encode),
    TEXTS.map(lambda text: f"---\n{text}\n---\n{text}".encode()),
    st.tuples(TEXTS, st.binary(max_size=4), TEXTS).map(lambda parts: parts[0].encode() + parts[1] + parts[2].encode()),
)


@settings(max_examples=500, deadline=None)
@given(FILES, st.booleans())
@example(b"\xef\xbb\xbf", False)
@example(b"---", False)
@example(b"---\n" + b"[" * 3000 + b"\n---\n", False)
def test_no_bytes_are_too_odd(data: bytes, truncated: bool) -> None:
    note = parse_note("a/b.md", data, count_tokens=count_bytes, window=256, truncated=truncated)
    body = note.body
    if not truncated:
        assert data.decode("utf-8", errors="replace").endswith(body)
    assert note.metadata.title
    json.dumps(note.metadata.extra).encode()
    repr(note).encode()
    for heading in note.headings:
        assert 0 <= heading.start < len(body)
        assert 1 <= heading.line <= data.count(b"\n") + data.count(b"\r") + 1
    for link in note.links:
        assert (link.start, link.end) == (-1, -1) or 0 <= link.start < link.end <= len(body)
        assert link.start < 0 or body[link.start] in "[!"
    for section, source in ((Section.BODY, body), (Section.NOTES, note.metadata.collaborator_notes or "")):
        chunks = [chunk for chunk in note.chunks if chunk.section is section]
        assert all(0 <= chunk.start < chunk.end <= len(source) for chunk in chunks)
        assert all(former.end <= latter.start for former, latter in pairwise(chunks))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["\n", "\r\n"]))
def test_the_body_is_kept_byte_for_byte(text: str, end: str) -> None:
    data = f"---{end}title: x{end}---{end}".encode() + text.encode()
    note = parse_note("a.md", data, count_tokens=count_bytes, window=256)
    assert note.body.encode() == text.encode()
