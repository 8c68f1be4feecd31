"""How the base is, in words and bars; who was there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trilith.health.status import LibraryStatus, State, Status
from trilith.model.audit import Act
from trilith.model.hits import EngineState
from trilith.model.note import Problem
from trilith.model.principal import Library, Scope
from trilith.ports.catalog import FileProblem
from trilith.ports.vault import SkippedFile, WatchMode
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.web.healthpage import is_write
from trilith.surfaces.web.views import activity, health

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def library(state: State = State.INDEXING, documents: int = 10, words: int = 4, vectors: int = 30) -> LibraryStatus:
    return LibraryStatus(
        library=Library(name="notes", root="/notes"),
        state=state,
        documents=documents,
        pending_fulltext=words,
        pending_vectors=vectors,
        last_scan=None,
        skipped=(SkippedFile("a.md", "cannot be read"),),
        problem=None,
        watcher=WatchMode.POLLING,
        watcher_problem=None,
    )


def test_a_shelf_says_how_far_each_view_is() -> None:
    status = Status(state=State.INDEXING, libraries=(library(),), semantic=EngineState.OK, reason=None)
    (shelf,) = health.shelves(status, {"notes": 40})
    assert [(bar.name, bar.share, bar.said) for bar in shelf.views] == [
        ("Words", 60, "6 of 10 notes"),
        ("Meaning", 25, "10 of 40 passages"),
    ]
    assert health.state(status) == ("Indexing", "busy")
    assert health.meaning(status) is None


def test_nothing_is_done_by_meaning_when_it_is_off() -> None:
    status = Status(state=State.READY, libraries=(library(vectors=0),), semantic=EngineState.OFF, reason="switched off")
    (shelf,) = health.shelves(status, {"notes": 40})
    assert (shelf.views[1].share, shelf.views[1].said) == (0, "off")
    assert "switched off" in (health.meaning(status) or "")


def test_before_anything_is_read_nothing_is_done() -> None:
    status = Status(
        state=State.STARTING,
        libraries=(library(State.STARTING, documents=0, words=500, vectors=0),),
        semantic=EngineState.OK,
        reason=None,
    )
    (shelf,) = health.shelves(status, {})
    assert shelf.views[0].said == "0 of 500 notes"
    assert (
        health.state(Status(state=State.UNAVAILABLE, libraries=(), semantic=EngineState.OK, reason=None))[1] == "busy"
    )


@pytest.mark.parametrize(("done", "total", "share"), [(0, 0, 100), (-3, 7, 0), (9, 7, 100), (1, 3, 33)])
def test_shares_are_between_nothing_and_all(done: int, total: int, share: int) -> None:
    assert health.bar("x", done, total, "notes").share == share


def problem(path: str, code: str = "unresolved_link", message: str = "m") -> FileProblem:
    return FileProblem(library="notes", path=path, problem=Problem(code, message, 3))


def test_oddities_are_told_to_those_who_see_all_and_name_no_closed_folder() -> None:
    found = (problem("a.md"), problem("Closed/b.md"), problem("c.md", message="may be closed/d.md, e.md"))
    assert list(health.visible(found, Scope(library="notes", reader="bea"))) == []
    assert [each.path for each in health.visible(found, Scope(library="notes", denied=("closed",)))] == ["a.md"]
    assert list(health.visible(found, Scope(library="notes"))) == list(found)


def test_oddities_are_grouped_and_the_rest_is_counted() -> None:
    found = [problem(f"{n}.md") for n in range(health.MOST + 5)]
    kinds = health.kinds([*found, problem("x.md", "not_utf8"), problem("y.md", "expired")])
    assert [(kind.name, kind.total, len(kind.shown)) for kind in kinds] == [
        ("Links to no note", health.MOST + 5, health.MOST),
        ("Stale notes", 1, 1),
        ("Files that are odd", 1, 1),
    ]


def act(user: str, door: str, action: str, ago: timedelta, outcome: str = "ok") -> Act:
    return Act(at=NOW - ago, user=user, key=None, door=door, action=action, outcome=outcome)


ACTS = (
    act("ada", "mcp", "lithos_write", timedelta(minutes=1)),
    act("", "rest", "GET /api/v1/search", timedelta(minutes=30)),
    act("ada", "mcp", "lithos_search", timedelta(hours=1, minutes=5), "refused"),
    act("ada", "web", "GET /results", timedelta(hours=2)),
    act("bea", "rest", "PATCH /api/v1/notes/x", timedelta(days=3)),
)


def test_agents_are_counted_by_what_they_did() -> None:
    assert [(a.name, a.door, a.reads, a.writes, a.refused) for a in activity.agents(ACTS, is_write)] == [
        ("ada", "agent", 1, 1, 1),
        (activity.UNKNOWN, "program", 1, 0, 0),
        ("ada", "this page", 1, 0, 0),
        ("bea", "program", 0, 1, 0),
    ]
    assert [done.action for done in activity.recent(ACTS, is_write)][:3] == [
        "lithos_write",
        "GET /api/v1/search",
        "lithos_search",
    ]


def test_the_last_day_is_told_by_the_hour() -> None:
    hours = activity.hours(ACTS, is_write, NOW)
    assert len(hours) == activity.HOURS
    assert (hours[-1].reads, hours[-1].writes) == (50, 50)
    assert hours[-1].said == "in the last hour: 1 read, 1 written"
    assert (hours[-2].reads, hours[-2].said) == (50, "an hour ago: 1 read, 0 written")
    assert activity.hours(ACTS[-1:], is_write, NOW) == ()


def test_speeds_are_those_of_the_meter() -> None:
    meter = Meter()
    with meter.timed("hybrid"):
        pass
    steps = meter.speeds()["hybrid"]
    assert sum(steps.values()) == 1
    assert steps[0.002] == 1
    assert activity.speeds(meter.speeds()) == (("hybrid", 1, (health.Bar("to 2 ms", 100, "1"),)),)
