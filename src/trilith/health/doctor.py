"""What is odd or broken, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from trilith.errors import TrilithError
from trilith.health.status import Reporter, State
from trilith.health.tongues import Advice, has_own
from trilith.model.hits import EngineState
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog, FileProblem
from trilith.ports.embedding import Embedder
from trilith.ports.reranking import Reranker

MODEL_PATIENCE = 30.0
"""Seconds that the model may take to load."""


class Verdict(StrEnum):
    OK = "ok"
    NOTICE = "notice"
    """Odd, but nothing is lost by it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One look, what it found, and the next step when it is not ok."""

    name: str
    verdict: Verdict
    message: str
    next_step: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    checks: tuple[Check, ...]
    problems: tuple[FileProblem, ...]
    """Files and links that are odd, by path."""

    @property
    def healthy(self) -> bool:
        return all(check.verdict is not Verdict.FAILED for check in self.checks)


@dataclass(frozen=True, slots=True)
class Doctor:
    catalog: Catalog
    reporter: Reporter
    embedder: Embedder
    reranker: Reranker | None = None

    def examine(self, filter: Filter) -> Diagnosis:
        """Look at vaults, index views, model and files of the libraries in `filter`."""
        checks = [*self._libraries(filter), *self._models(filter), *_reranker(self.reranker)]
        problems = [problem for name in filter.libraries for problem in self.problems(name)]
        return Diagnosis(checks=tuple(checks), problems=tuple(problems))

    def problems(self, library: str) -> tuple[FileProblem, ...]:
        """What is odd about the files of a library and about its links, whoever may see them."""
        now = self.reporter.clock.now()
        catalog = self.catalog
        return (*catalog.problems(library), *catalog.link_problems(library), *catalog.note_problems(library, now))

    def _libraries(self, filter: Filter) -> list[Check]:
        checks = []
        for library in self.reporter.status(filter).libraries:
            name = library.library.name
            if library.state is State.UNAVAILABLE:
                message, step = (
                    library.problem or "cannot be read",
                    f"Check that {library.library.root} is mounted and readable.",
                )
                checks.append(Check(name=f"vault {name}", verdict=Verdict.FAILED, message=message, next_step=step))
            else:
                message = f"notes: {library.documents}, files skipped: {len(library.skipped)}"
                checks.append(Check(name=f"vault {name}", verdict=Verdict.OK, message=message))
            checks += self._views(name)
            checks.append(self._vectors(name, library.pending_vectors))
            checks += _language(name, library.advice)
        return checks

    def _views(self, library: str) -> list[Check]:
        return [
            Check(name=f"{view} {library}", verdict=Verdict.OK, message="level with the catalog")
            if not off
            else Check(
                name=f"{view} {library}",
                verdict=Verdict.FAILED,
                message=f"{off} notes differ from the catalog",
                next_step="Run `trilith index`; if that does not help, `trilith index --rebuild`.",
            )
            for view, off in self.reporter.drift(library).items()
        ]

    def _vectors(self, library: str, pending: int) -> Check:
        name = f"embedding {library}"
        if not pending:
            return Check(name=name, verdict=Verdict.OK, message="every chunk has its vector")
        step = "Leave a server running, or run `trilith index`."
        return Check(name=name, verdict=Verdict.NOTICE, message=f"{pending} chunks wait for a vector", next_step=step)

    def _models(self, filter: Filter) -> Iterator[Check]:
        """The usual model, and those of libraries that have one of their own."""
        yield _model("model", self.embedder, "Reinstall the package")
        for name in filter.libraries:
            if has_own(self.embedder, name):
                yield _model(
                    f"model {name}", self.embedder.of(name), f"Look at [library.{name}.embedder] in trilith.toml"
                )


def _reranker(reranker: Reranker | None) -> Iterator[Check]:
    """Whether the one that the owner has chosen can be used."""
    if reranker is None:
        return
    status = reranker.wait(MODEL_PATIENCE)
    if status.state is EngineState.OK:
        yield Check(name="reranker", verdict=Verdict.OK, message="ready")
        return
    step = "Look at [reranker] in trilith.toml; hybrid answers keep the order before it meanwhile."
    yield Check(name="reranker", verdict=Verdict.FAILED, message=str(status.reason), next_step=step)


def _language(library: str, advice: Advice | None) -> Iterator[Check]:
    if advice is not None:
        yield Check(
            name=f"language {library}", verdict=Verdict.NOTICE, message=advice.message, next_step=advice.next_step
        )


def _model(name: str, embedder: Embedder, step: str) -> Check:
    """Whether it can be used, and gives distinct vectors of length one for distinct texts."""
    status = embedder.wait(MODEL_PATIENCE)
    if status.state is EngineState.OFF:
        return Check(name=name, verdict=Verdict.NOTICE, message=str(status.reason))
    step = f"{step}; full text search works meanwhile."
    if status.state is not EngineState.OK:
        return Check(name=name, verdict=Verdict.FAILED, message=str(status.reason), next_step=step)
    try:
        one, other = embedder.embed_query("a loaf of bread"), embedder.embed_query("the theory of relativity")
    except TrilithError as failure:
        return Check(name=name, verdict=Verdict.FAILED, message=failure.message, next_step=step)
    if abs(float(one @ one) - 1.0) < 0.01 and float(one @ other) < 0.97:
        return Check(name=name, verdict=Verdict.OK, message=f"{embedder.model} gives sound vectors")
    message = f"{embedder.model} gives vectors that cannot be right"
    return Check(name=name, verdict=Verdict.FAILED, message=message, next_step=step)
