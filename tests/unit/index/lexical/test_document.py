from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.unit.index.lexical.notes import note

from trilith.index.lexical.document import document, mark, microseconds, tag_key, with_ancestors
from trilith.index.lexical.schema import build_schema
from trilith.language.words import terms
from trilith.ports.items import FullTextItem


def fields(item: FullTextItem) -> dict[str, list[object]]:
    return document(item, build_schema()).to_dict()


def test_short_texts_are_grouped_and_kept_apart_by_a_break() -> None:
    found = fields(
        note(1, title="Event Loop", aliases=("The loop",), headings=("Set up",), tags=("py/io",), summary="Runs")
    )
    assert found["name"] == ["event loop _ the loop"]
    assert found["title"] == ["event loop"]
    assert found["about"] == ["set up _ runs _ py io"]
    assert found["about_stems"] == ["set up runs"]


def test_parts_follow_the_words_and_pairs_the_parts() -> None:
    found = fields(note(1, "call getUserName, read_file 系统"))
    assert found["body"] == ["call getusername read_file 系 统 _ get user name _ read file _ 系统"]
    assert found["body_stems"] == ["call getusername read_file get user name read file"]


def test_filters_have_raw_fields() -> None:
    found = fields(note(1, tags=("A/b",), path="Dir/Sub/N.md", author=" Ada ", para=("site",), collaborators=("bob",)))
    assert found["tag"] == ["a", "a/b"]
    assert found["folder"] == ["dir", "dir/sub", "dir/sub/n.md"]
    assert (found["author"], found["para"], found["collaborator"]) == (["ada"], ["site"], ["bob"])
    assert found["path"] == ["dir sub n"]


def test_of_a_dismissed_note_nothing_is_kept_to_be_found() -> None:
    assert set(fields(note(1, "body", status="dismissed", title="t"))) == {"num", "checksum", "kind"}


def test_half_characters_do_no_harm() -> None:
    found = fields(note(1, "a \ud800 b", title="\udfff", tags=("x\ud800",), author="\ud800", collaborators=("\ud800",)))
    assert found["body"] == ["a b"]


def test_the_mark_holds_the_sequence() -> None:
    assert mark(7, build_schema()).to_dict() == {"kind": ["mark"], "sequence": [7]}


@pytest.mark.parametrize(("tag", "key"), [("#A/B/", "a/b"), (" x ", "x"), ("Café", "café"), ("CAFE\u0301", "café")])
def test_tag_keys(tag: str, key: str) -> None:
    assert tag_key(tag) == key


def test_ancestors_and_moments() -> None:
    assert with_ancestors("a/b/c") == ["a", "a/b", "a/b/c"]
    assert microseconds(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC)) == 1_000_005
    assert microseconds(datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)) == -1_000_000


@pytest.mark.parametrize(
    "body", ["word " * 500, "x" * 2_500, "a\n" * 1_500, f"{'word ' * 399}getUser_name and c++ " * 3, ""]
)
def test_a_long_body_is_taken_apart_once_and_stays_what_it_is(body: str) -> None:
    whole = terms(body)
    found = fields(note(1, body)).get("body", [""])
    assert (
        " ".join(map(str, found)).split() == " _ ".join(filter(None, (whole.words, whole.parts, whole.pairs))).split()
    )


def test_the_language_is_that_of_the_beginning() -> None:
    german = "Das ist ein Text und der ist nicht von dem, der ihn liest. "
    assert fields(note(1, german * 30 + "This is the English text that was there. " * 90))["language"] == ["german"]
    assert fields(note(1, "This is the English text that was there. " * 50 + german * 90)).get("language") in (
        None,
        [""],
    )
