from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trilith.markdown.chunks import LIMIT, Embedding, cut_chunks, embed_text, embed_texts
from trilith.markdown.structure import read_blocks
from trilith.model.note import Chunk, Note, Section

Parse = Callable[..., Note]


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


def count_bytes(texts: Sequence[str]) -> list[int]:
    """The hungriest tokeniser there can be: a token for each byte, and two of its own."""
    return [len(text.encode()) + 2 for text in texts]


def cut(
    text: str, title: str = "Title", count: Callable[[Sequence[str]], list[int]] = count_words
) -> tuple[Chunk, ...]:
    return cut_chunks(text, read_blocks(text).headings, Embedding(title, count, 256))


SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank. "


def test_chunks_are_about_500_characters_and_end_where_the_text_parts() -> None:
    text = "\n\n".join("# Part\n\n" + SENTENCE * 9 for _ in range(20))
    chunks = cut(text)
    lengths = [chunk.end - chunk.start for chunk in chunks]
    assert 350 < sum(lengths) / len(lengths) < 650
    assert all(text[chunk.start : chunk.end].endswith(".") for chunk in chunks)
    assert all(text[chunk.start] in "#T" for chunk in chunks)


def test_each_chunk_knows_its_headings() -> None:
    text = f"{SENTENCE * 8}\n\n# A\n\n{SENTENCE * 8}\n\n### B\n\n{SENTENCE * 8}\n\n## C\n\n{SENTENCE * 8}\n\n# D\n\n{SENTENCE * 8}"
    paths = [chunk.headings for chunk in cut(text)]
    assert list(dict.fromkeys(paths)) == [(), ("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_a_heading_is_not_left_alone_above_a_long_paragraph() -> None:
    text = SENTENCE * 7 + "\n\n### A heading\n\n" + SENTENCE * 14
    assert all(len(text[chunk.start : chunk.end]) > 100 for chunk in cut(text))


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "---", "%%\n\n***\n\n|-|-|\n", "```\n```"])
def test_nothing_to_say_gives_no_chunk(text: str) -> None:
    assert cut(text) == ()


@pytest.mark.parametrize("text", ["x", "🚀", "字", "# H"])
def test_the_shortest_texts_give_one(text: str) -> None:
    assert len(cut(text)) == 1


def test_a_text_in_a_language_of_many_tokens_is_parted_further() -> None:
    text = "知识管理系统的整理方法。" * 200
    chunks = cut(text, count=count_bytes)
    assert all(count_bytes([embed_text("Title", (), text[c.start : c.end])])[0] <= 256 for c in chunks)
    assert "".join(text[c.start : c.end] for c in chunks) == text


def test_counting_happens_only_where_a_chunk_could_be_too_large() -> None:
    def refuse(texts: Sequence[str]) -> list[int]:
        raise AssertionError(texts)

    assert len(cut("A short note.", count=refuse)) == 1


def test_the_title_counts_towards_the_window() -> None:
    text = "word " * 250
    chunks = cut(text, title="many words " * 10)
    assert max(count_words([embed_text("many words " * 10, (), text[c.start : c.end]) for c in chunks])) <= 256


@pytest.mark.parametrize(
    "text",
    [
        "x" * 300_000,
        "字" * 100_000,
        "word " * 60_000,
        '{"a":[1,2,3],"b":"c"},' * 12_000,
        "e" + "\u0301" * 100_000,
        "a\r\n" * 60_000,
        "# h\n" * 30_000,
        "```\n" + "code;" * 50_000,
        ("x" * 3_999 + "\n") * 60,
    ],
    ids=lambda text: text[:6],
)
def test_long_texts_are_bounded(text: str) -> None:
    chunks = cut(text, count=count_bytes)
    assert all(0 < chunk.end - chunk.start <= LIMIT for chunk in chunks)
    assert all(former.end <= latter.start for former, latter in pairwise(chunks))
    covered = sum(chunk.end - chunk.start for chunk in chunks)
    assert covered >= 0.7 * len(text.strip())


def test_a_title_of_many_bytes_leaves_room_for_the_text() -> None:
    text = "정리 " * 500
    chunks = cut(text, title="정" * 500, count=count_bytes)
    assert all(count_bytes([embed_text("정" * 500, (), text[c.start : c.end])])[0] <= 256 for c in chunks)


@pytest.mark.parametrize(
    ("title", "headings", "text", "embedded"),
    [
        ("Title", (), "Some text", "Title\nSome text"),
        ("Title", (), "# Title\n\nSome text", "# Title\n\nSome text"),
        ("A  title", (), "**a\ntitle** goes on", "**a\ntitle** goes on"),
        ("Title", ("Title",), "Some text", "Title\nSome text"),
        ("Title", ("A", "B"), "Some text", "Title\nB\nSome text"),
        ("Title", ("A", "B"), "## B\n\nSome text", "Title\n## B\n\nSome text"),
        ("Title", ("Title", "B"), "# Title\n\n## B", "B\n# Title\n\n## B"),
        ("", (), "Some text", "Some text"),
    ],
)
def test_what_is_embedded(title: str, headings: tuple[str, ...], text: str, embedded: str) -> None:
    assert embed_text(title, headings, text) == embedded


def test_long_titles_are_cut_at_a_word() -> None:
    prefix = embed_text("word " * 100, (), "text").partition("\n")[0]
    assert len(prefix) <= 160
    assert prefix.split() == ["word"] * len(prefix.split())


def test_collaborator_notes_have_chunks_of_their_own(parse: Parse) -> None:
    note = parse("---\ncollaborator_notes: |\n  # Plan\n\n  Between us.\n---\nFor all.\n")
    body, notes = note.chunks
    assert (body.ordinal, body.section, note.body[body.start : body.end]) == (0, Section.BODY, "For all.")
    assert (notes.ordinal, notes.section, notes.headings) == (1, Section.NOTES, ("Plan",))
    source = note.metadata.collaborator_notes
    assert source is not None
    assert source[notes.start : notes.end] == "# Plan\n\nBetween us."
    assert embed_texts(note) == ("A note\nFor all.", "A note\n# Plan\n\nBetween us.")


PIECES = [
    "# H\n",
    "\n",
    "\r\n",
    "```\n",
    "- ",
    "> ",
    "word ",
    "x" * 700,
    "字" * 300,
    "a. ",
    "e\u0301",
    "🇩🇪",
    "|a|\n|-|\n",
    "---\n",
    "\0",
    "\t",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_chunks_cover_the_text_in_order_without_overlap(text: str) -> None:
    chunks = cut(text, count=count_bytes)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    at = 0
    for chunk in chunks:
        assert at <= chunk.start < chunk.end <= len(text)
        assert not any(char.isalnum() for char in text[at : chunk.start])
        assert chunk.end - chunk.start <= LIMIT
        assert count_bytes([embed_text("Title", chunk.headings, text[chunk.start : chunk.end])])[0] <= 256
        at = chunk.end
    assert not any(char.isalnum() for char in text[at:])
