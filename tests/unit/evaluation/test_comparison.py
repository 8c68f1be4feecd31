from __future__ import annotations

import json
from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.evaluation import runfile
from trilith.evaluation.comparison import difference, interval
from trilith.evaluation.report import report
from trilith.evaluation.run import Evaluation, Measured
from trilith.evaluation.sets import JudgedQuery


def run_of(*ndcg: float) -> Evaluation:
    asked = [
        Measured(
            JudgedQuery(f"q{place}", "text", {"d": 1.0}),
            [("d", 0.9)],
            2.0,
            {"ndcg10": value, "recall10": value, "mrr": value, "success1": value},
        )
        for place, value in enumerate(ndcg)
    ]
    return Evaluation("tiny", 3, {"hybrid": asked})


def test_a_difference_is_over_the_queries_that_both_runs_have() -> None:
    found = difference({"a": 1.0, "b": 1.0, "c": 0.0}, {"a": 0.5, "b": 0.5, "d": 1.0})
    assert found == {"difference": 0.5, "low": 0.5, "high": 0.5, "queries": 2}
    assert difference({"a": 1.0}, {"b": 1.0}) is None


def test_the_interval_holds_zero_where_gains_and_losses_balance() -> None:
    low, high = interval([0.5, -0.5] * 20)
    assert -0.2 < low < 0 < high < 0.2


def test_the_interval_is_clear_of_zero_where_nearly_all_gain() -> None:
    low, high = interval([0.1] * 40 + [-0.05] * 4)
    assert 0 < low < high < 0.1
    assert interval([0.1] * 40 + [-0.05] * 4) == (low, high)


def test_a_saved_run_is_what_a_later_one_is_held_against(tmp_path: Path) -> None:
    runfile.save(tmp_path / "run.json", runfile.measures([run_of(0.5, 0.25)]))
    found = report([run_of(1.0, 0.75)], runfile.read(tmp_path / "run.json"))["sets"][0]
    assert (found["set"], found["notes"], found["queries"]) == ("tiny", 3, 2)
    assert found["modes"]["hybrid"]["ndcg10"] == 0.875
    assert found["differences"]["hybrid"]["ndcg10"] == {"difference": 0.5, "low": 0.5, "high": 0.5, "queries": 2}
    assert report([run_of(1.0)], {"another": {}})["sets"][0]["differences"] == {}
    assert "differences" not in report([run_of(1.0)], None)["sets"][0]


def test_a_dump_has_a_line_for_each_query(tmp_path: Path) -> None:
    runfile.dump(tmp_path / "dump.jsonl", [run_of(0.5, 0.25)])
    first, second = (json.loads(line) for line in (tmp_path / "dump.jsonl").read_text("utf-8").splitlines())
    assert (first["set"], first["mode"], first["query"], first["ndcg10"]) == ("tiny", "hybrid", "q0", 0.5)
    assert first["answered"] == [{"document": "d", "score": 0.9}]
    assert second["relevant"] == {"d": 1.0}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 0, "sets": {}}'])
def test_what_is_no_saved_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="--save"):
        runfile.read(tmp_path / "run.json")


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"none\.json"):
        runfile.read(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match="cannot be written"):
        runfile.save(tmp_path / "no" / "run.json", {})
