from __future__ import annotations

import json
from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.evaluation.corpus import write_notes
from trilith.evaluation.sets import Document, read_set


def make_set(folder: Path, *, qrels: str = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t0\n") -> Path:
    folder.mkdir()
    documents = [{"_id": "d1", "title": "First", "text": "one"}, {"_id": "d2", "title": "", "text": "two"}]
    queries = [{"_id": "q1", "text": "what"}, {"_id": "q2", "text": "unjudged"}, {"_id": "q3", "text": "unknown"}]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)) + "\n\n", encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_queries_without_a_relevant_document_are_left_out(tmp_path: Path) -> None:
    judged = read_set(make_set(tmp_path / "tiny"))
    assert judged.name == "tiny"
    assert [document.id for document in judged.documents] == ["d1", "d2"]
    assert [(query.id, dict(query.relevance)) for query in judged.queries] == [("q1", {"d1": 2.0, "d2": 0.0})]


def test_a_folder_that_is_no_set_is_told_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"corpus\.jsonl"):
        read_set(tmp_path)


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "tiny", qrels="query-id\tcorpus-id\tscore\nq1\td1\thigh\n")
    with pytest.raises(InvalidInput, match=r"qrels\.tsv, line 2"):
        read_set(folder)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "one"}\n{"_id": "d2"}\n', encoding="utf-8")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"corpus\.jsonl, line 2"):
        read_set(folder)


def test_each_document_becomes_a_note_that_its_id_leads_back_from(tmp_path: Path) -> None:
    documents = [
        Document("d1", 'A "quoted": title', "---\nbody"),
        Document("d2", "", "知识 库"),
        Document("d3", "", ""),
    ]
    ids = write_notes("tiny", documents, tmp_path)
    assert sorted(ids.values()) == ["d1", "d2", "d3"]
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md")}
    assert sorted(texts) == ["1.md", "2.md", "a-quoted-title-0.md"]
    assert texts["a-quoted-title-0.md"].endswith('title: "A \\"quoted\\": title"\n---\n---\nbody\n')


def test_a_note_that_is_right_already_is_not_written_again(tmp_path: Path) -> None:
    write_notes("tiny", [Document("d1", "T", "one")], tmp_path)
    path = next(tmp_path.rglob("*.md"))
    before = path.stat()
    write_notes("tiny", [Document("d1", "T", "one")], tmp_path)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_document_without_a_title_is_given_none(tmp_path: Path) -> None:
    write_notes("tiny", [Document("d1", " ", "one two three"), Document("d2", "A: b", "two")], tmp_path)
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.rglob("*.md")}
    assert "title" not in texts["0.md"]
    assert 'title: "A: b"' in texts["a-b-1.md"]
