"""Which fields does the full-text index have?

Text is scored in three groups, each with two fields: the words as they are (with positions, for phrases), and their
stems. A note's short texts are grouped because BM25 goes by a field's average length, which says nothing when most
notes leave the field empty.

    name    title, aliases
    about   headings, tags, summary
    body
    notes   the collaborator notes, for those who may read them

Stems are those of a note's own language; `language` says which, where its script does not, and it is
not English.

`title`, `aliases`, `headings`, `path` and `by` (the author's words) are there for queries that name a field.
"""

from __future__ import annotations

import tantivy

from trilith.language.stems import stemmer

FORMAT = 3
"""To be raised whenever an index written before would be wrong: fields, analysis, normal forms."""

STEMMED = ("name", "about", "body", "notes", "title", "aliases", "headings")
"""Each also has a field of stems, named by `stems_of`."""
UNSTEMMED = ("path", "by")
RAW = ("kind", "tag", "folder", "author", "para", "visibility", "collaborator")

BOOSTS = {"name": 1.5, "about": 1.0, "body": 1.0, "notes": 1.0}
"""The fields that a query without a field looks in. Chosen on four retrieval sets: title boosts from 0.75 to 1.5 are
alike, higher ones cost."""

NOTE = "note"
CHUNK = "chunk"
DISMISSED = "dismissed"
"""A note that is not to be found: only its number and checksum are kept."""
MARK = "mark"
"""The one document that says how far the index has come."""


def stems_of(field: str) -> str:
    return f"{field}_stems"


def build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in STEMMED + UNSTEMMED:
        builder.add_text_field(field, tokenizer_name="words", index_option="position")
    for field in STEMMED:
        builder.add_text_field(stems_of(field), tokenizer_name="stems", index_option="freq")
    builder.add_text_field("language", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("id_head", fast=True)
    _add_common(builder)
    return builder.build()


def build_chunk_schema() -> tantivy.Schema:
    """The index of chunks: no positions, for nobody asks it for phrases."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", tokenizer_name="words", index_option="freq")
    builder.add_text_field("section", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("ordinal", fast=True)
    _add_common(builder)
    return builder.build()


def _add_common(builder: tantivy.SchemaBuilder) -> None:
    """What filters ask for, what tells the kinds of documents apart, and what a view remembers."""
    for field in RAW:
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    # Signed, because deletion by an unsigned field's value deletes nothing (tantivy 0.27).
    builder.add_integer_field("num", indexed=True, fast=True)
    builder.add_integer_field("sequence", fast=True)
    builder.add_integer_field("created", indexed=True, fast=True)
    builder.add_integer_field("updated", indexed=True, fast=True)
    builder.add_bytes_field("checksum", stored=True)


def register_analysers(index: tantivy.Index) -> None:
    """To be done at every opening. Text comes in analysed, as words with blanks between."""
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("words", words)
    index.register_tokenizer("stems", stemmer())
