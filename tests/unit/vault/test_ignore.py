from __future__ import annotations

import pytest

from trilith.vault.ignore import Ignored


@pytest.mark.parametrize(
    ("rules", "path", "is_folder", "covered"),
    [
        ("*.log", "a/b.log", False, True),
        ("build/", "build", True, True),
        ("build/", "build", False, False),
        ("/top.md", "a/top.md", False, False),
        ("/top.md", "top.md", False, True),
        ("drafts/**", "drafts/x/y.md", False, True),
        ("*.md\n!keep.md", "keep.md", False, False),
        ("!keep.md\n*.md", "keep.md", False, True),
        ("# comment\n\n  ", "# comment", False, False),
        ("\\#x.md", "#x.md", False, True),
        ("\ufeffsecret.md", "secret.md", False, True),
        ("secret.md\r\nother.md\r\n", "secret.md", False, True),
        ("日記/", "日記", True, True),
    ],
)
def test_rules_are_those_of_gitignore(rules: str, path: str, is_folder: bool, covered: bool) -> None:
    ignored, wrong = Ignored().below("", rules)
    assert ignored.covers(path, is_folder=is_folder) is covered
    assert wrong == []


def test_the_deepest_file_decides_and_counts_from_its_own_folder() -> None:
    top, _ = Ignored().below("", "*.md\n/a/x.txt")
    deep, _ = top.below("a/b", "!keep.md\n/local.txt")
    assert deep.covers("a/b/other.md", is_folder=False)
    assert not deep.covers("a/b/keep.md", is_folder=False)
    assert not deep.covers("a/b/c/keep.md", is_folder=False)
    assert deep.covers("a/b/local.txt", is_folder=False)
    assert not deep.covers("a/b/c/local.txt", is_folder=False)
    assert top.covers("a/b/keep.md", is_folder=False)


def test_a_line_that_is_no_rule_is_named_and_the_others_hold() -> None:
    ignored, wrong = Ignored().below("", "a.md\n!\nb.md\nc\\")
    assert ignored.covers("a.md", is_folder=False)
    assert ignored.covers("b.md", is_folder=False)
    assert wrong == ["line 2 is not a rule: !", "line 4 is not a rule: c\\"]
