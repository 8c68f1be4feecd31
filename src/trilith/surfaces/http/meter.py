"""What monitors read: requests, the time of searches, and how far the index is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE

if TYPE_CHECKING:
    from trilith.health.status import Status

__all__ = ["CONTENT_TYPE", "Meter", "outcome"]

SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Meter:
    """Counts for one server, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "trilith_requests", "Requests, by door and outcome.", ("door", "outcome"), registry=self._registry
        )
        self._searches = Histogram(
            "trilith_search_seconds", "Time of searches, by mode.", ("mode",), registry=self._registry, buckets=SECONDS
        )
        self._documents = Gauge("trilith_documents", "Notes served, by library.", ("library",), registry=self._registry)
        self._pending = Gauge(
            "trilith_pending",
            "What is not indexed yet: notes (fulltext) and chunks (vectors), by library.",
            ("library", "index"),
            registry=self._registry,
        )

    def count(self, door: str, result: str) -> None:
        """One more request at `door`; `result` as of `outcome`."""
        self._requests.labels(door, result).inc()

    @contextmanager
    def timed(self, mode: str) -> Iterator[None]:
        """The time of a search, whether it succeeds or not."""
        begun = perf_counter()
        try:
            yield
        finally:
            self._searches.labels(mode).observe(perf_counter() - begun)

    def speeds(self) -> dict[str, dict[float, int]]:
        """By mode, how many searches took up to so many seconds, and no less than the step before; infinity is the last
        step."""
        found: dict[str, dict[float, int]] = {}
        for sample in next(iter(self._searches.collect())).samples:
            if sample.name.endswith("_bucket"):
                steps = found.setdefault(sample.labels["mode"], {})
                steps[float(sample.labels["le"])] = int(sample.value) - sum(steps.values())
        return found

    def exposition(self, status: Status | None) -> bytes:
        """Everything in the text format of Prometheus; nothing about the index while it is being opened."""
        for library in status.libraries if status else ():
            name = library.library.name
            self._documents.labels(name).set(library.documents)
            self._pending.labels(name, "fulltext").set(library.pending_fulltext)
            self._pending.labels(name, "vectors").set(library.pending_vectors)
        return generate_latest(self._registry)


def outcome(status: int) -> str:
    """An HTTP status as an outcome: `ok`, `refused` (what was asked cannot be done) or `failed` (we could not)."""
    if status < 400:
        return "ok"
    return "refused" if status < 500 else "failed"
