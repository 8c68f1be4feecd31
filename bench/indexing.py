"""How long until a vault can be searched, and how long the second time?

usage: python bench/indexing.py first VAULT HOME
       python bench/indexing.py vectors VAULT HOME [--seconds 60]
       python bench/indexing.py again VAULT HOME

`first` indexes from nothing, until full text is complete. `vectors` then embeds for so many seconds; what has no vector by
then is given one that is a real one, blurred, so that the vector index has its full size without hours of waiting; and where
there are enough for inverted lists, these are made as a server does it beside its other work. `again` opens what is there and
looks over the files. Each prints one JSON object; seconds of CPU are those of all threads, and the
peak is the most memory that the process ever held.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machine import peak
from trilith.app import App
from trilith.index.vector.plan import LARGE
from trilith.model.principal import Library
from trilith.settings import load
from trilith.sync.turn import writing
from trilith.wiring import open_app

FILLED_AT_A_TIME = 32_768
"""Each time all that wait are put in order."""
LATEST = 5_000
"""Changes of notes' vectors, the last of which are copied."""
LOADING_SECONDS = 60.0
MOST_CALLS = 50
"""Batches of texts that are embedded at a second start before that is given up."""
BLUR = 0.03
"""Standard deviation of the noise in each of 384 numbers: two blurred copies of a vector have a cosine of about 0.7."""

Json = dict[str, Any]


def first(vault: Path, home: Path) -> Json:
    begun, used = time.perf_counter(), time.process_time()
    with open_app(load(home=home), [vault]) as app:
        (library,) = app.gate.libraries()
        notes = app.indexer.refresh(library).put
        seconds, cpu = time.perf_counter() - begun, time.process_time() - used
        app.indexer.feeder.feed_chunks(library.name)
        return {
            "notes": notes,
            "fulltext_seconds": round(seconds, 2),
            "fulltext_cpu_seconds": round(cpu, 2),
            "notes_per_second": round(notes / seconds, 1),
            "passages_seconds": round(time.perf_counter() - begun - seconds, 2),
            "passages_cpu_seconds": round(time.process_time() - used - cpu, 2),
            "peak_mb": peak(os.getpid()),
        }


def vectors(vault: Path, home: Path, most_seconds: float) -> Json:
    with open_app(load(home=home), [vault]) as app:
        (library,) = app.gate.libraries()
        found = {**embedding(app, library, most_seconds), "peak_mb": peak(os.getpid()), **filling(app, library)}
    return {**found, **lists(vector_cache(home))}


def lists(folder: Path) -> Json:
    """What it takes to make the inverted lists of a vector cache; nothing for one that is too small to have any."""
    command = [sys.executable, "-m", "trilith.index.vector.building", str(folder), str(LARGE), "1"]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    if not (folder / "lists.json").exists():
        return {}
    return {
        "lists_seconds": round(time.perf_counter() - begun, 1),
        "lists_cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "lists_peak_mb": round(used.ru_maxrss / 1024, 1),
    }


def vector_cache(home: Path) -> Path:
    """The folder of the one vector cache below a home."""
    (header,) = (home / "index" / "vectors").rglob("header.json")
    return header.parent


def embedding(app: App, library: Library, most_seconds: float) -> Json:
    """The rate of embedding, with everything that storing a vector and making it searchable costs."""
    feeder = app.indexer.feeder
    feeder.embedder.wait(LOADING_SECONDS)
    begun, used, done = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < most_seconds and (some := feeder.embed_some(library.name)):
        done += some
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used
    return {
        "embedded_chunks": done,
        "embed_seconds": round(seconds, 2),
        "chunks_per_second": round(done / seconds, 1),
        "chunks_per_cpu_second": round(done / cpu, 1),
    }


def filling(app: App, library: Library) -> Json:
    """Give the chunks without a vector a blurred copy of a real one."""
    feeder, model = app.indexer.feeder, app.indexer.feeder.embedder.model
    random = np.random.default_rng(1)
    filled, begun = 0, time.perf_counter()
    real = real_vectors(app, library)
    while texts := app.catalog.pending_texts(library.name, model, FILLED_AT_A_TIME):
        vectors = blurred(real[random.integers(0, len(real), len(texts))], random)
        with writing(feeder.locks):
            app.catalog.store_vectors(library.name, model, texts, vectors)
        filled += len(texts)
    feeder.feed_vectors(library.name)
    return {"filled_chunks": filled, "fill_seconds": round(time.perf_counter() - begun, 2)}


def real_vectors(app: App, library: Library) -> NDArray[np.float16]:
    """Those of the notes whose vectors have changed last."""
    model, newest = app.indexer.feeder.embedder.model, app.catalog.vector_sequence(library.name)
    changes = app.catalog.vector_changes(library.name, model, max(newest - LATEST, 0), LATEST)
    return np.concatenate([item.vectors for item in changes.put if len(item.vectors)])


def blurred(vectors: NDArray[np.float16], random: np.random.Generator) -> NDArray[np.float16]:
    noisy = vectors.astype(np.float32) + random.normal(0.0, BLUR, vectors.shape).astype(np.float32)
    unit: NDArray[np.float16] = (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float16)
    return unit


def again(vault: Path, home: Path) -> Json:
    begun, used = time.perf_counter(), time.process_time()
    with open_app(load(home=home), [vault]) as app:
        (library,) = app.gate.libraries()
        feeder = app.indexer.feeder
        calls, feeder.embedder.embed = counted(feeder.embedder.embed)  # type: ignore[method-assign]
        report = app.indexer.complete(library)
        return {
            "seconds": round(time.perf_counter() - begun, 2),
            "cpu_seconds": round(time.process_time() - used, 2),
            "notes": report.seen,
            "read": report.put,
            "embedding_calls": len(calls),
        }


def counted(work: Callable[..., Any]) -> tuple[list[None], Callable[..., Any]]:
    """A list that grows with each call, and what to call. Raises `RuntimeError` when it is called again and again."""
    calls: list[None] = []

    def call(*arguments: Any) -> Any:
        calls.append(None)
        if len(calls) > MOST_CALLS:
            raise RuntimeError("this index was made by a version that made other chunks: make it anew")
        return work(*arguments)

    return calls, call


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("first", "vectors", "again"))
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    match asked.what:
        case "first":
            found = first(asked.vault, asked.home)
        case "vectors":
            found = vectors(asked.vault, asked.home, asked.seconds)
        case _:
            found = again(asked.vault, asked.home)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
