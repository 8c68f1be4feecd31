"""What a caller may not see does not exist: every answer is that of a server which never held it.

For random libraries, users, grants and visibilities, each reading tool of each dialect and each question of REST is asked
of two servers: one that holds everything, and one that holds only what the caller may see. Ids, counts, totals, fields,
links, tags and errors are equal. Scores, and the order that follows from them, may differ: they rest on the words of the
libraries that the caller may read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.fakes import HashEmbedder

from trilith import wiring
from trilith.access.libraries import register
from trilith.access.office import Office
from trilith.app import App
from trilith.clock import SystemClock
from trilith.dialects.native.answers import Answers
from trilith.dialects.native.requests import Narrowing
from trilith.dialects.tool import Dialect, Tool
from trilith.errors import TrilithError
from trilith.home.accounts import SqliteAccounts
from trilith.home.layout import Home
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Principal, Right, Role
from trilith.settings import load
from trilith.surfaces.mcp.offered import DIALECTS

Json = dict[str, Any]

NAMES = ("alpha", "beta", "gamma")
USERS = ("ada", "bea", "cy")
FOLDERS = ("", "sub/", "private/")
IDS = tuple(f"0000000{number}-0000-4000-8000-000000000000" for number in range(6))
SCORES = frozenset({"score", "match", "match_provenance", "last_scan", "memoScore", "next", "fused", "raised"})
"""What may differ: scores and ranks, and times of indexing."""
BY_SCORE = frozenset({"lithos_cache_lookup"})
"""Tools whose whole answer turns on a score."""


@dataclass(frozen=True)
class Written:
    """A note as its file has it."""

    library: str
    path: str
    visibility: str
    collaborators: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[str, ...]
    id: str | None
    derived: tuple[str, ...]
    status: str
    secret: str | None
    """Collaborator notes."""

    def text(self) -> str:
        lists = {"collaborators": self.collaborators, "tags": self.tags, "derived_from_ids": self.derived}
        fields = [f"{name}: [{', '.join(values)}]" for name, values in lists.items() if values]
        fields += [f"id: {self.id}"] if self.id else []
        fields += [f"collaborator_notes: {self.secret}"] if self.secret else []
        times = "created_at: 2026-01-01\nupdated_at: 2026-01-02"
        head = (
            f"visibility: {self.visibility}\nstatus: {self.status}\nsource_url: https://x.org/{self.tags[0]}\n{times}"
        )
        rest = "\n".join(fields)
        return f"---\n{head}\n{rest}\n---\n# {Path(self.path).stem}\nbread {' '.join(f'[[{name}]]' for name in self.links)}\n"


@dataclass(frozen=True)
class World:
    owners: dict[str, str]
    notes: tuple[Written, ...]
    grants: tuple[tuple[str, str, Role], ...]
    hidden: dict[str, tuple[str, ...]]

    def seen_by(self, caller: Principal) -> World:
        """The world without what the caller may not see."""
        return replace(self, notes=tuple(note for each in self.notes for note in self._seen(each, caller)))

    def _seen(self, note: Written, caller: Principal) -> Iterator[Written]:
        if any(note.path.startswith(f"{folder}/") for folder in self.hidden[note.library]):
            return
        whole = {name for name, owner in self.owners.items() if owner == caller.name}
        whole |= {library for library, user, _ in self.grants if user == caller.name}
        named = bool(caller.name) and caller.name in note.collaborators
        if note.library in whole or named:
            yield note
        elif note.visibility in ("public", "link"):
            yield replace(note, secret=None, collaborators=note.collaborators)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    libraries = draw(st.lists(st.sampled_from(["one", "two"]), min_size=1, max_size=2, unique=True))
    owners = {name: draw(st.sampled_from(USERS[:2])) for name in libraries}
    places = [(name, f"{folder}{stem}.md") for name in libraries for folder in FOLDERS for stem in NAMES]
    chosen = draw(st.lists(st.sampled_from(places), min_size=2, max_size=7, unique=True))
    ids = draw(st.permutations([*IDS, None, None, None]))
    notes = [
        Written(
            library=library,
            path=path,
            visibility=draw(st.sampled_from(["private", "hidden", "link", "public", "public"])),
            collaborators=tuple(draw(st.lists(st.sampled_from(USERS), max_size=1))),
            tags=tuple(draw(st.lists(st.sampled_from(["t", "t/u", "w"]), min_size=1, max_size=2, unique=True))),
            links=tuple(draw(st.lists(st.sampled_from([*NAMES, "sub/alpha", "gone"]), max_size=3))),
            id=ids[number],
            derived=tuple(draw(st.lists(st.sampled_from(IDS), max_size=1))),
            status=draw(st.sampled_from(["raw", "raw", "raw", "dismissed", "archived"])),
            secret=draw(st.sampled_from([None, None, "zebra"])),
        )
        for number, (library, path) in enumerate(chosen)
    ]
    grants = [
        (name, user, draw(st.sampled_from(list(Role))))
        for name in libraries
        for user in USERS
        if user != owners[name] and draw(st.integers(0, 3)) == 0
    ]
    hidden = {name: ("private",) if draw(st.booleans()) else () for name in libraries}
    return World(owners, tuple(notes), tuple(grants), hidden)


@contextmanager
def served(world: World, folder: Path) -> Iterator[App]:
    """A server that holds a world, all of it read and embedded."""
    (folder / "home").mkdir(parents=True)
    file = LedgerFile(Home(folder / "home").ledger)
    office = Office(SqliteLedger(file), SqliteAccounts(file), SystemClock())
    for user in USERS:
        office.add_user(user)
    for name, owner in world.owners.items():
        (folder / name).mkdir()
        register(office.ledger, folder / name, name, owner=owner)
        office.set_folders(name, world.hidden[name], [])
    for library, user, role in world.grants:
        office.grant(library, user, role)
    file.close()
    for note in world.notes:
        place = folder / note.library / note.path
        place.parent.mkdir(exist_ok=True)
        place.write_text(note.text())
    with wiring.open_app(load(folder / "home", watch="off")) as app:
        for library in app.gate.libraries():
            app.indexer.complete(library)
        yield app


def questions(dialect: Dialect, ids: list[str], memos: list[str]) -> Iterator[tuple[Tool, Json]]:
    """Every reading tool, asked in the ways that its parameters allow."""
    values: dict[str, list[Any]] = {
        "query": ["bread", "zebra", *NAMES, ids[0]],
        "topic": ["bread"],
        "q": ["bread"],
        "id": ids,
        "memoId": memos,
        "path": ["alpha", "private/beta.md"],
        "source_url": ["https://x.org/t"],
        "since": ["2001-01-01T00:00:00Z"],
    }
    for tool in dialect.tools:
        if tool.writes or tool.name in BY_SCORE:
            continue
        names = {parameter.name for parameter in tool.parameters}
        wide: Json = {"limit": 50, "top_k": 200} if "top_k" in names else {"limit": 20} if "limit" in names else {}
        wide = {name: value for name, value in wide.items() if name in names}
        required = [parameter.name for parameter in tool.parameters if parameter.required]
        asked = required or [name for name in ("id", "path") if name in names][:1]
        options: list[Json] = [wide]
        for name in asked:
            options = [{**option, name: value} for option in options for value in values.get(name, [])]
        for option in options:
            yield tool, option
            if "library" in names:
                yield tool, {**option, "library": "one"}
            if "explain" in names:
                yield tool, {**option, "explain": True}
            if "mode" in names:
                for mode in ("fulltext", "keyword", "semantic", "graph", "substring"):
                    yield tool, {**option, "mode": mode}
            for name, value in (("tags", ["t"]), ("path_prefix", "private"), ("author", "ada")):
                if name in names and tool.name != "search_memos":
                    yield tool, {**option, name: value}


def answered(ask: Callable[[], Any]) -> Any:
    try:
        return comparable(ask())
    except TrilithError as failure:
        return {"error": failure.code, "message": failure.message, **comparable(dict(failure.details))}


def comparable(answer: Any) -> Any:
    """An answer without what may differ: scores, and the order of hits and other lists."""
    if isinstance(answer, dict):
        return {name: comparable(value) for name, value in answer.items() if name not in SCORES and name != "root"}
    if isinstance(answer, list):
        return sorted((comparable(each) for each in answer), key=repr)
    return answer


def memos_of(app: App) -> list[str]:
    """The memo ids of all notes there are."""
    mythos = DIALECTS["mythos"]
    index = mythos.call(app, Principal(), mythos.tool("get_memo_index"), {"limit": 100})
    return [memo["memoId"] for memo in index["memos"]]


def rest(app: App, caller: Principal, ids: list[str]) -> Iterator[tuple[str, Any]]:
    answers = Answers(app, caller)
    everything = Narrowing()
    for mode in ("hybrid", "fulltext", "semantic"):
        for query in ("bread", "zebra", "alpha"):
            yield (
                f"search {mode} {query}",
                answered(lambda m=mode, q=query: answers.search(q, m, 50, everything, explain=True)),
            )  # type: ignore[misc]
    yield "page", answered(lambda: answers.page(everything, 50, 0))
    yield "tags", answered(lambda: answers.tags(None))
    yield "status", answered(answers.status)
    for note_id in ids:
        yield f"read {note_id}", answered(lambda i=note_id: answers.read(i, None))  # type: ignore[misc]
        yield f"related {note_id}", answered(lambda i=note_id: answers.related(i))  # type: ignore[misc]


CALLERS = [Principal(name, is_owner=False, rights=frozenset(Right)) for name in (*USERS, "")]


@settings(
    max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(worlds(), st.sampled_from(CALLERS))
def test_what_may_not_be_seen_is_not_there(world: World, caller: Principal) -> None:
    with (
        tempfile.TemporaryDirectory() as temporary,
        mock.patch.object(wiring, "embedder_of", return_value=HashEmbedder()),
        served(world, Path(temporary) / "all") as whole,
        served(world.seen_by(caller), Path(temporary) / "seen") as part,
    ):
        everybody = whole.gate.filter(Principal())
        ids = [note.id or "" for note in world.notes if note.id][:3] or [IDS[0]]
        assert everybody.scopes
        for dialect in DIALECTS.values():
            for tool, given_arguments in questions(dialect, ids, memos_of(whole)):
                both = [
                    answered(lambda app=app: dialect.call(app, caller, tool, given_arguments))  # type: ignore[misc]  # noqa: B023
                    for app in (whole, part)
                ]
                assert both[0] == both[1], f"{tool.name} {given_arguments}"
        for (question, first), (_, second) in zip(rest(whole, caller, ids), rest(part, caller, ids), strict=True):
            assert first == second, question
