"""What REST and the command line answer: one function for each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trilith.dialects import shapes
from trilith.dialects.moments import iso
from trilith.dialects.native import requests
from trilith.dialects.native.requests import Narrowing
from trilith.model.hits import Hit
from trilith.model.ids import parse_id
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import POOL, Filter, Listing, Query, Sort

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.health.doctor import Check, Diagnosis
    from trilith.health.status import LibraryStatus, Status
    from trilith.model.hits import Outcome

Json = shapes.Json


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions that one caller may ask."""

    app: App
    caller: Principal

    def search(
        self, query: str, mode: str, limit: int, narrowing: Narrowing, sort: str = "relevance", *, explain: bool = False
    ) -> Json:
        """Hits with their `match`, and with `explain` why each is where it is. Raises `InvalidInput`, `NotFound`, `Ambiguous`, `Unavailable`."""
        filter, most = narrowing.filter(self.app.gate, self.caller), requests.limit(limit)
        order = requests.sort(sort)
        if mode == "graph":
            start = self.app.reader.resolve(query.strip(), filter.whole())
            around = self.app.neighbourhood.around(start, filter, most)
            answer: Json = {"results": self._hits(around, filter), "total": around.total}
            answer |= {"truncated": True} if around.is_cut else {}
            ignored = narrowing.ignored_by_graph()
            return {**answer, "ignored_filters": ignored} if ignored else answer
        wanted = requests.mode(mode)
        # Another order than that of relevance is one of everything that was found, not of the most relevant few.
        pool = most if order is Sort.RELEVANCE else POOL
        outcome = self.app.searcher.search(Query(text=query, filter=filter, mode=wanted, limit=pool, explain=explain))
        return {
            "results": self._hits(outcome, filter, order)[:most],
            "total": outcome.total,
            "query_interpretation": outcome.interpretation.value,
            "query_interpretation_reason": outcome.interpretation_reason,
            "diagnostics": shapes.diagnostics(outcome.diagnostics),
        }

    def read(self, reference: str, max_length: int | None, library: str | None = None) -> Json:
        """A note by id or exact path. Raises `NotFound`, `InvalidInput`."""
        longest, filter = requests.max_length(max_length), self.app.gate.filter(self.caller, library)
        note = self.app.reader.read(self._find(reference, filter), filter)
        content, cut = self.app.reader.shortened(note, longest)
        return shapes.document(note, content, truncated=cut, name_library=True)

    def listing(self, narrowing: Narrowing, limit: int, offset: int, sort: str = "updated") -> Listing:
        """Which notes a page has. Raises `InvalidInput`, `NotFound`."""
        chosen = requests.sort(sort)
        return Listing(
            filter=narrowing.filter(self.app.gate, self.caller),
            sort=chosen,
            descending=chosen in (Sort.UPDATED, Sort.CREATED, Sort.RELEVANCE),
            limit=requests.limit(limit),
            offset=requests.offset(offset),
        )

    def page(self, narrowing: Narrowing, limit: int, offset: int, sort: str = "updated") -> Json:
        """A page of notes. Raises as `listing`."""
        page = self.app.catalog.page(self.listing(narrowing, limit, offset, sort))
        shown = [shapes.item(entry, name_library=True) for entry in page.entries]
        return {"items": shown, "total": page.total, "has_more": offset + len(shown) < page.total}

    def tags(self, library: str | None = None) -> Json:
        return {"tags": self.app.catalog.tag_counts(self.app.gate.filter(self.caller, library))}

    def related(self, reference: str, library: str | None = None) -> Json:
        """Links and provenance of a note by id, path or name. Raises `NotFound`, `Ambiguous`."""
        filter = self.app.gate.filter(self.caller, library)
        found = self.app.reader.related(self.app.reader.resolve(reference, filter), filter)
        answer = shapes.related(found, frozenset(("links", "provenance")))
        return {**answer, "unresolved_links": list(found.unresolved)}

    def status(self) -> Json:
        return _status(self.app.reporter.status(self.app.gate.filter(self.caller)))

    def examine(self) -> Json:
        """What `doctor` finds; `healthy` is false when a check failed."""
        return _diagnosis(self.app.doctor.examine(self.app.gate.filter(self.caller)))

    def _find(self, reference: str, filter: Filter) -> Entry:
        if parse_id(reference) is not None:
            return self.app.reader.find(filter, note_id=reference)
        return self.app.reader.find(filter, path=reference)

    def _hits(self, outcome: Outcome, filter: Filter, order: Sort = Sort.RELEVANCE) -> list[Json]:
        now = self.app.clock.now()
        several = len(filter.scopes) > 1
        hits = sorted(outcome.hits, key=SORT_KEYS[order]) if order in SORT_KEYS else list(outcome.hits)
        return [shapes.hit(hit, now, match=True, name_library=several, chunk_text=True) for hit in hits]


SORT_KEYS: Mapping[Sort, Callable[[Hit], float | str]] = {
    Sort.UPDATED: lambda hit: -hit.entry.updated_at.timestamp(),
    Sort.CREATED: lambda hit: -hit.entry.created_at.timestamp(),
    Sort.TITLE: lambda hit: hit.entry.metadata.title.casefold(),
    Sort.PATH: lambda hit: hit.entry.path,
}
"""How hits are put in another order than that of relevance: the newest first, names from A."""


def _status(status: Status) -> Json:
    return {
        "state": status.state.value,
        "documents": status.documents,
        "pending": {"fulltext": status.pending_fulltext, "vectors": status.pending_vectors},
        "semantic": {"state": status.semantic.value, "reason": status.reason},
        "libraries": [_library(library) for library in status.libraries],
    }


def _library(library: LibraryStatus) -> Json:
    return {
        "name": library.library.name,
        "root": library.library.root,
        "state": library.state.value,
        "documents": library.documents,
        "pending": {"fulltext": library.pending_fulltext, "vectors": library.pending_vectors},
        "last_scan": iso(library.last_scan),
        "skipped": [{"path": file.path, "reason": file.reason} for file in library.skipped],
        "problem": library.problem,
        "watcher": {"mode": library.watcher.value, "problem": library.watcher_problem},
        "advice": library.advice and f"{library.advice.message}. {library.advice.next_step}",
    }


def _diagnosis(diagnosis: Diagnosis) -> Json:
    return {
        "healthy": diagnosis.healthy,
        "checks": [_check(check) for check in diagnosis.checks],
        "problems": [
            {
                "library": found.library,
                "path": found.path,
                "line": found.problem.line,
                "code": found.problem.code,
                "message": found.problem.message,
            }
            for found in diagnosis.problems
        ],
    }


def _check(check: Check) -> Json:
    return {"name": check.name, "verdict": check.verdict.value, "message": check.message, "next_step": check.next_step}
