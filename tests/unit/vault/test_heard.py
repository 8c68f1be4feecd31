from __future__ import annotations

from pathlib import Path

import pytest

from trilith.vault.heard import MANY, Ground, calls_for_a_survey

FLAT = Ground(frozenset({"/v", "/v/a", "/v/.linked"}))
DEEP = Ground(frozenset({"/v"}), deep=True, excluded=frozenset({"/v/home"}))


@pytest.mark.parametrize(
    "path", ["/v/x.md", "/v/pic.png", "/v/a/x.md", "/v/a", "/v", "/v/.trilithignore", "/v/a/.trilithignore"]
)
def test_what_a_walk_would_show_is_of_interest(path: str) -> None:
    assert FLAT.covers(path)
    assert DEEP.covers(path)


@pytest.mark.parametrize(
    "path",
    ["/v/.git", "/v/.x.swp", "/v/~$x.md", "/v/x.md.tmp", "/v/a/.trilith-0123456789abcdef.tmp", "/w/x.md", "/va/x.md"],
)
def test_w06_temporary_and_hidden_files_are_not(path: str) -> None:
    """Temp and hidden files: ignored."""
    assert not FLAT.covers(path)
    assert not DEEP.covers(path)


def test_conflict_copies_are_for_they_are_shown_as_skipped() -> None:
    assert FLAT.covers("/v/x.sync-conflict-20260101.md")


def test_single_folders_hear_of_themselves_alone() -> None:
    assert FLAT.covers("/v/.linked/x.md")
    assert not FLAT.covers("/v/a/unwatched/x.md")


def test_deep_listening_passes_over_what_is_hidden_or_not_ours() -> None:
    assert DEEP.covers("/v/a/b/c.md")
    assert not DEEP.covers("/v/.git/objects/x")
    assert not DEEP.covers("/v/a/.obsidian/deep/x.json")
    assert not DEEP.covers("/v/home/index/catalog.db")
    assert DEEP.covers("/v/homely/x.md")


def test_the_root_of_a_disk_can_be_a_vault() -> None:
    root = Ground(frozenset({"/"}), deep=True)
    assert root.covers("/a/x.md")
    assert root.covers("/")
    assert not root.covers("/.git/x.md")


def test_a_vault_may_itself_be_hidden() -> None:
    assert Ground(frozenset({"/u/.notes"}), deep=True).covers("/u/.notes/x.md")
    assert Ground(frozenset({"/u/.notes"}), deep=True).covers("/u/.notes")


def test_new_folders_rules_and_great_bursts_call_for_a_survey(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "x.md").write_bytes(b"")
    assert calls_for_a_survey([str(tmp_path / "folder")])
    assert calls_for_a_survey([str(tmp_path / ".trilithignore")])
    assert calls_for_a_survey([f"/gone/{number}" for number in range(MANY + 1)])
    assert not calls_for_a_survey([str(tmp_path / "x.md"), str(tmp_path / "gone")])
    assert not calls_for_a_survey([])
