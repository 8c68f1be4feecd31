from __future__ import annotations

import os
import time
from pathlib import Path

from trilith.vault.leftovers import OLD_SECONDS, clear_leftovers, draft_name
from trilith.vault.names import why_skipped


def make(path: Path, age: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_a_draft_is_hidden_from_every_walk_and_no_two_are_alike() -> None:
    names = {os.fsdecode(draft_name()) for _ in range(100)}
    assert len(names) == 100
    assert all(why_skipped(name) for name in names)


def test_old_drafts_go_and_all_else_stays(tmp_path: Path) -> None:
    old = OLD_SECONDS + 60
    gone = [make(tmp_path / folder / os.fsdecode(draft_name()), old) for folder in (".", "a", "a/知")]
    kept = [
        make(tmp_path / os.fsdecode(draft_name()), OLD_SECONDS - 60),
        make(tmp_path / ".hidden" / os.fsdecode(draft_name()), old),
        make(tmp_path / "a" / ".trilith-notes.tmp", old),
        make(tmp_path / "a" / ".trilith-0123456789abcdef.tmp.md", old),
        make(tmp_path / "a" / "x.md", old),
        make(tmp_path / "a" / ".n.tmp", old),
    ]
    assert clear_leftovers(str(tmp_path)) == len(gone)
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in kept)
    assert clear_leftovers(str(tmp_path)) == 0


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / os.fsdecode(draft_name()), 2 * OLD_SECONDS)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "link").symlink_to(outside.parent)
    assert clear_leftovers(str(tmp_path / "vault")) == 0
    assert outside.exists()


def test_a_root_that_is_away_has_none(tmp_path: Path) -> None:
    assert clear_leftovers(str(tmp_path / "nowhere")) == 0


def test_what_cannot_be_deleted_stays() -> None:
    from tests.faults import open_to_all, ordinary_user

    with open_to_all() as folder:
        draft = make(folder / os.fsdecode(draft_name()), 2 * OLD_SECONDS)
        folder.chmod(0o555)
        with ordinary_user():
            assert clear_leftovers(str(folder)) == 0
        assert draft.exists()
