"""What does a query say, once it is known to be syntax? Tantivy's query grammar to the tree of `model.textquery`.

The grammar knows operators, groups, fields, phrases with slop, ranges, sets and boosts. Ours on top of it: `word*`,
`word~1`, dates, and the rule that a word written with dots, hyphens or slashes is a phrase. Whatever cannot be meant
raises `NotSyntax`, whose message is the reason.
"""

from __future__ import annotations

import re
from typing import Any

import tantivy

from trilith.language.dates import half_open
from trilith.language.words import words
from trilith.model.textquery import (
    Boolean,
    Boost,
    Everything,
    Field,
    Fuzzy,
    Node,
    Occurs,
    Phrase,
    Prefix,
    Range,
    Words,
)

Ast = dict[str, Any]

DEEPEST = 24
"""Levels of nesting."""
MOST_CLAUSES = 256
FIELDS = {field.value: field for field in Field} | {"tag": Field.TAGS}
DATES = (Field.CREATED, Field.UPDATED)

_FUZZY = re.compile(r"(?P<word>.+)~(?P<distance>\d)")
_OCCURS = {None: Occurs.PLAIN, "must": Occurs.MUST, "should": Occurs.SHOULD, "must_not": Occurs.MUST_NOT}


class NotSyntax(Exception):
    """The query is to be searched literally; the message says why."""


def parse_grammar(text: str) -> Node:
    """The tree of a query in query syntax; `text` has single blanks. Raises NotSyntax."""
    try:
        ast = tantivy.parse_query(text)
    except ValueError as error:
        raise NotSyntax("it is not well-formed query syntax") from error
    node = _node(ast, 0)
    if node is None:
        raise NotSyntax("there is nothing to search for beside the operators")
    return node


def _node(ast: Ast, depth: int) -> Node | None:
    """None for a clause without words, such as `&&`."""
    if depth > DEEPEST:
        raise NotSyntax("it is nested too deeply")
    match ast["type"]:
        case "bool":
            return _boolean(ast, depth)
        case "literal":
            return _literal(ast)
        case "range":
            return _range(_field(ast["field"]), ast["lower"], ast["upper"])
        case "set":
            field = _field(ast["field"])
            return Boolean(tuple((Occurs.SHOULD, Phrase(element, field)) for element in ast["elements"]))
        case "boost":
            node = _node(ast["underlying"], depth + 1)
            return node and Boost(node, min(max(ast["boost"], 0.01), 100.0))
        case "all":
            return Everything()
        case other:
            raise NotSyntax(f"{'/regular expressions/' if other == 'regex' else 'field:*'} cannot be searched for")


def _boolean(ast: Ast, depth: int) -> Node | None:
    if len(ast["clauses"]) > MOST_CLAUSES:
        raise NotSyntax(f"it has more than {MOST_CLAUSES} clauses")
    clauses: list[tuple[Occurs, Node]] = []
    for occur, child in ast["clauses"]:
        occurs = _OCCURS[occur]
        if occurs is Occurs.PLAIN and _is_bare(child) and clauses and clauses[-1][0] is Occurs.PLAIN:
            last = clauses[-1][1]
            if isinstance(last, Words) and last.field is None:
                clauses[-1] = (Occurs.PLAIN, Words(f"{last.text} {child['phrase']}"))
                continue
        node = Words(child["phrase"]) if occurs is Occurs.PLAIN and _is_bare(child) else _node(child, depth + 1)
        if node is not None:
            clauses.append(_without_double_negation(occurs, node))
    return _positive(clauses) if clauses else None


def _without_double_negation(occurs: Occurs, node: Node) -> tuple[Occurs, Node]:
    """`a AND NOT b` comes as a conjunction with "everything but b" in it: that is an exclusion."""
    match node:
        case Boolean(((Occurs.MUST, Everything()), (Occurs.MUST_NOT, excluded))) if occurs is Occurs.MUST:
            return Occurs.MUST_NOT, excluded
    return occurs, node


def _positive(clauses: list[tuple[Occurs, Node]]) -> Boolean:
    """What only excludes means everything else."""
    if all(occurs is Occurs.MUST_NOT for occurs, _ in clauses):
        clauses = [(Occurs.MUST, Everything()), *clauses]
    return Boolean(tuple(clauses))


def _is_bare(ast: Ast) -> bool:
    """Whether this is a plain word without field, quotes or signs, which its neighbours may join."""
    return (
        ast["type"] == "literal"
        and ast["field_name"] is None
        and ast["delimiter"] == "none"
        and not ast["phrase"].endswith("*")
        and not _FUZZY.fullmatch(ast["phrase"])
    )


def _literal(ast: Ast) -> Node | None:
    field = None if ast["field_name"] is None else _field(ast["field_name"])
    text: str = ast["phrase"]
    if field in DATES:
        bound = {"type": "inclusive", "value": text}
        return _range(field, bound, bound)
    if ast["delimiter"] != "none":
        if field is not Field.TAGS and not words(text):
            raise NotSyntax("there are no words between its quotation marks")
        return Phrase(text, field, min(ast["slop"], 100), ast["prefix"])
    if field is Field.TAGS:
        return _tag(text)
    if "*" in text:
        return _prefix(text, field)
    if fuzzy := _FUZZY.fullmatch(text):
        return _fuzzy(fuzzy["word"], int(fuzzy["distance"]), field)
    match len(words(text)):
        case 0:
            return None
        case 1:
            return Words(text, field)
    return Phrase(text, field)


def _tag(text: str) -> Node:
    return Prefix(text[:-1], Field.TAGS) if text.endswith("*") and len(text) > 1 else Words(text, Field.TAGS)


def _prefix(text: str, field: Field | None) -> Node:
    stem = text[:-1]
    if "*" in stem or not text.endswith("*") or not words(stem):
        raise NotSyntax("a wildcard may only stand at the end of a word")
    return Prefix(stem, field)


def _fuzzy(word: str, distance: int, field: Field | None) -> Node:
    if distance > 2:
        raise NotSyntax("a fuzzy word may differ in at most two characters")
    if len(words(word)) != 1:
        raise NotSyntax("only a single word can be fuzzy")
    return Fuzzy(word, distance, field) if distance else Words(word, field)


def _range(field: Field, lower: Ast, upper: Ast) -> Range:
    if field not in DATES:
        raise NotSyntax(f"`{field.value}` has no ranges: only created and updated have")
    found = Range(
        field,
        lower.get("value"),
        upper.get("value"),
        include_lower=lower["type"] != "exclusive",
        include_upper=upper["type"] != "exclusive",
    )
    try:
        half_open(found.lower, found.upper, found.include_lower, found.include_upper)
    except ValueError as error:
        raise NotSyntax(str(error)) from error
    return found


def _field(name: str | None) -> Field:
    if name not in FIELDS:
        raise NotSyntax("a range needs a field" if name is None else f"no field is called `{name}`")
    return FIELDS[name]
