"""Pieces of a note for the embedder: about 500 characters, cut where the text parts, never above its window."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from semantic_text_splitter import MarkdownSplitter, TextSplitter

from trilith.markdown.text import whole_characters
from trilith.model.note import Chunk, Heading, Note, Section

TARGET = 400
MAX = 800
"""A chunk is full once it has `TARGET` characters, and takes the next piece only up to `MAX`: about 500 on average, and
room for the title within 256 tokens."""
LIMIT = 1_000
"""No chunk has more characters."""

MAX_TITLE_BYTES = 160
MAX_HEADING_BYTES = 64
"""Of UTF-8, in front of a chunk. A token takes at least one byte, so that together they leave room in 256 tokens."""

_STRETCH = 4_000
"""Characters of one line that are handed to the splitter at once, and"""
_PORTION = 32_000
"""of many lines: for every chunk it looks at all that is left, so that its work grows with the square of its input."""

_LONG_LINE = re.compile(rf"(?:\A|(?<=[\r\n]))[^\r\n]{{{_STRETCH},}}")
_BLOCK_EDGES = ("\n#", "\n\n", "\n\r\n", "\n", "\r", " ")
_NOISE = re.compile(r"[\s!-/:-@\[-`{-~]*")
_LONE_HEADING = re.compile(r"#{1,6}[ \t][^\r\n]*")
_LEADING_MARKUP = re.compile(r"[\s#>*_=\-]*")

CountTokens = Callable[[Sequence[str]], list[int]]
"""Texts -> tokens of each, special tokens included; of one that fits the window any number from that up to the window."""

_SPLITTER = MarkdownSplitter((TARGET, MAX))


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Embedding:
    """What chunks are measured for: the model's counter and window (tokens, special ones included), and the title that
    goes in front of each."""

    title: str
    count_tokens: CountTokens
    window: int


def cut_chunks(
    text: str,
    headings: Sequence[Heading],
    embedding: Embedding,
    *,
    section: Section = Section.BODY,
    first_ordinal: int = 0,
) -> tuple[Chunk, ...]:
    """The chunks of a text, in order and without overlap; whitespace and bare markup (`---`, `%%`) give none.

    Args:
        text: a body, or collaborator notes; offsets of chunks count its characters.
        headings: of that text.
        embedding: what bounds the chunks.
        section: which of the two `text` is.
        first_ordinal: the number of the first chunk.
    """
    paths = _HeadingPaths(headings)
    spans = [Span(start, start + len(piece)) for portion in _portions(text) for start, piece in _split(text, portion)]
    fitting = _within_window(text, _joined(text, spans), paths, embedding)
    kept = [span for span in fitting if not _NOISE.fullmatch(text, span.start, span.end)]
    return tuple(
        Chunk(ordinal, span.start, span.end, paths.at(span.start), section)
        for ordinal, span in enumerate(kept, first_ordinal)
    )


def embed_text(title: str, headings: Sequence[str], chunk_text: str) -> str:
    """What is embedded for a chunk: the note's title and the innermost heading in front of its text, each unless the
    text already opens with it. A title helps where the text does not say it, and harms where it is said twice."""
    heading = headings[-1] if headings and headings[-1] != title else ""
    lines = (_clipped(title, MAX_TITLE_BYTES), _clipped(heading, MAX_HEADING_BYTES))
    prefix = (line for line in lines if line and not _opens_with(chunk_text[: 4 * MAX_TITLE_BYTES], line))
    return "\n".join((*prefix, chunk_text))


def embed_texts(note: Note) -> tuple[str, ...]:
    """`embed_text` of each of a note's chunks, in their order."""
    sources = {Section.BODY: note.body, Section.NOTES: note.metadata.collaborator_notes or ""}
    return tuple(
        embed_text(note.metadata.title, chunk.headings, sources[chunk.section][chunk.start : chunk.end])
        for chunk in note.chunks
    )


class _HeadingPaths:
    """The headings that an offset lies under, outermost first."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._starts = [heading.start for heading in headings]
        self._paths: list[tuple[str, ...]] = [()]
        open_headings: list[Heading] = []
        for heading in headings:
            while open_headings and open_headings[-1].level >= heading.level:
                open_headings.pop()
            open_headings.append(heading)
            self._paths.append(tuple(each.text for each in open_headings if each.text))

    def at(self, offset: int) -> tuple[str, ...]:
        return self._paths[bisect_right(self._starts, offset)]


def _split(text: str, portion: Span) -> Iterable[tuple[int, str]]:
    pieces = _SPLITTER.chunk_indices(text[portion.start : portion.end])
    return ((portion.start + start, piece) for start, piece in pieces)


def _joined(text: str, spans: list[Span]) -> list[Span]:
    """The spans, a heading on its own put to what stands below it: the splitter parts them where the next paragraph is
    a long one."""
    joined: list[Span] = []
    for span in spans:
        former = joined[-1] if joined else None
        if former and span.end - former.start <= LIMIT and _LONE_HEADING.fullmatch(text, former.start, former.end):
            joined[-1] = Span(former.start, span.end)
        else:
            joined.append(span)
    return joined


def _portions(text: str) -> Iterator[Span]:
    """Parts of `text` that the splitter can take: nearly always all of it."""
    start = 0
    for line in _LONG_LINE.finditer(text):
        yield from _steps(text, Span(start, line.start()), _PORTION, _BLOCK_EDGES)
        yield from _steps(text, Span(*line.span()), _STRETCH, (" ",))
        start = line.end()
    yield from _steps(text, Span(start, len(text)), _PORTION, _BLOCK_EDGES)


def _steps(text: str, span: Span, size: int, edges: Sequence[str]) -> Iterator[Span]:
    start = span.start
    while span.end - start > size:
        cut = _edge(text, start + size // 2, start + size, edges)
        yield Span(start, cut)
        start = cut
    if start < span.end:
        yield Span(start, span.end)


def _edge(text: str, start: int, end: int, edges: Sequence[str]) -> int:
    """The place after the last occurrence of the first edge that is found, else `end`, or a little before it so that
    no character is parted."""
    for edge in edges:
        if (at := text.rfind(edge, start, end)) >= 0:
            return at + 1
    whole = whole_characters(text, end, floor=start)
    return whole if whole > start else end


def _within_window(text: str, spans: list[Span], paths: _HeadingPaths, embedding: Embedding) -> list[Span]:
    """The spans, parted further where what would be embedded has more tokens than the window."""
    settled: list[Span] = []
    while spans:
        sizes = _too_large(text, spans, paths, embedding)
        settled.extend(span for number, span in enumerate(spans) if number not in sizes)
        spans = [part for number, size in sizes.items() for part in _parted(text, spans[number], size)]
    return sorted(settled, key=lambda span: span.start)


def _too_large(text: str, spans: list[Span], paths: _HeadingPaths, embedding: Embedding) -> dict[int, int]:
    """Positions of spans above the window -> characters that their parts may have."""
    texts = {
        number: embed_text(embedding.title, paths.at(span.start), text[span.start : span.end])
        for number, span in enumerate(spans)
    }
    doubtful = [number for number, whole in texts.items() if _may_exceed(whole, embedding.window)]
    counts = embedding.count_tokens([texts[number] for number in doubtful]) if doubtful else []
    return {
        number: max(1, (spans[number].end - spans[number].start) * embedding.window * 9 // (count * 10))
        for number, count in zip(doubtful, counts, strict=True)
        if count > embedding.window and spans[number].end - spans[number].start > 1
    }


def _may_exceed(text: str, window: int) -> bool:
    """Whether counting is needed at all: a tokeniser makes at most one token of a byte, and adds a few of its own."""
    return 3 * len(text) + 8 > window and len(text.encode()) + 8 > window


def _parted(text: str, span: Span, size: int) -> list[Span]:
    length = span.end - span.start
    pieces = TextSplitter(min(size, length - 1)).chunk_indices(text[span.start : span.end])
    return [Span(span.start + start, span.start + start + len(piece)) for start, piece in pieces]


def _opens_with(text: str, line: str) -> bool:
    said = _bare(line)
    marks = _LEADING_MARKUP.match(text)
    first = text[marks.end() : marks.end() + 1].casefold() if marks else ""
    if said and first[:1] != said[0]:
        return False  # as nearly always
    return _bare(text).startswith(said)


@lru_cache(maxsize=64)  # the chunks of a note ask about the same lines
def _bare(line: str) -> str:
    """What a line says, for comparison: without the marks in front of it, whatever its case and spaces."""
    return " ".join(_LEADING_MARKUP.sub("", line, count=1).split()).casefold()


def _clipped(line: str, limit: int) -> str:
    """The line, or as many of its first words as `limit` bytes hold."""
    data = line.encode()
    if len(data) <= limit:
        return line
    head = data[:limit].decode("utf-8", errors="ignore")
    words = head.rpartition(" ")[0]
    return words if len(words) * 2 > len(head) else head
