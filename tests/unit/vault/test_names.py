from __future__ import annotations

import pytest

from trilith.vault.names import CONFLICT, HIDDEN, NOT_DOWNLOADED, TEMPORARY, concerns_a_note, is_note, why_skipped


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".obsidian", HIDDEN),
        (".git", HIDDEN),
        (".trash", HIDDEN),
        (".#x.md", HIDDEN),
        ("._x.md", HIDDEN),
        (".x.md.swp", HIDDEN),
        (".x.md.icloud", NOT_DOWNLOADED),
        ("~$x.md", TEMPORARY),
        ("x.md.tmp", TEMPORARY),
        ("x.md~", TEMPORARY),
        ("#x.md#", TEMPORARY),
        ("X.MD.TMP", TEMPORARY),
        ("x.md.sb-1a2b3c4d-Ab12cd", TEMPORARY),
        ("~syncthing~x.md.tmp", TEMPORARY),
        ("x.md.part", TEMPORARY),
        ("x (conflicted copy).md", CONFLICT),
        ("x (Anna's conflicted copy 2026-01-01).md", CONFLICT),
        ("x (Anna's conflicted copy 2026-01-01) (1).md", CONFLICT),
        ("x (Conflicted copy laptop 202601011200).md", CONFLICT),
        ("x (Case Conflict).md", CONFLICT),
        ("x.sync-conflict-20260101.md", CONFLICT),
        ("x.sync-conflict-20260101-120000-ABCDEFG.md", CONFLICT),
        ("x_conflict-20260101-120000.md", CONFLICT),
    ],
)
def test_names_that_are_none_of_ours(name: str, reason: str) -> None:
    assert why_skipped(name) == reason


@pytest.mark.parametrize(
    "name",
    [
        "x.md",
        "#1 priority.md",
        "~approximately.md",
        "temp.md",
        "tmp",
        "conflict.md",
        "How to resolve a (conflicted copy) by hand.md",
        "a conflicted copy.md",
        "sync-conflict.md",
        "x (1).md",
        "x.bak",
        "part.md",
        "…",
        "C# notes.md",
    ],
)
def test_names_that_may_be_ours(name: str) -> None:
    assert why_skipped(name) is None


def test_notes_by_their_ending_in_any_case() -> None:
    assert [name for name in ("a.md", "a.MD", "a.markdown", "a.mdx", "md", "a.md.txt", ".md") if is_note(name)] == [
        "a.md",
        "a.MD",
        "a.markdown",
        ".md",
    ]
    assert concerns_a_note(".x.md.icloud")
    assert not concerns_a_note(".DS_Store")
