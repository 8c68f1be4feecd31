"""Faults that files of real vaults provoke, as far as reading one file decides them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from trilith.markdown.parse import parse_note
from trilith.model.note import Note, Section


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


def read(content: str | bytes, path: str = "folder/Stem.md") -> Note:
    data = content.encode() if isinstance(content, str) else content
    return parse_note(path, data, count_tokens=count_words, window=256)


def problems(note: Note) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in note.problems]


def test_p01_unquoted_date_as_title() -> None:
    """Title is the string `2026-03-01`; note indexed."""
    note = read("---\ntitle: 2026-03-01\n---\nhi")
    assert (note.metadata.title, note.body, len(note.chunks)) == ("2026-03-01", "hi", 1)


@pytest.mark.parametrize(
    ("written", "body", "title"),
    [
        ("1458", "text", "1458"),
        ("yes", "text", "yes"),
        ("", "# Head\n", "Head"),
        ("", "text", "Stem"),
        ("[a, b]", "text", "a, b"),
    ],
)
def test_p02_number_boolean_null_list_as_title(written: str, body: str, title: str) -> None:
    """Strings as written, fallback to H1 or file stem for empty, sensible string plus a warning for the list."""
    note = read(f"---\ntitle: {written}\n---\n{body}")
    assert note.metadata.title == title
    assert problems(note) == ([("odd_title", 2)] if written.startswith("[") else [])


def test_p03_broken_yaml_harms_nobody() -> None:
    """Found by body text; path and line reported; its frontmatter is `{}` for filters."""
    note = read('---\nauthor: ada\nsummary: "a" (b #1)\n---\nfindable body')
    assert note.body == "findable body"
    assert problems(note) == [("broken_frontmatter", 3)]
    assert (note.metadata.author, note.metadata.extra, note.metadata.tags) == (None, {}, ())


@pytest.mark.parametrize(
    ("yaml", "line"),
    [
        ("x: `code`", 2),
        ('path: "C:\\x"', 2),
        ("title: *Big* news", 2),
        ("desc: rule (A/B): read this", 2),
        ("rel:\n- [[Note]]s", 3),
        ("tags: [#one, two]", 2),
    ],
)
def test_p04_ordinary_markdown_that_yaml_rejects(yaml: str, line: int) -> None:
    """Same as P03 for each; the tags case recovers `one`, `two`."""
    note = read(f"---\n{yaml}\n---\nfindable body")
    assert note.body == "findable body"
    assert problems(note) == [("broken_frontmatter", line)]
    assert note.metadata.extra == {}
    assert note.metadata.tags == (("one", "two") if yaml.startswith("tags") else ())


def test_p04_a_windows_path_that_is_yaml_after_all() -> None:
    """`path: C:\\x` is a plain scalar: kept as written."""
    assert read("---\npath: C:\\x\n---\n").metadata.extra == {"path": "C:\\x"}


def test_p05_a_broken_block_is_known_as_a_block() -> None:
    """Nothing takes the block for text above which another could be put; warning raised."""
    note = read('---\nname: "x\n---\nbody')
    assert (note.body, note.declared_id, problems(note)) == ("body", None, [("broken_frontmatter", 2)])


def test_p07_byte_order_mark_hides_nothing() -> None:
    """Title, tags, heading parsed as without BOM."""
    content = b"---\ntitle: T\ntags: [a]\n---\n# H"
    note = read(b"\xef\xbb\xbf" + content)
    assert note == read(content)
    assert (note.metadata.title, note.metadata.tags, note.headings[0].text) == ("T", ("a",), "H")


def test_p08_windows_line_ends() -> None:
    """The same note with CRLF parses alike, and keeps its line ends."""
    content = "---\ntitle: T\ntags:\n  - a\n---\n# H\n\ntext [[A]]\n\n## I\n"
    unix, windows = read(content), read(content.replace("\n", "\r\n"))
    assert windows.metadata == unix.metadata
    assert [(h.text, h.line) for h in windows.headings] == [(h.text, h.line) for h in unix.headings]
    assert windows.body == "# H\r\n\r\ntext [[A]]\r\n\r\n## I\r\n"
    assert [windows.body[link.start : link.end] for link in windows.links] == ["[[A]]"]


def test_p09_invalid_utf8_is_searchable_by_its_valid_text() -> None:
    """Note searchable by its valid text, and reported."""
    note = read(b"# hi\n\xff\xfe tail")
    assert (note.metadata.title, problems(note)) == ("hi", [("not_utf8", 2)])
    assert "tail" in note.body


def test_p10_the_platforms_encoding_does_not_matter() -> None:
    """The same answer under `LC_ALL=C`."""
    code = (
        "from trilith.markdown.parse import parse_note\n"
        "note = parse_note('\\xfc.md', '\\xe9 [[\\xdcber]]'.encode(), count_tokens=lambda texts: [1] * len(texts), window=256)\n"
        "print(ascii((note.metadata.title, note.body, note.links[0].target)))"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii(("ü", "é [[Über]]", "Über"))


@pytest.mark.parametrize("content", ["", "\n\n", " \t\n", "---\nup: '[[A]]'\ntags: [a]\n---\n"])
def test_p12_empty_notes(content: str) -> None:
    """Readable, zero chunks, links and tags from frontmatter still work."""
    note = read(content)
    assert (note.metadata.title, note.chunks, note.problems) == ("Stem", (), ())
    if content.startswith("---"):
        assert (note.metadata.tags, [link.target for link in note.links], note.body) == (("a",), ["A"], "")


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: a, b", ("a", "b")),
        ("tags: a b", ("a", "b")),
        ("tags: solo", ("solo",)),
        ('tags: "#x"', ("x",)),
        ("tag: y", ("y",)),
        ("tags:\n  - a\n  - '#b/c'", ("a", "b/c")),
        ("tags: [2024, true]", ("2024", "true")),
        ("tags:", ()),
        ("tags: [a*b, a_b, axb]", ("a*b", "a_b", "axb")),
    ],
)
def test_p13_tags_however_written(yaml: str, tags: tuple[str, ...]) -> None:
    """Always a list of strings, no per-character split, `#` stripped, numbers kept as written."""
    assert read(f"---\n{yaml}\n---\n").metadata.tags == tags


def test_p14_inline_tag_vs_code_headings_issue_numbers_urls() -> None:
    """Only `real`."""
    note = read("text #real\n# Heading #no\n(#80) https://a.b/#frag\n\n```\n#nope\n```\n")
    assert note.metadata.tags == ("real",)


@pytest.mark.parametrize(
    ("written", "expires"),
    [
        ("2026-01-01T00:00:00", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-01-01T00:00:00+09:00", datetime(2025, 12, 31, 15, tzinfo=UTC)),
        ("soon", None),
    ],
)
def test_p18_naive_and_aware_dates(written: str, expires: datetime | None) -> None:
    """No comparison crash; naive is UTC; garbage is never stale, plus a warning."""
    note = read(f"---\nexpires_at: {written}\n---\n")
    assert note.metadata.expires_at == expires
    assert note.metadata.is_stale(datetime(2100, 1, 1, tzinfo=UTC)) is (expires is not None)
    assert problems(note) == ([("odd_date", 2)] if expires is None else [])


def test_p18_a_day_without_a_time() -> None:
    """Date-only shown as the same calendar day, and stale only once that day is over."""
    metadata = read("---\nexpires_at: 2026-01-01\n---\n").metadata
    assert metadata.expires_at is not None
    assert metadata.expires_at.date() == date(2026, 1, 1)
    assert not metadata.is_stale(datetime(2026, 1, 1, 23, 59, 59, tzinfo=UTC))
    assert metadata.is_stale(datetime(2026, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("---\ntitle: Front\n---\n# Head\n", "Front"),
        ("---\n# not a title\nx: y\n---\n\n# Head\n\n# Second\n", "Head"),
        ("```\n# Code\n```\n\n## Two\n", "Stem"),
        ("text\n\nHead\n====\n", "Head"),
    ],
)
def test_p22_title_from_content(content: str, title: str) -> None:
    """Order frontmatter, first H1, stem; an H1 in a code fence or a `#` comment in YAML is no title."""
    note = read(content)
    assert note.metadata.title == title
    assert content.endswith(note.body)


def test_p23_a_plain_vault_without_ids() -> None:
    """No id is invented by reading."""
    assert read("# Note\n\ntext").declared_id is None


def test_known_keys_of_another_type_belong_to_the_user() -> None:
    """`id: 20240301`, `version: 1.2.0`, `status: doing`, a list of authors: kept as unknown keys, shown in `extra`."""
    note = read("---\nid: 20240301\nversion: 1.2.0\nstatus: doing\nauthor: [a, b]\n---\n")
    assert note.metadata.extra == {"id": 20240301, "version": "1.2.0", "status": "doing", "author": ["a", "b"]}
    assert (note.declared_id, note.metadata.version, note.problems) == (None, 1, ())


def test_collaborator_notes_are_apart_from_everything_else() -> None:
    """Their chunks have section `notes`; neither links, tags, headings nor `extra` tell of them."""
    note = read('---\ncollaborator_notes: "# Plan\\n\\nsecret [[Hidden]] #hush"\n---\nfor all')
    assert [chunk.section for chunk in note.chunks] == [Section.BODY, Section.NOTES]
    assert (note.links, note.metadata.tags, note.headings, note.metadata.extra) == ((), (), (), {})


@pytest.mark.parametrize("line", ["x" * 1_000_000, "字" * 300_000, '{"a":[1,2],"b":"c"},' * 50_000])
def test_z02_one_long_line(line: str) -> None:
    """The chunker always bounds chunk size (characters and tokens), no crash."""
    note = read(line)
    assert note.chunks
    assert max(chunk.end - chunk.start for chunk in note.chunks) <= 1_000
    assert max(count_words([note.body[chunk.start : chunk.end] for chunk in note.chunks])) <= 256


def test_z02_a_head_of_a_file_is_flagged() -> None:
    """Over-limit file indexed by its head with a flag."""
    note = parse_note("a.md", b"the head", count_tokens=count_words, window=256, truncated=True)
    assert (note.body, problems(note)) == ("the head", [("truncated", None)])
