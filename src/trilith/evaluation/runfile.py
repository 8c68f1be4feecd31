"""Runs in files: saved to be compared with later, or dumped query by query to be looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trilith.errors import InvalidInput
from trilith.evaluation import metrics
from trilith.evaluation.run import Evaluation, Measured

Run = Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]
"""Set -> mode -> measure -> query id -> value."""

FORMAT = 1


def measures(evaluations: Sequence[Evaluation]) -> Run:
    """What is worth keeping of a run."""
    return {
        each.set: {
            mode: {name: _of_queries(asked, name) for name in metrics.MEASURES} for mode, asked in each.modes.items()
        }
        for each in evaluations
    }


def save(path: Path, run: Run) -> None:
    """Raises `InvalidInput` when the file cannot be written."""
    _write(path, json.dumps({"format": FORMAT, "sets": run}) + "\n")


def read(path: Path) -> Run:
    """Raises `InvalidInput` for what `save` has not written."""
    try:
        held = json.loads(path.read_text("utf-8"))
    except OSError as failure:
        raise InvalidInput(f"'{path}' cannot be read: {failure.strerror}.") from None
    except ValueError:
        held = None
    if not isinstance(held, dict) or held.get("format") != FORMAT or not isinstance(held.get("sets"), dict):
        raise InvalidInput(f"'{path}' is no run that 'trilith eval --save' of this version has written.")
    run: Run = held["sets"]
    return run


def dump(path: Path, evaluations: Sequence[Evaluation]) -> None:
    """A line of JSON for each query of each mode. Raises `InvalidInput` when the file cannot be written."""
    lines = (json.dumps(line, ensure_ascii=False) + "\n" for each in evaluations for line in _lines(each))
    _write(path, "".join(lines))


def _lines(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for mode, asked in evaluation.modes.items():
        for each in asked:
            yield {
                "set": evaluation.set,
                "mode": mode,
                "query": each.query.id,
                "text": each.query.text,
                **{name: round(value, 4) for name, value in each.measures.items()},
                "ms": round(each.milliseconds, 2),
                "answered": [{"document": document, "score": round(score, 4)} for document, score in each.answered],
                "relevant": dict(each.query.relevance),
            }


def _of_queries(asked: Sequence[Measured], name: str) -> dict[str, float]:
    return {each.query.id: round(each.measures[name], 6) for each in asked}


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as failure:
        raise InvalidInput(f"'{path}' cannot be written: {failure.strerror}.") from None
