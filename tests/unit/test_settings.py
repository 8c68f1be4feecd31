"""Settings that are read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
