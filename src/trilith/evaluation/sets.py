"""Reads a judged set in the format of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` in one folder. Instead of a corpus
there may be a folder `vault` of notes as they are; the id of a note is then its path without `.md`.

Thakur et al., "BEIR: A Heterogenous Benchmark for Zero-shot Evaluation of Information Retrieval Models", 2021.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trilith.errors import InvalidInput

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.tsv"
VAULT = "vault"

BUILT_IN = Path(__file__).parent / "builtin"
"""Sets that come with the program."""


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
    """At least one query; those without a relevant document are left out, for nothing can be measured on them. The notes are
    `documents`, or those of `vault`."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[JudgedQuery, ...]
    vault: Path | None = None


def find_sets(names: Sequence[str]) -> tuple[Path, ...]:
    """The folders of the sets that are meant: each a set, a folder of sets, or the name of a built-in one; none named: all
    that are built in. Raises `InvalidInput` for what is none of that, and when two sets have one name."""
    found = [folder for name in names for folder in _meant(name)] if names else _within(BUILT_IN)
    called = [folder.resolve().name for folder in found]
    if len(set(called)) < len(called):
        twice = next(name for name in called if called.count(name) > 1)
        raise InvalidInput(f"Two sets are called '{twice}'; measure them apart.")
    return tuple(found)


def _meant(name: str) -> list[Path]:
    folder = Path(name)
    if not folder.is_dir() and _is_set(BUILT_IN / name):
        return [BUILT_IN / name]
    return [folder] if _is_set(folder) else _within(folder) or [folder]


def _within(folder: Path) -> list[Path]:
    return [each for each in sorted(folder.iterdir()) if _is_set(each)] if folder.is_dir() else []


def _is_set(folder: Path) -> bool:
    return (folder / QUERIES).is_file() or (folder / CORPUS).is_file()


def read_set(folder: Path) -> JudgedSet:
    """Raises `InvalidInput` naming the file, and the line where there is one, when the set cannot be read."""
    vault = folder / VAULT if (folder / VAULT).is_dir() else None
    for name in (QUERIES, QRELS) if vault else (CORPUS, QUERIES, QRELS):
        if not (folder / name).is_file():
            known = ", ".join(each.name for each in _within(BUILT_IN))
            raise InvalidInput(
                f"'{folder}' has no {name}; a set is a folder with {CORPUS} (or {VAULT}/), {QUERIES} and {QRELS}, or one of "
                f"{known}."
            )
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
        documents=() if vault else tuple(_documents(folder / CORPUS)),
        queries=judged,
        vault=vault,
    )


def _documents(path: Path) -> Iterator[Document]:
    for row in _records(path, ("_id", "text")):
        yield Document(str(row["_id"]), str(row.get("title") or ""), str(row["text"]))


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
