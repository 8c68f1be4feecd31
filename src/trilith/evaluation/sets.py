"""Reads a judged set in the format of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` in one folder.

Thakur et al., "BEIR: A Heterogenous Benchmark for Zero-shot Evaluation of Information Retrieval Models", 2021.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trilith.errors import InvalidInput

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.tsv"


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """`relevance` maps document ids to grades; at least one is above 0."""

    id: str
    text: str
    relevance: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """At least one query; those without a relevant document are left out, for nothing can be measured on them."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[JudgedQuery, ...]


def read_set(folder: Path) -> JudgedSet:
    """Raises `InvalidInput` naming the file, and the line where there is one, when the set cannot be read."""
    for name in (CORPUS, QUERIES, QRELS):
        if not (folder / name).is_file():
            raise InvalidInput(f"'{folder}' has no {name}; a set is a folder with {CORPUS}, {QUERIES} and {QRELS}.")
    grades = _read_qrels(folder / QRELS)
    queries = (
        JudgedQuery(str(row["_id"]), str(row["text"]), grades.get(str(row["_id"]), {}))
        for row in _records(folder / QUERIES, ("_id", "text"))
    )
    judged = tuple(query for query in queries if any(grade > 0 for grade in query.relevance.values()))
    if not judged:
        raise InvalidInput(f"'{folder}' has no query with a relevant document; nothing can be measured.")
    return JudgedSet(
        name=folder.resolve().name,
        documents=tuple(
            Document(str(row["_id"]), str(row.get("title") or ""), str(row["text"]))
            for row in _records(folder / CORPUS, ("_id", "text"))
        ),
        queries=judged,
    )


def _records(path: Path, required: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as failure:
                raise InvalidInput(f"{path}, line {number}: not JSON: {failure}") from None
            if not isinstance(row, dict) or any(name not in row for name in required):
                raise InvalidInput(f"{path}, line {number}: must be an object with {' and '.join(required)}.")
            yield row


def _read_qrels(path: Path) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows, None)  # the header
        for number, row in enumerate(rows, start=2):
            if not row:
                continue
            try:
                query, document, grade = row
                grades.setdefault(query, {})[document] = float(grade)
            except ValueError:
                raise InvalidInput(f"{path}, line {number}: must be query-id, corpus-id and score.") from None
    return grades
