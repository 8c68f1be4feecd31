from __future__ import annotations

import pytest

from trilith.ports.surroundings import Progress
from trilith.surfaces.cli.progress import Lines, Pace, line


def test_pace_is_counted_from_the_first_report() -> None:
    pace = Pace(done=128, begun=10.0)
    assert pace.tell(Progress("reading", 128, 1000), 10.0) == ""
    assert pace.tell(Progress("reading", 328, 1000), 12.0) == "100/s, 7 s left"
    assert pace.tell(Progress("reading", 1000, 1000), 14.36) == "200/s"


def test_a_line_names_the_library_and_the_stage() -> None:
    assert line(Progress("reading", 1, 9, "work"), "5/s") == "work: reading 1/9, 5/s"
    assert line(Progress("hybrid", 1, 9), "") == "hybrid 1/9"


def test_without_a_terminal_there_are_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    sink = Lines()
    for done in range(1, 101):
        sink(Progress("reading", done, 100, "work"))
    sink(Progress("embedding", 1, 1, "work"))
    lines = capsys.readouterr().err.splitlines()
    assert [text.split(",")[0] for text in lines] == [
        "work: reading 1/100",
        "work: reading 100/100",
        "work: embedding 1/1",
    ]
