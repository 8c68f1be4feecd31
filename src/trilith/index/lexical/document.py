"""How does a note become a document of the index?"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import tantivy

from trilith.index.lexical.schema import DISMISSED, MARK, NOTE, stems_of
from trilith.language.normal import fold_case
from trilith.language.stems import stemmed
from trilith.language.tongues import LATIN, tongue
from trilith.language.words import Terms, joined, terms
from trilith.model.ids import NoteId
from trilith.model.note import Status
from trilith.ports.items import FullTextItem

Fields = dict[str, Any]

BEGINNING = 2_000
"""Characters of a note that tell its language."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def document(item: FullTextItem, schema: tantivy.Schema) -> tantivy.Document:
    """A note's document; of a dismissed one only what tells it from others."""
    fields = head(item)
    if item.status != Status.DISMISSED:
        fields |= filter_fields(item) | text_fields(item) | {"id_head": _id_head(item.id)}
    return tantivy.Document.from_dict(fields, schema)


def head(item: FullTextItem) -> Fields:
    """What tells a note from others."""
    kind = DISMISSED if item.status == Status.DISMISSED else NOTE
    return {"num": item.num, "checksum": item.checksum.encode(), "kind": kind}


def mark(sequence: int, schema: tantivy.Schema) -> tantivy.Document:
    return tantivy.Document.from_dict({"kind": MARK, "sequence": sequence}, schema)


def microseconds(moment: datetime) -> int:
    """Since 1970: what the date fields hold."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def tag_key(tag: str) -> str:
    return key(tag.strip().removeprefix("#").strip("/"))


def key(text: str) -> str:
    """Equal for what differs in case and Unicode form only."""
    return fold_case(valid(text))


def valid(text: str) -> str:
    """The text with half characters (lone surrogates), which tantivy does not take, replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def with_ancestors(path: str) -> list[str]:
    """`a/b/c` → `a`, `a/b`, `a/b/c`."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def filter_fields(item: FullTextItem) -> Fields:
    """What filters ask for."""
    tags = {ancestor for tag in item.tags for ancestor in with_ancestors(tag_key(tag))}
    return {
        "tag": sorted(tags),
        "folder": with_ancestors(key(item.path)),
        "author": [] if item.author is None else [key(item.author.strip())],
        "para": [valid(slug) for slug in item.para],
        "visibility": item.visibility,
        "collaborator": [valid(name) for name in item.collaborators],
        "created": microseconds(item.created_at),
        "updated": microseconds(item.updated_at),
    }


def _parted(body: str) -> tuple[str, str, str]:
    """The whole words that a note begins with, the rest, and what of the rest belongs to its first `BEGINNING` characters."""
    if len(body) <= BEGINNING:
        return body, "", ""
    cut = max(body.rfind(" ", 0, BEGINNING), body.rfind("\n", 0, BEGINNING), 0)
    return body[:cut], body[cut:], body[cut:BEGINNING]


def _id_head(note_id: NoteId) -> int:
    """The first 64 bits of an id: ordered as the ids are."""
    return uuid.UUID(note_id).int >> 64


def text_fields(item: FullTextItem) -> Fields:
    """What the fields of text hold, by name: analysed words, blanks between; `_` is between what is not next to each other."""
    begun, rest, cut_off = _parted(item.body)
    title, beginning = terms(item.title), terms(begun)
    aliases = [terms(alias) for alias in item.aliases]
    headings = [terms(heading) for heading in item.headings]
    summary = terms(item.summary or "")
    tags = [terms(tag) for tag in item.tags]
    language = tongue(f"{title.words} {beginning.words} {terms(cut_off).words}".split())
    with_stems = {
        "title": [title],
        "aliases": aliases,
        "name": [title, *aliases],
        "headings": headings,
        "about": [*headings, summary],
        "body": [joined((beginning, terms(rest)))],
        "notes": [terms(item.collaborator_notes or "")],
    }
    exact = with_stems | {
        "about": [*headings, summary, *tags],
        "path": [terms(item.path.removesuffix(".md"))],
        "by": [terms(item.author or "")],
    }
    fields = {field: _words(texts) for field, texts in exact.items()}
    fields |= {stems_of(field): stemmed(language, _stemmable(texts)) for field, texts in with_stems.items()}
    fields["language"] = language if language in LATIN else ""
    return {field: text for field, text in fields.items() if text}


def _words(texts: Iterable[Terms]) -> str:
    """All tokens, `_` between what is not next to each other in the text."""
    return " _ ".join(part for text in texts for part in (text.words, text.parts, text.pairs) if part)


def _stemmable(texts: Iterable[Terms]) -> str:
    return " ".join(_without_breaks(texts))


def _without_breaks(texts: Iterable[Terms]) -> Iterator[str]:
    for text in texts:
        if text.spaced:
            yield text.spaced
        if text.parts:
            yield text.parts.replace(" _ ", " ")
