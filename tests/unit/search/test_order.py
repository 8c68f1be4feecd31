"""The order of hits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Metadata
from trilith.ports.catalog import Named, NameKind
from trilith.search.order import contenders, named_first, settle

NOW = datetime(2026, 3, 18, tzinfo=UTC)


def entry(num: int, *, age_days: int = 0, note_id: str = "") -> Entry:
    moment = NOW - timedelta(days=age_days)
    return Entry(
        num=Num(num),
        id=NoteId(note_id or f"{num:08d}-0000-4000-8000-000000000000"),
        library="l",
        path=f"{num}.md",
        checksum="",
        size=0,
        metadata=Metadata(title=str(num)),
        created_at=moment,
        updated_at=moment,
    )


def test_names_are_ordered_title_alias_slug_id_and_each_note_comes_once() -> None:
    named = [
        Named(Num(1), NameKind.STEM),
        Named(Num(2), NameKind.ALIAS),
        Named(Num(3), NameKind.TITLE),
        Named(Num(3), NameKind.STEM),
        Named(Num(4), NameKind.ID),
    ]
    assert named_first(named) == [3, 2, 1, 4]


def test_a_path_that_equals_the_query_is_no_exact_name() -> None:
    assert named_first([Named(Num(1), NameKind.PATH), Named(Num(2), NameKind.SUFFIX)]) == []


def test_contenders_keep_every_tie_at_the_edge() -> None:
    scores = {Num(1): 0.5, Num(2): 0.4, Num(3): 0.4, Num(4): 0.3}
    assert sorted(contenders(scores, 2)) == [1, 2, 3]
    assert contenders(scores, 9) == [1, 2, 3, 4]


def test_ties_break_on_the_newest_then_on_the_least_id() -> None:
    entries = {
        Num(1): entry(1, age_days=3),
        Num(2): entry(2, age_days=1, note_id="b" * 8 + "-0000-4000-8000-000000000000"),
        Num(3): entry(3, age_days=1, note_id="a" * 8 + "-0000-4000-8000-000000000000"),
    }
    assert settle(dict.fromkeys(entries, 1.0), entries, [], 3) == [3, 2, 1]


def test_exact_names_come_before_any_score_even_without_one() -> None:
    entries = {Num(1): entry(1), Num(2): entry(2)}
    assert settle({Num(1): 9.0}, entries, [Num(2)], 2) == [2, 1]
