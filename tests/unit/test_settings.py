"""Settings that are read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.settings import FILE, kept_up, load


def test_a_file_that_comes_changes_and_goes_is_followed(tmp_path: Path) -> None:
    now = kept_up(load(tmp_path, port=1234))
    assert not now().read_only
    (tmp_path / FILE).write_text("read_only = true\nport = 9000\n", encoding="utf-8")
    assert (now().read_only, now().port) == (True, 1234)
    assert now() is now(), "read once"
    (tmp_path / FILE).unlink()
    assert not now().read_only


def test_while_it_is_wrong_what_was_said_before_holds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / FILE
    file.write_text("read_only = true\n", encoding="utf-8")
    now = kept_up(load(tmp_path))
    for number, wrong in enumerate(("read_only = perhaps\n", "read_only = [\n", "nonsense = 1\n")):
        file.write_text(wrong, encoding="utf-8")
        os.utime(file, (number, number))
        assert [now().read_only, now().read_only] == [True, True]
    assert len(caplog.messages) == 3, "each is told of once"
    file.write_text("", encoding="utf-8")
    assert not now().read_only


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_text('port = 1\nhost = "::1"\nthreads = 1\nhome = "/elsewhere"\n', encoding="utf-8")
    monkeypatch.setenv("TRILITH_PORT", "2")
    monkeypatch.setenv("trilith_threads", "2")
    monkeypatch.setenv("TRILITH_DIALECTS", "mythos, Lithos")
    monkeypatch.setenv("TRILITH_NONSENSE", "1")
    found = load(tmp_path, port=3, host=None)
    assert (found.port, found.host, found.threads) == (3, "::1", 2)
    assert (found.home, found.dialects) == (tmp_path, ("mythos", "lithos"))


def test_sections_in_the_environment_are_json_and_go_over_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_text(
        '[reranker]\npath = "a"\ntop = 5\n[library.one.embedder]\nkind = "multilingual"\n', encoding="utf-8"
    )
    monkeypatch.setenv("TRILITH_RERANKER", '{"path": "b"}')
    monkeypatch.setenv("TRILITH_LIBRARY", '{"two": {"embedder": {"kind": "folder", "path": "m"}}}')
    found = load(tmp_path)
    assert found.reranker is not None
    assert (found.reranker.path, found.reranker.top) == ("b", 5)
    assert set(found.library) == {"one", "two"}


@pytest.mark.parametrize("name", ["library", "reranker"])
@pytest.mark.parametrize("value", ["", "[", "1"])
def test_what_is_no_section_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"TRILITH_{name.upper()}", value)
    with pytest.raises(InvalidInput, match=f"Setting '{name}'.*dictionary"):
        load(tmp_path)
