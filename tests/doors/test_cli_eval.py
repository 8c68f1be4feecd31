"""`trilith eval`: a judged set through the real index and search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine

DOCUMENTS = {
    "bread": "Sourdough needs flour, water, salt and a lively starter that was fed the day before.",
    "loop": "The event loop runs coroutines one after the other and never two at once.",
    "backup": "Copy the ledger every night to another disk, and restore it once a month to be sure.",
    "bees": "A colony swarms in May when the old queen leaves the hive with half of the workers.",
}
QUERIES = {"q1": ("which ingredients does sourdough need", "bread"), "q2": ("when do bees swarm", "bees")}


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    corpus = [json.dumps({"_id": name, "title": "", "text": text}) for name, text in DOCUMENTS.items()]
    queries = [json.dumps({"_id": name, "text": text}) for name, (text, _) in QUERIES.items()]
    unjudged = json.dumps({"_id": "q3", "text": "nobody knows"})
    qrels = [f"{name}\t{document}\t1" for name, (_, document) in QUERIES.items()]
    (folder / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join([*queries, unjudged]), encoding="utf-8")
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *qrels]), encoding="utf-8")
    return folder


def test_each_mode_is_measured(trilith: CommandLine, judged: Path) -> None:
    (answer,) = trilith("eval", judged, "--json").json["sets"]
    assert (answer["set"], answer["notes"], answer["queries"]) == ("tiny", 4, 2)
    assert list(answer["modes"]) == ["hybrid", "fulltext", "semantic"]
    for figures in answer["modes"].values():
        assert list(figures) == ["ndcg10", "recall10", "mrr", "success1", "p50_ms", "p95_ms"]
        assert figures["ndcg10"] == figures["recall10"] == figures["mrr"] == figures["success1"] == 1.0
        assert 0 < figures["p50_ms"] <= figures["p95_ms"]
    assert not trilith.home.exists()  # the owner's own home is not touched


def test_what_is_kept_is_not_embedded_again(trilith: CommandLine, judged: Path, tmp_path: Path) -> None:
    first = trilith("eval", judged, "--keep", tmp_path / "kept", "--modes", "semantic")
    assert "embedding" in first.err
    again = trilith("eval", judged, "--keep", tmp_path / "kept", "--modes", "semantic,rrf", "--limit", "1")
    assert "embedding" not in again.err
    assert [line.split()[0] for line in again.out.splitlines()] == ["tiny:", "mode", "semantic", "rrf"]
    assert "4 notes, 1 query" in again.out


def test_a_run_is_held_against_a_saved_one_and_dumped_query_by_query(
    trilith: CommandLine, judged: Path, tmp_path: Path
) -> None:
    run, dump = tmp_path / "run.json", tmp_path / "dump.jsonl"
    arguments = (judged, "--modes", "fulltext", "--keep", tmp_path / "kept")
    trilith("eval", *arguments, "--save", run)
    (again,) = trilith("eval", *arguments, "--against", run, "--dump", dump, "--json").json["sets"]
    assert again["differences"]["fulltext"]["ndcg10"] == {"difference": 0.0, "low": 0.0, "high": 0.0, "queries": 2}
    assert [json.loads(line)["query"] for line in dump.read_text("utf-8").splitlines()] == ["q1", "q2"]
    assert "ndcg10 +0.0000 [+0.0000, +0.0000]" in trilith("eval", *arguments, "--against", run).out


def test_several_sets_have_a_mean(trilith: CommandLine, judged: Path, tmp_path: Path) -> None:
    done = trilith("eval", judged, "town-tr", "--modes", "fulltext", "--limit", "2")
    assert [line for line in done.out.splitlines() if "2 queries" in line] == [
        "tiny: 4 notes, 2 queries",
        "town-tr: 10 notes, 2 queries",
    ]
    assert "mean of 2 sets" in done.out


def test_other_notes_in_the_folder_are_refused(trilith: CommandLine, judged: Path, tmp_path: Path) -> None:
    (tmp_path / "kept" / "tiny" / "vault").mkdir(parents=True)
    (tmp_path / "kept" / "tiny" / "vault" / "mine.md").write_text("mine\n", encoding="utf-8")
    done = trilith("eval", judged, "--keep", tmp_path / "kept", "--modes", "fulltext")
    assert done.status == 2
    assert "use an empty folder" in done.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(["--modes", "fuzzzy"], "rrf"), (["--modes", ","], "hybrid"), (["--limit", "0"], "whole number from 1")],
)
def test_what_is_wrong_is_named(trilith: CommandLine, judged: Path, arguments: list[str], expected: str) -> None:
    done = trilith("eval", judged, *arguments)
    assert done.status == 2
    assert expected in done.err


def test_a_folder_that_is_no_set_is_told(trilith: CommandLine, judged: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = trilith("eval", tmp_path / "empty")
    assert done.status == 2
    assert "corpus.jsonl" in done.err
    (judged / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    unjudged = trilith("eval", judged)
    assert unjudged.status == 2
    assert "no query" in unjudged.err
