"""What a commit that was cut off leaves behind is no obstacle to the next one."""

from __future__ import annotations

import json
import os
from pathlib import Path

from trilith.index.lexical.damage import META, strays


def make(folder: Path, name: str, seconds: int) -> None:
    (folder / name).touch()
    os.utime(folder / name, (seconds, seconds))


def test_only_files_of_a_commit_that_did_not_come_to_its_end_are_strays(tmp_path: Path) -> None:
    segments = [{"segment_id": "aa-aa", "deletes": {"num_deleted_docs": 1, "opstamp": 7}}, {"segment_id": "bb-bb"}]
    (tmp_path / META).write_text(json.dumps({"segments": segments}))
    os.utime(tmp_path / META, (100, 100))
    for name in ("aaaa.term", "aaaa.7.del", "bbbb.store", ".managed.json", ".tantivy-writer.lock"):
        make(tmp_path, name, 200)
    make(tmp_path, "aaaa.5.del", 50)  # of an earlier commit: readers may still want it
    make(tmp_path, "aaaa.9.del", 200)
    make(tmp_path, "cccc.term", 200)
    assert sorted(path.name for path in strays(tmp_path)) == ["aaaa.9.del", "cccc.term"]
