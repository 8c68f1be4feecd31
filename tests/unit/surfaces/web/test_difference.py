"""Two texts line by line."""

from __future__ import annotations

from trilith.surfaces.web.views.difference import MOST, Row, difference


def test_what_differs_is_shown_with_what_is_around_it() -> None:
    theirs = "\n".join(f"line {n}" for n in range(1, 30))
    yours = theirs.replace("line 5\n", "").replace("line 25", "line XXV")
    rows = difference(theirs, yours)
    assert rows is not None
    assert [row for row in rows if row.kind not in ("same", "gap")] == [
        Row("theirs", "line 5", theirs=5),
        Row("theirs", "line 25", theirs=25),
        Row("yours", "line XXV", yours=24),
    ]
    assert sum(row.kind == "gap" for row in rows) == 1
    assert rows[0] == Row("same", "line 2", 2, 2)
    assert "line 15" not in {row.text for row in rows}


def test_texts_alike_do_not_differ_and_very_long_ones_are_not_compared() -> None:
    assert difference("a\nb", "a\r\nb\n") == ()
    assert difference("a\n" * (MOST + 1), "a") is None
