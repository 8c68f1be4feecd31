"""How long does a search take in this process, beside the bare parts that it is made of?

usage: python bench/latency.py VAULT HOME [--rounds 5] [--queries 200] [--seed 1]

`HOME` holds a finished index of `VAULT`. In every round each mode is asked so many distinct queries, in the next round
others, so that no query is met again before it is forgotten. The bare parts are asked the same way: one Tantivy query
over the same index, one pass of the kernel over the same vectors, one query embedded. Prints one JSON object: medians
over the rounds of p50 and p95 in milliseconds, and milliseconds of CPU of all threads for each query.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numkong
import numpy as np
import tantivy

from machine import load, medians, quantiles
from make_vault import ONE_IN_A_HUNDRED, ONE_IN_FIVE, queries
from trilith.app import App
from trilith.index.lexical.schema import build_schema, register_analysers, stems_of
from trilith.model.principal import Principal
from trilith.model.query import POOL, Mode, Query
from trilith.settings import load as load_settings
from trilith.wiring import open_app

LOADING_SECONDS = 60.0
WARM_UP = 20
MEMOS = 5
"""What MythOS answers by default."""

Ask = Callable[[str], object]


def searches(app: App) -> dict[str, Ask]:
    """The searches that are measured, by name."""
    whole = app.gate.filter(Principal())
    rare = app.gate.filter(Principal(), tags=(ONE_IN_A_HUNDRED,))
    common = app.gate.filter(Principal(), tags=(ONE_IN_FIVE,))

    def asking(mode: Mode, filter: Any) -> Ask:
        return lambda text: app.searcher.search(Query(text=text, filter=filter, mode=mode))

    return {
        "fulltext": asking(Mode.FULLTEXT, whole),
        "semantic": asking(Mode.SEMANTIC, whole),
        "hybrid": asking(Mode.HYBRID, whole),
        "hybrid, tag of 1 %": asking(Mode.HYBRID, rare),
        "hybrid, tag of 20 %": asking(Mode.HYBRID, common),
        "MythOS, by chunk": lambda text: app.chunk_searcher.search(text, whole, MEMOS),
    }


def bare_parts(app: App, home: Path) -> dict[str, Ask]:
    """What no search can do without."""
    index = tantivy.Index(build_schema(), str(next((home / "index" / "fulltext").rglob("meta.json")).parent))
    register_analysers(index)
    searcher = index.searcher()
    vectors = all_vectors(app)
    question = np.ascontiguousarray(vectors[:1])
    scores = np.empty((1, len(vectors)), np.float64)

    def words(text: str) -> object:
        return searcher.search(index.parse_query(text.rstrip("?"), [stems_of("name"), stems_of("body")]), POOL)

    def kernel(_text: str) -> object:
        numkong.cdist(question, vectors, "dot", out=scores)
        return np.argpartition(scores[0], -POOL)[-POOL:]

    return {
        "bare tantivy": words,
        "bare kernel scan": kernel,
        "bare embedding": lambda text: app.indexer.feeder.embedder.embed([text]),
    }


def all_vectors(app: App) -> Any:
    (library,) = app.gate.libraries()
    changes = app.catalog.vector_changes(library.name, app.indexer.feeder.embedder.model, 0, 10_000_000)
    return np.concatenate([item.vectors for item in changes.put if len(item.vectors)])


def measured(asks: Mapping[str, Ask], texts: Sequence[str], rounds: int) -> dict[str, dict[str, float]]:
    parts = [list(texts[start :: len(asks)]) for start in range(len(asks))]
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in asks}
    for turn in range(rounds):
        for place, (name, ask) in enumerate(asks.items()):
            figures[name].append(timed(ask, parts[(place + turn) % len(parts)]))
    return {name: medians(found) for name, found in figures.items()}


def timed(ask: Ask, texts: Sequence[str]) -> dict[str, float]:
    seconds, used = [], time.process_time()
    for text in texts:
        begun = time.perf_counter()
        ask(text)
        seconds.append(time.perf_counter() - begun)
    return {**quantiles(seconds), "cpu_ms": round((time.process_time() - used) * 1000 / len(texts), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with open_app(load_settings(home=asked.home), [asked.vault]) as app:
        app.indexer.feeder.embedder.wait(LOADING_SECONDS)
        asks = {**searches(app), **bare_parts(app, asked.home)}
        texts = queries(WARM_UP + asked.queries * len(asks), asked.seed)
        for ask in asks.values():
            timed(ask, texts[:WARM_UP])
        print(json.dumps({"load": load(), "modes": measured(asks, texts[WARM_UP:], asked.rounds)}))


if __name__ == "__main__":
    main()
