"""How does a note become lexemes? Pure: text is analysed as everywhere here, PostgreSQL takes what comes.

`words`, a tsvector, holds each token of each field as a lexeme of its own, with its places, and decides what matches.
`content`, of which pg_textsearch makes its index, is one run of tokens spelled so that its parser leaves them whole; it decides
what is better. Collaborator notes are not in it, for not everybody may be told of them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from trilith.index.lexical.document import filter_fields, text_fields
from trilith.index.lexical.schema import STEMMED, stems_of
from trilith.language.stems import stemmer
from trilith.model.note import Status
from trilith.ports.items import FullTextItem

CODES = {
    "name": "n",
    "about": "a",
    "body": "b",
    "notes": "c",
    "title": "t",
    "aliases": "i",
    "headings": "h",
    "path": "p",
    "by": "y",
    "tag": "#",
    "language": "=",
    "collaborator": "@",
}
CODES |= {stems_of(field): CODES[field].upper() for field in STEMMED}
"""The first letter of a lexeme tells its field; capitals are stems."""

RANKED = ("name", "name", "about", "body")
"""What is better in one of these makes a note better; a name counts twice, as titles do in the files' index."""

LAST_PLACE = 16_383
"""PostgreSQL counts no further: words behind it are found, but as one place."""
MOST_PLACES = 255
LONGEST_LEXEME = 500
MOST_BYTES = 1_000_000
"""A tsvector holds a megabyte; of a note with more, the words that come first are kept."""


def lexeme(field: str, token: str) -> str:
    made = f"{CODES[field]}{token}"
    if len(made) <= LONGEST_LEXEME:
        return made
    return f"{CODES[field]}{hashlib.sha256(token.encode()).hexdigest()}"


def quoted(text: str) -> str:
    """For a tsvector or a tsquery."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def vector_and_content(item: FullTextItem) -> tuple[str, str]:
    """`words`, as PostgreSQL reads a tsvector, and `content`; of a dismissed note, neither."""
    if item.status == Status.DISMISSED:
        return "", ""
    fields = text_fields(item)
    return _vector(item, fields), _content(fields)


def _vector(item: FullTextItem, fields: Mapping[str, str]) -> str:
    places: dict[str, list[int]] = defaultdict(list)
    for field, text in fields.items():
        if field in ("language", *map(stems_of, STEMMED)):
            for token in _stems(text) if field != "language" else [text]:
                places[lexeme(field, token)] = []
            continue
        for place, token in enumerate(text.split(), start=1):
            if token != "_":
                places[lexeme(field, token)].append(min(place, LAST_PLACE))
    raw = filter_fields(item)
    for field in ("tag", "collaborator"):
        for token in raw[field]:
            places[lexeme(field, token)] = []
    return " ".join(_within(places))


def _content(fields: Mapping[str, str]) -> str:
    exact = (plain_word(token) for field in RANKED for token in fields.get(field, "").split() if token != "_")
    stems = (plain_word(token, stem=True) for field in RANKED for token in _stems(fields.get(stems_of(field), "")))
    # The extension makes a tsvector of it, too.
    return " ".join([*_first(exact), *_first(stems)])


def chunk_vector_and_content(tokens: Iterable[str]) -> tuple[str, str]:
    """Of a chunk, all tokens of which are as those of a body."""
    found = list(tokens)
    return " ".join(_within({lexeme("body", token): [] for token in found})), " ".join(_first(map(plain_word, found)))


def plain_word(token: str, *, stem: bool = False) -> str:
    """A token in letters and digits of ASCII, one word to any parser."""
    if token.isascii() and token.isalnum():
        return f"{'s' if stem else 'x'}{token}"
    return f"{'t' if stem else 'y'}{token.encode().hex()}"


def _stems(text: str) -> Iterable[str]:
    return stemmer().analyze(text) if text else ()


def _first(tokens: Iterable[str]) -> Iterator[str]:
    size, known = 0, set[str]()
    for token in tokens:
        if token not in known:
            known.add(token)
            size += len(token) + 8
            if size > MOST_BYTES // 2:
                return
        yield token


def _within(places: dict[str, list[int]]) -> Iterator[str]:
    size = 0
    for text, found in places.items():
        kept = list(dict.fromkeys(found))[:MOST_PLACES]
        size += len(text.encode()) + 4 + 2 * len(kept)
        if size > MOST_BYTES:
            return
        yield f"{quoted(text)}:{','.join(map(str, kept))}" if kept else quoted(text)
