"""One file, read once: its bytes to a `Note`."""

from __future__ import annotations

import re

from trilith.markdown.chunks import CountTokens, Embedding, cut_chunks
from trilith.markdown.fields import Fields, read_fields
from trilith.markdown.frontmatter import Frontmatter, read_frontmatter
from trilith.markdown.inline import read_inline
from trilith.markdown.links import body_links, frontmatter_links
from trilith.markdown.structure import Blocks, read_blocks
from trilith.markdown.text import LINE_END, decode
from trilith.model.note import Chunk, Heading, Note, Problem, Section

PARSER_VERSION = "3"
"""Part of what the index remembers of a note: another value means that all files are to be read again. It changes with
every change of what this package makes of the same bytes."""

_ENDING = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)


def parse_note(path: str, data: bytes, *, count_tokens: CountTokens, window: int, truncated: bool = False) -> Note:
    """What a file says. Never raises, whatever the bytes: what is odd about them is in `Note.problems`.

    Args:
        path: relative to the vault, `/` between segments; its stem is the title of a note that has no other.
        data: the file's bytes, or its head.
        count_tokens: texts -> tokens of each as the embedder sees them, special tokens included.
        window: the most tokens that one text for the embedder may have.
        truncated: `data` is only the head of a file above the size limit.
    """
    decoded = decode(data, truncated=truncated)
    front = read_frontmatter(decoded.text)
    body = decoded.text[front.body :]
    blocks = read_blocks(body, first_line=_lines_before(decoded.text, front) + 1)
    inline = read_inline(body, blocks.regions)
    fields = read_fields(front, fallback_title=_first_title(blocks.headings) or stem(path), inline_tags=inline.tags)
    return Note(
        metadata=fields.metadata,
        body=body,
        declared_id=fields.declared_id,
        headings=blocks.headings,
        links=(*body_links(inline), *frontmatter_links(front.fields, front.source)),
        chunks=_chunks(body, blocks, fields, Embedding(fields.metadata.title, count_tokens, window)),
        problems=_problems(decoded.problem, front, fields, truncated),
    )


def stem(path: str) -> str:
    """The last segment of a path without its `.md`."""
    return _ENDING.sub("", path.rpartition("/")[2])


def _lines_before(text: str, front: Frontmatter) -> int:
    return sum(1 for _ in LINE_END.finditer(text, 0, front.body))


def _first_title(headings: tuple[Heading, ...]) -> str | None:
    return next((heading.text for heading in headings if heading.level == 1 and heading.text), None)


def _chunks(body: str, blocks: Blocks, fields: Fields, embedding: Embedding) -> tuple[Chunk, ...]:
    chunks = cut_chunks(body, blocks.headings, embedding)
    notes = fields.metadata.collaborator_notes
    if not notes:
        return chunks
    headings = read_blocks(notes).headings
    return (*chunks, *cut_chunks(notes, headings, embedding, section=Section.NOTES, first_ordinal=len(chunks)))


def _problems(decoding: Problem | None, front: Frontmatter, fields: Fields, truncated: bool) -> tuple[Problem, ...]:
    cut = Problem("truncated", "the file is above the size limit; only its beginning is read") if truncated else None
    return tuple(problem for problem in (decoding, cut, *front.problems, *fields.problems) if problem is not None)
