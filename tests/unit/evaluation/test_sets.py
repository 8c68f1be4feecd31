from __future__ import annotations

import json
from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.evaluation.corpus import write_notes
from trilith.evaluation.sets import BUILT_IN, Document, JudgedSet, find_sets, read_set


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
    ids = write_notes(JudgedSet("tiny", tuple(documents), ()), tmp_path)
    assert ids == {"part-00/a-quoted-title-0.md": "d1", "part-01/1.md": "d2", "part-02/2.md": "d3"}
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md")}
    assert sorted(texts) == ["1.md", "2.md", "a-quoted-title-0.md"]
    assert texts["a-quoted-title-0.md"].endswith('title: "A \\"quoted\\": title"\n---\n---\nbody\n')


def test_a_note_that_is_right_already_is_not_written_again(tmp_path: Path) -> None:
    judged = JudgedSet("tiny", (Document("d1", "T", "one"),), ())
    write_notes(judged, tmp_path)
    path = next(tmp_path.rglob("*.md"))
    before = path.stat()
    write_notes(judged, tmp_path)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_document_without_a_title_is_given_none(tmp_path: Path) -> None:
    documents = (Document("d1", " ", "one two three"), Document("d2", "A: b", "two"))
    write_notes(JudgedSet("tiny", documents, ()), tmp_path)
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.rglob("*.md")}
    assert "title" not in texts["0.md"]
    assert 'title: "A: b"' in texts["a-b-1.md"]


def test_a_set_may_hold_a_vault_whose_notes_are_known_by_their_paths(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "tiny", qrels="query-id\tcorpus-id\tscore\nq1\tsub/One\t1\n")
    (folder / "vault" / "sub").mkdir(parents=True)
    (folder / "vault" / "sub" / "One.md").write_text("one\n", encoding="utf-8")
    (folder / "vault" / "picture.png").write_bytes(b"\x89PNG")
    judged = read_set(folder)
    assert (judged.documents, judged.vault) == ((), folder / "vault")
    assert write_notes(judged, tmp_path / "copy") == {"sub/One.md": "sub/One"}
    assert (tmp_path / "copy" / "picture.png").read_bytes() == b"\x89PNG"


def test_sets_are_found_by_folder_by_name_and_within_a_folder(tmp_path: Path) -> None:
    one, two = make_set(tmp_path / "one"), make_set(tmp_path / "two")
    assert find_sets([str(one)]) == (one,)
    assert find_sets([str(tmp_path)]) == (one, two)
    assert find_sets(["dialogues"]) == (BUILT_IN / "dialogues",)
    assert find_sets([]) == tuple(sorted(each.parent for each in BUILT_IN.glob("*/queries.jsonl")))
    with pytest.raises(InvalidInput, match="called 'one'"):
        find_sets([str(one), str(tmp_path)])


@pytest.mark.parametrize("name", [*(each.name for each in find_sets([])), "sample"])
def test_what_comes_with_the_program_is_judged_on_notes_that_are_there(name: str, tmp_path: Path) -> None:
    judged = read_set(Path("sample") if name == "sample" else find_sets([name])[0])
    documents = set(write_notes(judged, tmp_path).values())
    assert documents >= {document for query in judged.queries for document in query.relevance}
    assert len(judged.queries) >= 20
