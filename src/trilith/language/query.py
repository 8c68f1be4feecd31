"""What does a query mean? Syntax where it is meant, else the text as it stands.

A query is syntax when it has at least one *sign* of it, outside quotation marks:

- `AND`, `OR` or `NOT`, in capitals;
- a known field right before its value: `title:cats`, `tags:a/b`, `created:>2026-01-01`;
- a phrase between two quotation marks;
- `word*` or `word~1` (the word ends there);
- a word of three letters or more (or one of a script without spaces) after a blank and `-` or `+`: it must not, or must,
  be there. `post-commit`, `rm -rf`, `--flag` and `- item` are none of that;
- `*` alone: everything.

If the rest of it then is not well-formed, or names a field that there is not, the whole query is searched literally and
the reason is told: a pasted error message, a URL or a line of code finds what it says.
"""

from __future__ import annotations

import re

from trilith.errors import InvalidInput
from trilith.language.grammar import DEEPEST, FIELDS, NotSyntax, parse_grammar
from trilith.language.scripts import LONE
from trilith.language.words import words
from trilith.model.hits import Interpretation
from trilith.model.textquery import TextQuery, Words

LONGEST_QUERY = 10_000
"""Characters."""
MOST_WILDCARDS = 32
"""Beginnings of words and fuzzy words: each is looked up in the whole dictionary."""

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_OPERATOR = re.compile(r"(?<!\S)\(*(?:AND|OR|NOT)(?!\S)")
_FIELD = re.compile(rf"(?<![\w:])(?:{'|'.join(FIELDS)}):(?=\S)")
_WILDCARD = re.compile(r"\w\*(?![^\s)])|\w~\d(?![^\s)])")
_SIGNED = re.compile(rf"(?<!\S)\(*(?P<sign>[-+])(?P<word>(?:[^\W\d_]{{3}}|[{LONE}])\S*)")
_ANY_FIELD = re.compile(r"(?<!\S)([\w.-]+):")
_APOSTROPHE = re.compile(r"(\"(?:[^\"\\]|\\.)*\")|'")


def parse(text: str) -> TextQuery:
    """The meaning of a query. Raises `InvalidInput` when it is blank or above 10,000 characters, and for nothing else."""
    if not text.strip():
        raise InvalidInput("The query is blank.", field="query")
    if len(text) > LONGEST_QUERY:
        raise InvalidInput(f"The query is longer than {LONGEST_QUERY:,} characters.", field="query")
    try:
        return TextQuery(root=parse_grammar(_as_syntax(text)), interpretation=Interpretation.SYNTAX)
    except NotSyntax as reason:
        return TextQuery(root=Words(text), interpretation=Interpretation.LITERAL, reason=str(reason))


def _as_syntax(text: str) -> str:
    """The query, ready for the grammar. Raises NotSyntax when nothing in it is meant as syntax."""
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    bare = _QUOTED.sub('""', line)
    if bare.replace('""', "").count('"'):
        raise NotSyntax("a quotation mark is not closed")
    if line != "*" and not _has_sign(bare):
        raise NotSyntax(_why_not(bare))
    if max(bare.count("("), bare.count("NOT ")) > DEEPEST:
        raise NotSyntax("it is nested too deeply")
    if len(_WILDCARD.findall(bare)) > MOST_WILDCARDS:
        raise NotSyntax(f"it has more than {MOST_WILDCARDS} wildcards")
    # The grammar takes an apostrophe for a quotation mark.
    return _APOSTROPHE.sub(lambda match: match[1] or "\\'", line)


def _has_sign(bare: str) -> bool:
    return '""' in bare or any(sign.search(bare) for sign in (_OPERATOR, _FIELD, _WILDCARD)) or _has_signed_word(bare)


def _has_signed_word(bare: str) -> bool:
    """Whether a word is excluded or demanded: next to others that are not, and not one of them itself, which is how
    command lines look (`java -jar app.jar`)."""
    signed = list(_SIGNED.finditer(bare))
    others = set(words(_SIGNED.sub(" ", bare)))
    excluded = {word for match in signed if match["sign"] == "-" for word in words(match["word"])}
    return bool(signed) and bool(others) and not others & excluded


def _why_not(bare: str) -> str:
    if not words(bare):
        return "it has no words"
    if field := _ANY_FIELD.search(bare):
        return (
            f"no field is called `{field[1]}`" if field[1] not in FIELDS else "a value must follow its field directly"
        )
    return "it has no operator, field, phrase or wildcard"
