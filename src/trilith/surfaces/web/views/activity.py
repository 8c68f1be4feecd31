"""Who read and wrote what lately, and how fast searches were. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trilith.model.audit import Act
from trilith.surfaces.web.views.health import Bar, bars

HOURS = 24
MOST_AGENTS = 12
MOST_ACTS = 25
UNKNOWN = "somebody without a key"
DOORS = {"mcp": "agent", "rest": "program", "web": "this page"}


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody at one of the doors, with what they did in the acts that are kept."""

    name: str
    door: str
    reads: int
    writes: int
    refused: int
    last: datetime


@dataclass(frozen=True, slots=True)
class Done:
    at: datetime
    who: str
    door: str
    action: str
    subject: str
    writes: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class Hour:
    """Heights in percent of the busiest hour; `said` is read out."""

    reads: int
    writes: int
    said: str


def agents(acts: Sequence[Act], writes: Callable[[Act], bool]) -> tuple[Agent, ...]:
    """Whoever was there last comes first. `acts` are newest first."""
    grouped: dict[tuple[str, str], list[Act]] = {}
    for act in acts:
        grouped.setdefault((act.user or UNKNOWN, DOORS.get(act.door, act.door)), []).append(act)
    return tuple(_agent(name, door, each, writes) for (name, door), each in list(grouped.items())[:MOST_AGENTS])


def _agent(name: str, door: str, acts: Sequence[Act], writes: Callable[[Act], bool]) -> Agent:
    wrote = sum(map(writes, acts))
    refused = sum(act.outcome != "ok" for act in acts)
    return Agent(name, door, len(acts) - wrote, wrote, refused, acts[0].at)


def recent(acts: Sequence[Act], writes: Callable[[Act], bool]) -> tuple[Done, ...]:
    """What agents and programs did last; the visits of this page say little and are left to the counts."""
    told = [act for act in acts if act.door != "web" or writes(act)][:MOST_ACTS]
    return tuple(
        Done(
            at=act.at,
            who=act.user or UNKNOWN,
            door=DOORS.get(act.door, act.door),
            action=act.action,
            subject=act.subject,
            writes=writes(act),
            outcome="" if act.outcome == "ok" else act.outcome,
        )
        for act in told
    )


def hours(acts: Sequence[Act], writes: Callable[[Act], bool], now: datetime) -> tuple[Hour, ...]:
    """The last day, hour by hour, oldest first; none where nothing was done."""
    since = now - timedelta(hours=HOURS)
    counted = Counter((HOURS - 1 - _hours_ago(act.at, now), writes(act)) for act in acts if act.at > since)
    most = max((counted[place, False] + counted[place, True] for place in range(HOURS)), default=0)
    if not most:
        return ()
    return tuple(_hour(counted[place, False], counted[place, True], most, HOURS - 1 - place) for place in range(HOURS))


def _hours_ago(then: datetime, now: datetime) -> int:
    return min(max(int((now - then) / timedelta(hours=1)), 0), HOURS - 1)


def _hour(reads: int, writes: int, most: int, ago: int) -> Hour:
    when = "in the last hour" if not ago else f"{ago} hours ago" if ago > 1 else "an hour ago"
    return Hour(round(100 * reads / most), round(100 * writes / most), f"{when}: {reads} read, {writes} written")


def speeds(found: Mapping[str, Mapping[float, int]]) -> tuple[tuple[str, int, tuple[Bar, ...]], ...]:
    """For each mode: how many searches there were, and how they spread over steps of time."""
    return tuple(
        (mode, sum(steps.values()), bars(((_step(step), n) for step, n in steps.items()), ""))
        for mode, steps in found.items()
        if any(steps.values())
    )


def _step(seconds: float) -> str:
    if seconds == float("inf"):
        return "longer"
    return f"to {seconds * 1_000:g} ms" if seconds < 1 else f"to {seconds:g} s"
