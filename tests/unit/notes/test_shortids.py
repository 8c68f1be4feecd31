"""Short ids: six digits of a digest, more where that is not enough."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.unit.index.building import drop, put, recorded, seen_by, whole

from trilith.errors import Ambiguous, NotFound
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.model.ids import NoteId
from trilith.model.note import Visibility
from trilith.model.principal import Library
from trilith.model.shortid import ShortId, digest_of, parse_short
from trilith.notes.shortids import ShortIds
from trilith.ports.catalog import Gone

LIBRARIES = (Library(name="lib", root="/lib", owner="ada-lovelace"), Library(name="other", root="/other", owner="bob"))


def alike() -> tuple[NoteId, NoteId]:
    """Two ids whose digests begin with the same six digits: among 30,000 there are some."""
    seen: dict[str, NoteId] = defaultdict(lambda: NoteId(""))
    for number in count():
        note_id = NoteId(f"00000000-0000-4000-8000-{number:012}")
        start = hashlib.sha256(note_id.encode()).hexdigest()[:6]
        if seen[start]:
            return seen[start], note_id
        seen[start] = note_id
    raise AssertionError


OLD, NEW = alike()


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    opened = SqliteCatalog(tmp_path / "catalog.db")
    yield opened
    opened.close()


@pytest.fixture
def ids(catalog: SqliteCatalog) -> ShortIds:
    return ShortIds(catalog, lambda: LIBRARIES)


def short(catalog: SqliteCatalog, ids: ShortIds, path: str) -> str:
    entry = catalog.by_path(path, whole("lib", "other"))
    assert entry is not None
    return str(ids.of([entry])[entry.num])


def test_an_id_is_the_owner_and_the_start_of_a_digest(catalog: SqliteCatalog, ids: ShortIds) -> None:
    put(catalog, recorded("a.md", note_id=OLD))
    assert short(catalog, ids, "a.md") == f"ada-lovelace-{hashlib.sha256(OLD.encode()).hexdigest()[:6]}"
    assert ids.find(f" {short(catalog, ids, 'a.md')}", whole()).path == "a.md"
    assert ids.find(OLD.upper(), whole()).path == "a.md"


def test_of_two_that_begin_alike_the_older_keeps_six_digits(catalog: SqliteCatalog, ids: ShortIds) -> None:
    put(catalog, recorded("new.md", note_id=NEW, day=2), recorded("old.md", note_id=OLD, day=1))
    older, newer = short(catalog, ids, "old.md"), short(catalog, ids, "new.md")
    assert older == f"ada-lovelace-{digest_of(OLD)[:6]}"
    assert len(newer) > len(older)
    assert newer.startswith(older)
    assert (ids.find(older, whole()).path, ids.find(newer, whole()).path) == ("old.md", "new.md")


def test_an_id_once_given_goes_on_to_lead_to_its_note(catalog: SqliteCatalog, ids: ShortIds) -> None:
    nums = put(catalog, recorded("new.md", note_id=NEW, day=2), recorded("old.md", note_id=OLD, day=1))
    newer = short(catalog, ids, "new.md")
    drop(catalog, nums["old.md"])
    assert ids.find(newer, whole()).path == "new.md"
    gone = Gone(OLD, "lib")
    assert len(ids.of_gone([gone])[gone].hex) > 6


def test_notes_of_two_owners_do_not_get_into_each_others_way(catalog: SqliteCatalog, ids: ShortIds) -> None:
    put(catalog, recorded("old.md", note_id=OLD, day=1))
    put(catalog, recorded("new.md", note_id=NEW, day=2), library="other")
    assert short(catalog, ids, "new.md") == f"bob-{digest_of(NEW)[:6]}"


def test_what_nobody_has_and_what_is_not_for_this_caller_are_the_same_not_found(
    catalog: SqliteCatalog, ids: ShortIds
) -> None:
    put(catalog, recorded("a.md", note_id=OLD), recorded("p.md", visibility=Visibility.PUBLIC))
    known = short(catalog, ids, "a.md")
    for text in ("ada-lovelace-000000", known, OLD, f"bob-{known[-6:]}", "nonsense", "", "-abcdef"):
        with pytest.raises(NotFound):
            ids.find(text, seen_by("bob"))
    assert ids.find(short(catalog, ids, "p.md"), seen_by("bob")).path == "p.md"


def test_a_note_for_those_who_have_its_link_has_no_id_that_could_be_guessed(
    catalog: SqliteCatalog, ids: ShortIds
) -> None:
    put(catalog, recorded("l.md", note_id=OLD, visibility=Visibility.LINK, collaborators=("bob",)))
    known = short(catalog, ids, "l.md")
    assert ids.find(OLD, seen_by("eve")).path == "l.md"
    with pytest.raises(NotFound):
        ids.find(known, seen_by("eve"))
    assert ids.find(known, seen_by("bob")).path == "l.md"


def test_digits_that_two_notes_have_had_are_not_guessed(catalog: SqliteCatalog, ids: ShortIds) -> None:
    """Between the six of the older and the many of the newer there are digits that both begin with."""
    put(catalog, recorded("old.md", note_id=OLD, day=1), recorded("new.md", note_id=NEW, day=2))
    old, new = digest_of(OLD), digest_of(NEW)
    same = next(n for n in range(64) if old[n] != new[n])
    if same > 6:
        with pytest.raises(Ambiguous):
            ids.find(f"ada-lovelace-{old[:same]}", whole())
    assert ids.find(f"ada-lovelace-{old[: same + 1]}", whole()).path == "old.md"


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a-b-abcdef", ShortId("a-b", "abcdef")),
        ("z\u00f6-0123456789", ShortId("z\u00f6", "0123456789")),
        ("a-abcde", None),
        ("a-ABCDEF", None),
        ("abcdef", None),
    ],
)
def test_how_a_short_id_is_written(text: str, parsed: ShortId | None) -> None:
    assert parse_short(text) == parsed
