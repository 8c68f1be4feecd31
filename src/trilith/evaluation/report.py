"""The answer of an evaluation: figures, and how they differ from those of a run before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trilith.evaluation import metrics
from trilith.evaluation.comparison import difference
from trilith.evaluation.run import Evaluation, figures
from trilith.evaluation.runfile import Run, measures


def report(evaluations: Sequence[Evaluation], before: Run | None) -> dict[str, Any]:
    """`{sets: [{set, notes, queries, modes: {mode: figures}, differences?: {mode: {measure: difference}}}]}`."""
    run = measures(evaluations)
    return {"sets": [_of_set(each, run, before) for each in evaluations]}


def _of_set(evaluation: Evaluation, run: Run, before: Run | None) -> dict[str, Any]:
    asked = next(iter(evaluation.modes.values()))
    answer = {
        "set": evaluation.set,
        "notes": evaluation.notes,
        "queries": len(asked),
        "modes": {mode: figures(asked) for mode, asked in evaluation.modes.items()},
    }
    if before is None:
        return answer
    former = before.get(evaluation.set, {})
    modes = {mode: _differences(now, former[mode]) for mode, now in run[evaluation.set].items() if mode in former}
    return answer | {"differences": modes}


def _differences(
    now: Mapping[str, Mapping[str, float]], former: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    found = {name: difference(now[name], former.get(name, {})) for name in metrics.MEASURES}
    return {name: each for name, each in found.items() if each is not None}
