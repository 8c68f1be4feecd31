from __future__ import annotations

from typing import Any

import pytest

from trilith.surfaces.cli import show, standing
from trilith.surfaces.cli.terminal import harmless, one_line

OK = {"semantic": "ok", "reason": None, "pending": 0}


def found(**diagnostics: Any) -> dict[str, Any]:
    return {"results": [], "query_interpretation_reason": None, "diagnostics": {**OK, **diagnostics}}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (found(), []),
        (found(semantic="off", reason="switched off", pending=7), []),
        (found(fulltext="loading"), ["Still indexing"]),
        (found(fulltext="degraded", reason="disk full"), ["Full text is degraded: disk full."]),
        (found(semantic="degraded", reason="no model"), ["Search by meaning is degraded: no model."]),
        (
            found(semantic="loading", reason="no vectors yet", pending=3),
            ["Search by meaning is loading: no vectors yet."],
        ),
        (found(pending=1), ["1 chunk without a vector"]),
        ({"results": []}, []),
    ],
)
def test_what_is_not_as_expected_is_remarked_upon(answer: dict[str, Any], expected: list[str]) -> None:
    remarks = list(show.search_remarks("a query", answer))
    assert len(remarks) == len(expected)
    assert all(part in remark for part, remark in zip(expected, remarks, strict=True))


@pytest.mark.parametrize(
    ("query", "told"), [("rate limit", False), ("foo: bar", True), ("a AND (b", True), ("x -y", True)]
)
def test_that_a_query_was_searched_literally_is_news_only_if_syntax_was_meant(query: str, told: bool) -> None:
    answer = {**found(), "query_interpretation_reason": "it is not well-formed query syntax"}
    assert bool(list(show.search_remarks(query, answer))) is told


def test_no_match_and_not_yet_are_two_answers() -> None:
    assert show.nothing(found()) == "No match."
    assert show.nothing(found(fulltext="loading")) == "No match so far: still indexing."
    assert show.nothing({"results": []}) == "No match."


def test_long_lists_are_capped_and_counted() -> None:
    skipped = [{"path": f"{number}.md", "reason": "ignored"} for number in range(25)]
    library = {
        "name": "n", "root": "/n", "state": "ready", "documents": 1, "problem": None, "last_scan": None,
        "pending": {"fulltext": 0, "vectors": 0}, "skipped": skipped, "advice": None,
    }  # fmt: skip
    lines = list(standing.status({"libraries": [library], "semantic": {"state": "ok", "reason": None}}))
    assert sum(".md: ignored" in line for line in lines) == show.LISTED
    assert "    and 5 more, all with --json" in lines


def test_text_of_notes_cannot_drive_a_terminal() -> None:
    assert harmless("a\x1b[2Jb\x07\tc\nd\x9b") == "a\ufffd[2Jb\ufffd\tc\nd\ufffd"
    assert one_line("a\n b\t c\r\n") == "a b c"


def test_counts_agree_with_their_nouns() -> None:
    assert (show.counted(1, "note"), show.counted(0, "note"), show.counted(2, "query", "queries")) == (
        "1 note",
        "0 notes",
        "2 queries",
    )
