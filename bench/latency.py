"""How long does a search take in this process, beside the bare parts that it is made of?

usage: python bench/latency.py VAULT HOME [--rounds 5] [--queries 200] [--seed 1] [--only NAME]

`HOME` holds a finished index of `VAULT`. In every round each kind of search is asked so many distinct queries, in the next
round others, so that no query is met again before it is forgotten. The bare parts are asked the same way, in the same
process: the very queries that full text sends to Tantivy for a search, of notes and of passages, put to it once more without
anything around them; one pass of the kernel over the same vectors, or where there are inverted lists one search in these; one
query embedded. Beside them, as a measure of Tantivy,
one query of its own parser. Prints one JSON object: medians over the rounds of p50, p95 and p99 in milliseconds, and
milliseconds of CPU of all threads for each query.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numkong
import numpy as np
import tantivy

from indexing import vector_cache
from machine import load, medians, quantiles
from make_vault import ONE_IN_A_HUNDRED, ONE_IN_FIVE, queries
from trilith.app import App
from trilith.index.lexical.schema import build_schema, register_analysers, stems_of
from trilith.index.vector.plan import first_look
from trilith.language.query import parse
from trilith.model.principal import Principal
from trilith.model.query import POOL, Filter, Match, Mode, Query
from trilith.ports.embedding import Floats
from trilith.settings import load as load_settings
from trilith.wiring import open_app

LOADING_SECONDS = 60.0
WARM_UP = 20
KINDS = 14
"""Of searches and bare parts."""
MEMOS = 5
"""What MythOS answers by default."""


BARE_TANTIVY, BARE_SCAN, BARE_EMBEDDING = "bare tantivy, the same queries", "bare scan", "bare embedding"

Ask = Callable[[str], object]
Call = Callable[[], object]


def searches(app: App) -> dict[str, Ask]:
    """The searches that are measured, by name."""
    whole = app.gate.filter(Principal())
    filters = {
        "": whole,
        ", tag of 1 %": app.gate.filter(Principal(), tags=(ONE_IN_A_HUNDRED,)),
        ", tag of 20 %": app.gate.filter(Principal(), tags=(ONE_IN_FIVE,)),
    }

    def asking(mode: Mode, filter: Filter) -> Ask:
        return lambda text: app.searcher.search(Query(text=text, filter=filter, mode=mode))

    asks = {
        f"{mode}{name}": asking(mode, filter)
        for mode in (Mode.FULLTEXT, Mode.SEMANTIC, Mode.HYBRID)
        for name, filter in filters.items()
    }
    return {**asks, "MythOS, by chunk": lambda text: app.chunk_searcher.search(text, whole, MEMOS)}


def bare_parts(app: App, home: Path, texts: Sequence[str]) -> dict[str, Ask]:
    """What no search can do without. `texts` are those that will be asked."""
    sent, embedder = queries_sent(app, texts), app.indexer.feeder.embedder
    return {
        BARE_TANTIVY: lambda text: [call() for call in sent[text]],
        BARE_SCAN: bare_scan(home, {text: embedder.embed([text]) for text in texts}),
        BARE_EMBEDDING: lambda text: embedder.embed([text]),
        "tantivy's own parser": parsed_by_tantivy(home),
    }


def bare_scan(home: Path, questions: Mapping[str, Floats]) -> Ask:
    """One pass of the kernel over the rows of the one vector cache below a home; where that has inverted lists, one search
    in these."""
    folder = vector_cache(home)
    if (folder / "lists.json").exists():
        return in_lists(folder, questions)
    header = json.loads((folder / "header.json").read_bytes())
    shape = header["rows"], header["width"]
    rows = np.memmap(folder / f"{header['generation']}.vectors", "<f2", "r", shape=shape).view(np.ndarray)
    scores = np.empty((1, len(rows)), np.float64)

    def kernel(text: str) -> object:
        numkong.cdist(questions[text].astype(np.float16), rows, "dot", out=scores)
        return np.argpartition(scores[0], -POOL)[-POOL:]

    return kernel


def in_lists(folder: Path, questions: Mapping[str, Floats]) -> Ask:
    import faiss

    name = json.loads((folder / "lists.json").read_bytes())["name"]
    index = faiss.read_index(str(folder / f"{name}.lists"), faiss.IO_FLAG_MMAP_IFC)
    most, probes = first_look(POOL, index.nlist, 1.0)
    faiss.omp_set_num_threads(1)
    return lambda text: index.search(questions[text], most, params=faiss.SearchParametersIVF(nprobe=probes))


def queries_sent(app: App, texts: Sequence[str]) -> dict[str, list[Call]]:
    """What full text asks Tantivy for each text, ready to be asked again."""
    heard: list[Call] = []

    class Overheard:
        """A searcher that remembers what it is asked."""

        def __init__(self, searcher: tantivy.Searcher) -> None:
            self.plain = searcher

        def __getattr__(self, name: str) -> Any:
            return getattr(self.plain, name)

        def search(self, *arguments: Any, **named: Any) -> tantivy.SearchResult:
            heard.append(partial(self.plain.search, *arguments, **named))
            return heard[-1]()

    (library,) = app.gate.libraries()
    states, sent, whole = [], {}, app.gate.filter(Principal())
    for view in (app.indexer.feeder.fulltext, app.indexer.feeder.chunks):
        with view.shelf.reading(library.name) as state:  # type: ignore[attr-defined]
            states.append(state)
            state.searcher = Overheard(state.searcher)
    for text in texts:
        app.searcher.engines.fulltext.retrieve(parse(text), Match.ANY, whole, POOL)
        sent[text] = heard.copy()
        heard.clear()
    for state in states:
        state.searcher = state.searcher.plain
    return sent


def parsed_by_tantivy(home: Path) -> Ask:
    index = tantivy.Index(build_schema(), str(next((home / "index" / "fulltext").rglob("meta.json")).parent))
    register_analysers(index)
    searcher = index.searcher()
    fields = [stems_of("name"), stems_of("body")]
    return lambda text: searcher.search(index.parse_query(text.rstrip("?"), fields), POOL)


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
    means = {"mean_ms": sum(seconds), "cpu_ms": time.process_time() - used}
    return {**quantiles(seconds), **{name: round(1000 * total / len(texts), 2) for name, total in means.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="One kind of search, without the bare parts.")
    asked = parser.parse_args()
    with open_app(load_settings(home=asked.home), [asked.vault]) as app:
        app.indexer.feeder.embedder.wait(LOADING_SECONDS)
        asks = searches(app)
        if asked.only:
            asks, texts = {asked.only: asks[asked.only]}, queries(WARM_UP + asked.queries, asked.seed)
        else:
            texts = queries(WARM_UP + asked.queries * KINDS, asked.seed)
            asks |= bare_parts(app, asked.home, texts)
        for ask in asks.values():
            timed(ask, texts[:WARM_UP])
        print(json.dumps({"load": load(), "modes": measured(asks, texts[WARM_UP:], asked.rounds)}))


if __name__ == "__main__":
    main()
