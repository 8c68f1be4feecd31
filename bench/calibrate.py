"""Fit the Lithos score on judged sets, and show how well it holds on sets that it was not fitted on.

usage: python bench/calibrate.py WORK_DIR SET_DIR [SET_DIR ...]

Each set becomes a vault and an index below WORK_DIR, which is kept. The top hit of every query is judged: *own* queries on
their own notes, *foreign* queries of the other sets, and *removed* ones, own queries whose answers are taken out of the
lists. Prints, leave-one-set-out, the precision above 0.8, the ROC AUC, and how often foreign and removed queries pass; then
the coefficients fitted on all sets, for `trilith.search.calibrate`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from trilith.app import App
from trilith.evaluation.corpus import write_notes
from trilith.evaluation.sets import JudgedSet, read_set
from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.principal import Principal
from trilith.model.query import Query
from trilith.search.calibrate import Coefficients, Evidence
from trilith.search.dress import Wardrobe
from trilith.search.found import Found
from trilith.search.order import contenders
from trilith.settings import load
from trilith.wiring import open_app

FOREIGN_QUERIES = 150
"""Of each other set."""
REMOVED_WEIGHT = 0.8
NAMES = [field.name for field in dataclasses.fields(Coefficients)]


@dataclasses.dataclass(frozen=True)
class Judged:
    """The top hit of one query: its features with a leading 1, and whether it is an answer."""

    kind: str
    features: np.ndarray
    answered: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("sets", type=Path, nargs="+")
    arguments = parser.parse_args()
    sets = [read_set(folder) for folder in arguments.sets]
    judged = {own.name: list(judge(own, sets, arguments.work / own.name)) for own in sets}
    held_out = {name: scores(rows, fit(without_set(judged, name))) for name, rows in judged.items()}
    for name, rows in judged.items():
        print(json.dumps(report(name, rows, held_out[name])))
    print(json.dumps(report("pooled", everything(judged), np.concatenate(list(held_out.values())))))
    weights = fit(everything(judged))
    print("COEFFICIENTS = Coefficients(" + ", ".join(f"{n}={w:.3f}" for n, w in zip(NAMES, weights, strict=True)) + ")")


def everything(judged: Mapping[str, Sequence[Judged]]) -> list[Judged]:
    return [row for rows in judged.values() for row in rows]


def without_set(judged: Mapping[str, Sequence[Judged]], name: str) -> list[Judged]:
    return [row for other, rows in judged.items() if other != name for row in rows]


def judge(own: JudgedSet, sets: Sequence[JudgedSet], folder: Path) -> Iterator[Judged]:
    """Every top hit of the three kinds of queries on the notes of `own`."""
    document_of = write_notes(own, folder / "vault")
    with open_app(load(home=folder / "home"), [folder / "vault"]) as app:
        for library in app.gate.libraries():
            app.indexer.complete(library)
        for query in own.queries:
            relevant = frozenset(document for document, grade in query.relevance.items() if grade > 0)
            found = ask(app, query.text)
            documents = {num: document_of[entry.path] for num, entry in app.catalog.entries(found.scores()).items()}
            answers = frozenset(num for num, document in documents.items() if document in relevant)
            yield from top(app, "own", found, answers)
            yield from top(app, "removed", without(found, answers), frozenset())
        for other in sets:
            if other.name != own.name:
                for query in other.queries[:: max(1, len(other.queries) // FOREIGN_QUERIES)]:
                    yield from top(app, "foreign", ask(app, query.text), frozenset())


def ask(app: App, text: str) -> Found:
    query = Query(text=text, filter=app.gate.filter(Principal()))
    fulltext, semantic = app.searcher.engines.ask(query)
    return Found(query, fulltext.ranked, semantic.ranked)


def without(found: Found, answers: frozenset[Num]) -> Found:
    """The lists of an index that does not hold the answers."""

    def kept(ranked: Ranked) -> Ranked:
        left = tuple(candidate for candidate in ranked.candidates if candidate.num not in answers)
        return dataclasses.replace(ranked, candidates=left)

    return Found(found.query, kept(found.fulltext), kept(found.semantic))


def top(app: App, kind: str, found: Found, answers: frozenset[Num]) -> Iterator[Judged]:
    scored = found.scores()
    best = contenders(scored, 1)[:1]
    if best:
        text = Wardrobe(app.catalog, best, found.semantic).text(best[0])
        evidence = Evidence(found.fulltext, found.semantic).about(best[0], found.coverage(text))
        yield Judged(kind, np.array([1.0, *dataclasses.astuple(evidence)]), best[0] in answers)


def fit(rows: Sequence[Judged]) -> np.ndarray:
    """Logistic regression in which no evidence counts against a hit: a feature that would is left out."""
    x = np.stack([row.features for row in rows])
    y = np.array([row.answered for row in rows], float)
    w = np.array([REMOVED_WEIGHT if row.kind == "removed" else 1.0 for row in rows])
    used = np.ones(x.shape[1], bool)
    while True:
        beta = np.zeros(x.shape[1])
        beta[used] = newton(x[:, used], y, w)
        if (beta[1:] >= 0).all():
            return beta
        used[1:] &= beta[1:] >= 0


def newton(x: np.ndarray, y: np.ndarray, w: np.ndarray, rounds: int = 50, ridge: float = 1e-3) -> np.ndarray:
    """The weights of largest likelihood."""
    beta = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (w * (y - p)) - ridge * beta
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(beta))
        beta = beta + np.linalg.solve(hessian, gradient)
    return beta


def scores(rows: Sequence[Judged], beta: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.stack([row.features for row in rows]) @ beta))


def report(name: str, rows: Sequence[Judged], shown: np.ndarray) -> dict[str, object]:
    kind = np.array([row.kind for row in rows])
    good = np.array([row.answered for row in rows])
    own, foreign, removed = kind == "own", kind == "foreign", kind == "removed"
    sure = own & (shown > 0.8)
    return {
        "set": name,
        "sure": int(sure.sum()),
        "precision_above_08": _share(good[sure]),
        "auc_own": auc(shown[own], good[own]),
        "auc_own_and_foreign": auc(shown[own | foreign], good[own | foreign]),
        "foreign_above_08": _share(shown[foreign] > 0.8),
        "foreign_above_05": _share(shown[foreign] > 0.5),
        "removed_above_08": _share(shown[removed] > 0.8),
        "answered_above_08": _share(shown[own & good] > 0.8),
    }


def auc(shown: np.ndarray, good: np.ndarray) -> float:
    """The chance that an answer is scored above a miss, ties counted half."""
    hits, misses = shown[good], np.sort(shown[~good])
    if not len(hits) or not len(misses):
        return float("nan")
    below = (np.searchsorted(misses, hits, "left") + np.searchsorted(misses, hits, "right")) / 2
    return round(float(below.mean() / len(misses)), 4)


def _share(flags: np.ndarray) -> float:
    return round(float(flags.mean()), 4) if len(flags) else float("nan")


if __name__ == "__main__":
    main()
