"""Moving notes when others write too, when a part fails, and when a process is killed at any step: on a vault in memory, a
real catalog and a real ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import HashEmbedder, ListedVault

from trilith.clock import SystemClock
from trilith.errors import PathForbidden, ReadOnly, SlugCollision, Unavailable, VersionConflict
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.home.locks import FileLocks
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.markdown.parse import parse_note
from trilith.model.change import MoveResult, Revision
from trilith.model.note import Entry, Note
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter
from trilith.notes import records
from trilith.notes.mover import Mover
from trilith.notes.records import Records
from trilith.ports.catalog import ScanState
from trilith.ports.items import Changes
from trilith.ports.vault import RawFile, Walk
from trilith.sync.feed import Feeder
from trilith.sync.indexer import Indexer
from trilith.sync.scan import Scanner
from trilith.vault.folder import FolderVault

NOTES = Library(name="notes", root="/listed")
ALL = Filter(scopes=(Scope(library="notes"),))
ANN = Revision(agent="ann")

FILES = {
    "d/old.md": "# Old\n\nNext to [it](near.md), not [[old#here]].\n",
    "d/near.md": "See [t](old.md#h) and [[d/old]].\n",
    "a.md": "One [[old|x]], two ![[old]], but [[new]].\n",
    "b.md": "---\nup: '[[old]]'\n---\nNothing.\n",
    "x/new.md": "Another.\n",
}
MOVED = {
    "new.md": "# Old\n\nNext to [it](d/near.md), not [[new#here]].\n",
    "d/near.md": "See [t](../new.md#h) and [[new]].\n",
    "a.md": "One [[new|x]], two ![[new]], but [[x/new]].\n",
    "b.md": "---\nup: '[[new]]'\n---\nNothing.\n",
    "x/new.md": "Another.\n",
}
"""After `d/old.md` has become `new.md`, a name that others answer to as well."""


class Killed(BaseException):
    """As far as the code goes, the end of the process."""


class Quiet:
    """A view that takes everything over and knows nothing."""

    def __init__(self) -> None:
        self.at = 0

    def applied(self, library: str) -> int:
        return self.at

    def apply(self, library: str, changes: Changes[Any]) -> None:
        self.at = changes.upto

    def fingerprints(self, library: str) -> dict[Any, str]:
        return {}

    def clear(self, library: str) -> None:
        self.at = 0


class Step:
    """A part before whose every call the process may die."""

    def __init__(self, part: object, step: Callable[[], None], methods: frozenset[str]) -> None:
        self._part, self._step, self._methods = part, step, methods

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if name not in self._methods:
            return found

        def call(*arguments: Any, **keywords: Any) -> Any:
            self._step()
            return found(*arguments, **keywords)

        return call


VAULT = frozenset({"walk", "read", "move", "replace", "remove"})
LEDGER = frozenset({"put_move", "remove_move", "give_ids", "set_outside_changes"})
CATALOG = frozenset({"record"})


@dataclass
class Desk:
    vault: Any
    records: Records
    mover: Mover

    def entry(self, path: str = "d/old.md") -> Entry:
        self.refresh()
        found = self.records.catalog.by_path(path, ALL)
        assert found is not None
        return found

    def refresh(self) -> None:
        self.records.indexer.refresh(NOTES)

    def move(self, entry: Entry, to: str = "new.md", library: Library = NOTES, **believed: Any) -> MoveResult:
        return self.mover.move(library, ALL, entry, to, Revision(agent="ann", **believed))

    def texts(self) -> dict[str, str]:
        return {path: data.decode() for path, data in self.vault.files.items()}

    def led(self) -> dict[str, list[str | None]]:
        """The ids that the links of each note lead to, by the note's id."""
        catalog = self.records.catalog
        assert isinstance(catalog, SqliteCatalog)
        entries = [catalog.by_path(path, ALL) for path in catalog.known_files("notes")]
        found: dict[str, list[str | None]] = {}
        for entry in entries:
            assert entry is not None
            targets = [link.target for link in SqlGraph(catalog).outgoing(entry.num, ALL)]
            known = catalog.entries([target for target in targets if target is not None])
            found[entry.id] = [None if target is None else known[target].id for target in targets]
        return found

    def versions(self) -> dict[str, int]:
        found = (self.records.catalog.by_path(path, ALL) for path in self.records.catalog.known_files("notes"))
        return {entry.path: entry.metadata.version for entry in found if entry is not None}


@contextmanager
def opened(home: Path, vault: Any, step: Callable[[], None] | None = None) -> Iterator[Desk]:
    """What one process has; `step` is called at each step of a change."""
    embedder = HashEmbedder()
    whole = SqliteCatalog(home / "catalog.db")
    file = LedgerFile(home / "ledger.db")
    catalog: Any = whole if step is None else Step(whole, step, CATALOG)
    ledger: Any = SqliteLedger(file) if step is None else Step(SqliteLedger(file), step, LEDGER)
    used = vault if step is None else Step(vault, step, VAULT)
    (home / "locks").mkdir(exist_ok=True)
    locks, clock = FileLocks(home / "locks"), SystemClock()

    def parse(path: str, raw: RawFile) -> Note:
        return parse_note(path, raw.data, count_tokens=embedder.tokens.count, window=embedder.tokens.window)

    scanner = Scanner(catalog, ledger, locks, clock, parse, "1")
    feeder = Feeder(catalog, locks, Quiet(), Quiet(), Quiet(), embedder)

    def finish(library: Library) -> None:
        mover.finish(library)

    indexer = Indexer(scanner, feeder, lambda _: used, finish)
    records = Records(
        catalog=catalog,
        ledger=ledger,
        locks=locks,
        clock=clock,
        parse=parse,
        indexer=indexer,
        vault=lambda _: used,
        nudge=lambda: None,
        fault=lambda: None,
    )
    mover = Mover(records, lambda key: str(home / "trash" / key))
    try:
        yield Desk(vault, records, mover)
    finally:
        whole.close()
        file.close()


def listed() -> ListedVault:
    return ListedVault({path: text.encode() for path, text in FILES.items()})


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened(tmp_path, listed()) as desk:
        yield desk


def test_every_link_follows_and_leads_where_it_led(desk: Desk) -> None:
    entry, led = desk.entry(), {}
    led = desk.led()
    result = desk.move(entry)
    assert desk.texts() == MOVED
    assert (result.was, result.entry.path, result.entry.id) == ("d/old.md", "new.md", entry.id)
    assert (result.links, result.notes, result.failed, result.warnings) == (8, 4, (), ())
    assert desk.led() == led
    assert desk.records.ledger.moves("notes") == ()
    desk.refresh()
    assert desk.led() == led


def test_a_file_whose_links_were_rewritten_is_at_a_new_version_and_no_other(desk: Desk) -> None:
    entry = desk.entry()
    others = {path: desk.entry(path) for path in ("a.md", "x/new.md")}
    result = desk.move(entry)
    assert result.entry.metadata.version == 2, "its own links were rewritten, too"
    assert desk.versions() == {"new.md": 2, "d/near.md": 2, "a.md": 2, "b.md": 2, "x/new.md": 1}
    with pytest.raises(VersionConflict):
        desk.move(others["a.md"], "z.md", expected_version=1)
    back = desk.move(others["x/new.md"], "y.md", expected_version=1)
    assert back.entry.metadata.version == 1
    desk.refresh()
    assert desk.versions() == {"new.md": 2, "d/near.md": 2, "a.md": 3, "b.md": 2, "y.md": 1}


def test_there_and_back_is_where_it_was(desk: Desk) -> None:
    entry = desk.entry()
    for there in ("e/deep/old.md", "e", "d/Other Name.md"):
        moved = desk.move(entry, there)
        desk.move(moved.entry, "d/old.md")
        assert desk.texts() == FILES, there


def test_the_top_of_the_vault_is_a_folder(desk: Desk) -> None:
    assert desk.move(desk.entry(), "/").entry.path == "old.md"
    assert desk.move(desk.entry("d/near.md"), ".").entry.path == "near.md"
    assert desk.texts()["near.md"] == "See [t](old.md#h) and [[old]].\n"


def test_nothing_moves_to_where_it_is(desk: Desk) -> None:
    entry = desk.entry()
    for same in ("d", "d/", "d/old.md", "./d/old.md"):
        result = desk.move(entry, same)
        assert (result.was, result.entry.path, result.links, result.notes) == ("d/old.md", "d/old.md", 0, 0)
    assert desk.texts() == FILES


def test_a_change_of_case_alone(desk: Desk) -> None:
    assert desk.move(desk.entry(), "d/OLD.md").entry.path == "d/OLD.md"
    texts = desk.texts()
    assert texts["a.md"] == "One [[OLD|x]], two ![[OLD]], but [[new]].\n"
    assert texts["d/near.md"] == "See [t](OLD.md#h) and [[d/OLD]].\n"


@pytest.mark.parametrize(
    ("to", "refusal"),
    [
        ("x/new.md", SlugCollision),
        ("X/NEW.md", SlugCollision),
        ("a.md", SlugCollision),
        ("A.MD", SlugCollision),
        ("a.md/below.md", SlugCollision),
        ("../out.md", PathForbidden),
        ("..", PathForbidden),
        ("/etc/x.md", PathForbidden),
        (".hidden", PathForbidden),
        ("d/.old.md", PathForbidden),
        ("e/x.md.tmp/y.md", PathForbidden),
        ("protected/deep", ReadOnly),
        ("closed/x.md", PathForbidden),
    ],
)
def test_what_is_refused_leaves_no_trace(desk: Desk, to: str, refusal: type[Exception]) -> None:
    entry = desk.entry()
    rules = Library(name="notes", root="/listed", hidden=("closed",), protected=("protected",))
    with pytest.raises(refusal):
        desk.move(entry, to, rules)
    assert desk.texts() == FILES
    assert desk.records.ledger.moves("notes") == ()


@pytest.mark.parametrize("folder", ["d", "D"])
def test_nothing_leaves_a_protected_or_hidden_folder(desk: Desk, folder: str) -> None:
    entry = desk.entry()
    for library, refusal in (
        (Library(name="notes", root="/listed", protected=(folder,)), ReadOnly),
        (Library(name="notes", root="/listed", hidden=(folder,)), PathForbidden),
        (Library(name="notes", root="/listed", read_only=True), ReadOnly),
    ):
        with pytest.raises(refusal):
            desk.move(entry, "new.md", library)
    assert desk.texts() == FILES
    assert desk.records.ledger.moves("notes") == ()


def test_what_is_in_the_way_is_named(desk: Desk) -> None:
    entry, there = desk.entry(), desk.entry("x/new.md")
    with pytest.raises(SlugCollision) as collision:
        desk.move(entry, "x/new.md")
    assert collision.value.details["existing"] == {"id": there.id, "path": "x/new.md", "version": 1}


def test_files_that_cannot_be_rewritten_stay_and_are_named(desk: Desk) -> None:
    odd = {
        "latin.md": b"caf\xe9 [[old]]\n",
        "broken.md": b"---\nup: [[old\nx: 'y\n---\n[[old]]\n",
        "open.md": b"---\ntitle: x\n\nno end [[old]]\n",
        "protected/p.md": b"[[old]]\n",
        "closed/c.md": b"[[old]]\n",
    }
    desk.vault.files |= odd
    rules = Library(name="notes", root="/listed", hidden=("closed",), protected=("protected",))
    entry = desk.entry()
    filter = Filter(scopes=(Scope(library="notes", denied=("closed",)),))
    result = desk.mover.move(rules, filter, entry, "new.md", ANN)
    assert {each.path: each.id for each in result.failed} == {
        path: desk.entry(path).id for path in odd if path != "closed/c.md"
    }
    reasons = {each.path: each.reason for each in result.failed}
    assert "UTF-8" in reasons["latin.md"]
    assert "frontmatter" in reasons["broken.md"]
    assert "frontmatter" in reasons["open.md"]
    assert "may only be read" in reasons["protected/p.md"]
    assert (result.links, result.notes) == (8, 4)
    assert {path: desk.vault.files[path] for path in odd} == odd
    assert {path: data.decode() for path, data in desk.vault.files.items() if path not in odd} == MOVED
    assert desk.records.ledger.moves("notes") == ()


def test_a_link_that_nothing_can_be_written_for_stays_and_is_named(desk: Desk) -> None:
    result = desk.move(desk.entry(), "a#b.md")
    assert [(each.path, each.reason) for each in result.failed] == [
        ("b.md", "nothing that leads there can be written in place of its link to 'old'")
    ]
    assert desk.texts()["b.md"] == FILES["b.md"]
    assert desk.texts()["d/near.md"] == "See [t](../a%23b.md#h) and [a\\#b](../a%23b.md).\n"


def test_a_link_that_another_file_answers_to_first_is_named(desk: Desk) -> None:
    """A note `new.js.md` cannot be told from a file `new.js` by any link."""
    desk.vault.files["new.js"] = b"code"
    result = desk.move(desk.entry(), "new.js.md")
    reason = "its link to 'new.js' leads elsewhere now: another note or file has that name"
    assert {each.path: each.reason for each in result.failed}["b.md"] == reason


def test_a_note_that_nobody_has_read_yet_is_known_to_link(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.files["fresh.md"] = b"[[old]]\n"
    desk.vault.files["a.md"] = b"Now [[d/old]] alone.\n"
    assert desk.move(entry).failed == ()
    assert desk.texts()["fresh.md"] == "[[new]]\n"
    assert desk.texts()["a.md"] == "Now [[new]] alone.\n"


def test_nothing_moves_before_all_notes_have_been_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = desk.entry()
    desk.records.catalog.record_scan("notes", ScanState(), frozenset())
    monkeypatch.setattr(records, "PATIENCE", 0.1)
    with desk.records.locks.scanning("notes"), pytest.raises(Unavailable, match="are still being read"):
        desk.move(entry)
    assert desk.texts() == FILES
    assert desk.move(entry).entry.path == "new.md"


def test_a_belief_is_checked(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.files["d/old.md"] += b"more\n"
    with pytest.raises(VersionConflict) as conflict:
        desk.move(entry, expected_version=1)
    assert conflict.value.details["current_version"] == 2
    assert desk.move(entry, expected_version=2).entry.path == "new.md"


def test_an_edit_in_the_same_moment_is_kept_and_its_links_follow(desk: Desk) -> None:
    class Hasty(ListedVault):
        def replace(self, path: str, data: bytes, expected: str) -> RawFile:
            if path == "a.md" and b"quicker" not in self.files[path]:
                self.files[path] = b"quicker: " + self.files[path]
            return super().replace(path, data, expected)

    desk.vault.__class__ = Hasty
    assert desk.move(desk.entry()).failed == ()
    assert desk.texts()["a.md"].startswith("quicker: One [[new|x]], two ![[new]]")


def test_a_full_disk_is_told_of_and_made_up_for(desk: Desk) -> None:
    class Full(ListedVault):
        def replace(self, path: str, data: bytes, expected: str) -> RawFile:
            if path in ("a.md", "b.md"):
                raise Unavailable("The disk is full.")
            return super().replace(path, data, expected)

    entry = desk.entry()
    desk.vault.__class__ = Full
    result = desk.move(entry)
    assert [(each.path, each.reason) for each in result.failed] == [
        (path, "The disk is full. It is tried again later.") for path in ("a.md", "b.md")
    ]
    assert desk.texts() == MOVED | {path: FILES[path] for path in ("a.md", "b.md")}
    desk.vault.__class__ = ListedVault
    desk.refresh()
    assert desk.texts() == MOVED
    assert desk.records.ledger.moves("notes") == ()


def test_an_index_that_fails_after_the_move_says_that_it_is_done(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, led = desk.entry(), desk.led()

    def full(self: SqliteCatalog, library: str, batch: object) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(SqliteCatalog, "record", full)
    with pytest.raises(Unavailable, match=r"'d/old\.md' has moved to 'new\.md'.* The disk is full\."):
        desk.move(entry)
    monkeypatch.undo()
    desk.refresh()
    assert desk.texts() == MOVED
    assert desk.led() == led


def test_a_scan_that_began_before_takes_nothing_for_gone(desk: Desk) -> None:
    """What it remembers of the note is where that was; by the time it drops what is gone, the note is elsewhere."""
    entry, vault = desk.entry(), desk.vault

    class Moving(ListedVault):
        def walk(self) -> Walk:
            del self.files["d/old.md"]
            self.files["new.md"] = b"Rewritten.\n"
            self.__class__ = ListedVault
            desk.records.put_elsewhere(NOTES, entry.num, entry.id, "new.md", self.read("new.md"))
            return self.walk()

    vault.__class__ = Moving
    desk.refresh()
    found = desk.records.catalog.by_id(entry.id, ALL)
    assert found is not None
    assert (found.num, found.path) == (entry.num, "new.md")


# --- killed at any step


def test_a_kill_at_any_step_is_made_up_for_by_the_next_look(tmp_path: Path) -> None:
    """Before the file has moved nothing is done; after it everything is, once, with ids, links and versions."""
    ends = set()
    for fatal in count(1):
        home = tmp_path / str(fatal)
        home.mkdir()
        vault, left = listed(), [fatal]

        def step(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise Killed

        with opened(home, vault) as desk:
            entry, led = desk.entry(), desk.led()
        try:
            with opened(home, vault, step) as dying:
                dying.move(entry)
        except Killed:
            pass
        else:
            break
        began = {path: text.decode() for path, text in vault.files.items()}
        with opened(home, vault) as desk:
            desk.refresh()
            after = desk.texts()
            assert after == (MOVED if "new.md" in began else FILES), fatal
            assert desk.records.ledger.moves("notes") == ()
            assert desk.led() == led, fatal
            changed = {path for path, version in desk.versions().items() if version > 1}
            assert changed == (after.keys() - {"x/new.md"} if after == MOVED else set()), fatal
            known = desk.entry("new.md" if after == MOVED else "d/old.md")
            assert (known.id, known.num) == (entry.id, entry.num)
            ends.add(after == MOVED)
            again = desk.move(known, "elsewhere/z.md")
            assert again.entry.id == entry.id
    assert ends == {True, False}
    assert fatal > 20


def test_an_id_that_no_file_holds_outlives_a_kill_and_the_index(tmp_path: Path) -> None:
    vault = listed()
    with opened(tmp_path, vault) as desk:
        entry = desk.entry()
        first = desk.move(entry, "x/between.md").entry

    def step() -> None:
        if "new.md" in vault.files:
            raise Killed

    with pytest.raises(Killed), opened(tmp_path, vault, step) as dying:
        dying.move(first)
    for path in tmp_path.glob("catalog.db*"):
        path.unlink()
    with opened(tmp_path, vault) as desk:
        assert desk.entry("new.md").id == entry.id
        assert desk.texts()["a.md"] == MOVED["a.md"]


def test_what_a_person_has_edited_since_the_kill_is_kept(tmp_path: Path) -> None:
    vault = listed()

    def step() -> None:
        if "new.md" in vault.files:
            raise Killed

    with opened(tmp_path, vault) as desk:
        entry = desk.entry()
    with pytest.raises(Killed), opened(tmp_path, vault, step) as dying:
        dying.move(entry)
    vault.files["a.md"] = vault.files["a.md"].replace(b"One", b"Uno")
    del vault.files["b.md"]
    with opened(tmp_path, vault) as desk:
        desk.refresh()
        texts = desk.texts()
    # That `[[new]]` may have been rewritten already, as far as anybody can tell: it stays.
    assert texts["a.md"] == "Uno [[new|x]], two ![[new]], but [[new]].\n"
    assert texts["d/near.md"] == MOVED["d/near.md"]
    assert "b.md" not in texts


def test_what_was_written_since_for_another_note_of_that_name_is_kept(tmp_path: Path) -> None:
    vault = listed()

    def step() -> None:
        if "new.md" in vault.files:
            raise Killed

    with opened(tmp_path, vault) as desk:
        entry = desk.entry()
    with pytest.raises(Killed), opened(tmp_path, vault, step) as dying:
        dying.move(entry)
    vault.files["d/old.md"] = b"Made since.\n"
    vault.files["a.md"] = b"Means what was made since: [[old]].\n"
    with opened(tmp_path, vault) as desk:
        desk.refresh()
        assert desk.entry("new.md").id == entry.id
        texts = desk.texts()
    assert texts["a.md"] == "Means what was made since: [[old]].\n"
    assert texts["b.md"] == MOVED["b.md"]


def test_a_move_that_a_person_has_taken_back_is_left_alone(tmp_path: Path) -> None:
    vault = listed()

    def step() -> None:
        if "new.md" in vault.files:
            raise Killed

    with opened(tmp_path, vault) as desk:
        entry = desk.entry()
    with pytest.raises(Killed), opened(tmp_path, vault, step) as dying:
        dying.move(entry)
    vault.files["d/old.md"] = vault.files.pop("new.md")
    with opened(tmp_path, vault) as desk:
        assert desk.entry().id == entry.id
        assert desk.texts() == FILES
        assert desk.records.ledger.moves("notes") == ()


def test_a_process_that_only_reads_carries_nothing_on(tmp_path: Path) -> None:
    vault = listed()

    def step() -> None:
        if "new.md" in vault.files:
            raise Killed

    with opened(tmp_path, vault) as desk:
        entry = desk.entry()
    with pytest.raises(Killed), opened(tmp_path, vault, step) as dying:
        dying.move(entry)
    before = dict(vault.files)
    with opened(tmp_path, vault) as desk:
        desk.records.indexer.refresh(Library(name="notes", root="/listed", read_only=True))
        assert vault.files == before
        with desk.records.locks.editing("notes", 0) as mine:
            assert mine
            desk.refresh()
        assert vault.files == before, "somebody else is at it"
        desk.refresh()
        assert desk.texts() == MOVED


def test_a_rename_that_was_killed_half_way_leaves_one_file(tmp_path: Path) -> None:
    """Where a rename takes two steps, the file has both names for a moment."""
    root = tmp_path / "vault"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())

    class Dying(FolderVault):
        def move(self, path: str, to: str, expected: str) -> RawFile:
            (root / to).hardlink_to(root / path)
            raise Killed

    with opened(tmp_path, FolderVault(str(root))) as desk:
        entry = desk.entry()
    with pytest.raises(Killed), opened(tmp_path, Dying(str(root))) as dying:
        dying.move(entry)
    with opened(tmp_path, FolderVault(str(root))) as desk:
        assert desk.entry("new.md").id == entry.id
    assert {str(p.relative_to(root)): p.read_text("utf-8") for p in root.rglob("*.md")} == MOVED
