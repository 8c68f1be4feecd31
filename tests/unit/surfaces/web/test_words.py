"""Lines of text as a card shows them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from trilith.model.explanation import BestChunk, Calibration, Contribution, Explanation, Term
from trilith.model.hits import Diagnostics, EngineState, Outcome
from trilith.surfaces.web.views.asked import Asked
from trilith.surfaces.web.views.facets import facets
from trilith.surfaces.web.views.marked import Piece, marked
from trilith.surfaces.web.views.readable import readable
from trilith.surfaces.web.views.reasons import reasons
from trilith.surfaces.web.views.results import found, notices, ordinal


def test_marked_pieces_are_the_text() -> None:
    text = "Ovens <b>fault</b>, an oven's faults"
    pieces = marked(text, ("oven", "fault"))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.text for piece in pieces if piece.hit][:2] == ["Ovens", "fault"]
    assert marked(text, ()) == (Piece(text),)
    assert marked("", ("oven",)) == ()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("## Codes - `E-04`: see [[Oven fault|the fault]] and [[Deck]]", "Codes - E-04: see the fault and Deck"),
        ("**Dry** ==before== [wet](a%20b.md) ![[x.png]]", "Dry before wet"),
        ("a Vec<T> and `a[0]` * b", "a Vec<T> and a[0] * b"),
        ("- [x] done # no heading", "done no heading"),
        ("*Bake* it *until dark*, 2*3*4 * 5, and *", "Bake it until dark, 2*3*4 * 5, and *"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
def test_markup_is_not_shown(written: str, read: str) -> None:
    assert readable(written) == read


def test_a_title_is_not_said_twice() -> None:
    assert readable("# Hollin Dairy Butter and milk", "Hollin Dairy") == "Butter and milk"


def test_each_engine_has_its_own_reason() -> None:
    off = Diagnostics(semantic=EngineState.OFF, reason="switched off", fulltext=EngineState.LOADING)
    assert list(notices("hybrid", off)) == [
        "Still indexing: notes may be missing here.",
        "Found by words alone: switched off.",
    ]
    reading = Diagnostics(reason="notes are read", fulltext=EngineState.LOADING)
    assert list(notices("hybrid", reading)) == ["Still indexing: notes are read."]


@pytest.mark.parametrize(
    ("mode", "total", "is_cut"), [("hybrid", 200, True), ("hybrid", 199, False), ("graph", 300, False)]
)
def test_what_is_cut_is_no_count(mode: str, total: int, is_cut: bool) -> None:
    outcome = Outcome(hits=(), diagnostics=Diagnostics(), total=total)
    assert found(Asked(q="x", mode=mode), outcome, datetime(2026, 3, 18, tzinfo=UTC), several=False).is_cut is is_cut


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd")
    ]


def test_chosen_tags_come_first_whatever_their_case_and_frequent_ones_next() -> None:
    shown = facets(Asked(tags=("BREAD", "gone")), {"a": 1, "bread": 2, "c": 9}, ["x"], ["only"])
    assert [(tag.name, tag.count, tag.chosen) for tag in shown.tags] == [
        ("bread", 2, True),
        ("gone", 0, True),
        ("c", 9, False),
        ("a", 1, False),
    ]
    assert shown.libraries == ()


def test_reasons_say_what_was_found_and_what_moved_the_score() -> None:
    chunk = BestChunk(position=0, headings=("Codes", "E-04"), section="body", text="the oven\n" * 100)
    moved = (
        Contribution(feature="coverage", value=0.5, logit=0.4),
        Contribution(feature="cosine", value=0.7, logit=-2.0),
        Contribution(feature="firsts", value=0, logit=0.0),
    )
    found = Explanation(
        terms=(Term(text="oven", fields=("title", "body"), weight=1.0),),
        missing=("zebra",),
        chunk=chunk,
        calibration=Calibration(intercept=0.1, contributions=moved, probability=0.964),
        named="title",
        lowered=True,
    )
    said = {reason.name: reason.said for reason in reasons(found)}
    assert list(said) == ["Name", "Words", "Without", "Passage", "Score"]
    assert said["Words"] == "oven in title, body"
    assert said["Passage"].startswith("Codes › E-04: the oven the oven")
    assert said["Passage"].endswith("…")
    assert said["Score"].startswith("96 by itself; shown as that of the note above. What moved it: how near")
    assert "first" not in said["Score"]
    assert reasons(Explanation()) == ()
