"""What a person gives to a change."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from trilith.errors import ContentTooLarge, InvalidInput
from trilith.surfaces.cli.typed import MOST_BYTES, given_text, login_name, one_operation


class Piped(io.TextIOWrapper):
    """Stdin with something in it."""

    def __init__(self, data: bytes, *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data))
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture(autouse=True)
def stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Piped(b"", terminal=True))


def test_a_text_comes_from_an_option_a_file_or_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "note.md").write_bytes("\ufeffé\r\n".encode())
    assert given_text("", None, keep=False) == ""
    assert given_text(None, tmp_path / "note.md", keep=False) == "é\r\n"
    for file in (None, Path("-")):
        monkeypatch.setattr("sys.stdin", Piped("piped\r\né".encode()))
        assert given_text(None, file, keep=True) == "piped\r\né"


def test_nothing_in_stdin_is_an_empty_note_and_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    for keep, text in ((False, ""), (True, None)):
        monkeypatch.setattr("sys.stdin", Piped(b""))
        assert given_text(None, None, keep=keep) == text


def test_a_terminal_is_not_waited_for() -> None:
    assert given_text(None, None, keep=True) is None
    with pytest.raises(InvalidInput, match="--content"):
        given_text(None, None, keep=False)


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_bytes(b"a\n\xff")
    with pytest.raises(InvalidInput, match="line 2"):
        given_text(None, tmp_path / "bad.md", keep=False)
    for file in (tmp_path, tmp_path / "nowhere.md"):
        with pytest.raises(InvalidInput, match="cannot be read"):
            given_text(None, file, keep=False)
    with pytest.raises(InvalidInput, match="not both"):
        given_text("a", tmp_path / "bad.md", keep=False)


def test_a_text_without_an_end_is_not_read_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fits.md").write_bytes(b"x" * MOST_BYTES)
    assert len(given_text(None, tmp_path / "fits.md", keep=False) or "") == MOST_BYTES
    (tmp_path / "large.md").write_bytes(b"x" * (MOST_BYTES + 1))
    monkeypatch.setattr("sys.stdin", Piped(b"x" * (MOST_BYTES + 1)))
    for file in (tmp_path / "large.md", None):
        with pytest.raises(ContentTooLarge):
            given_text(None, file, keep=False)


def test_one_operation_is_chosen() -> None:
    assert one_operation(append="", prepend=None, replace_section=[]) == "append"
    for given in ({"append": None, "replace_section": []}, {"append": "a", "replace_section": ["b"]}):
        with pytest.raises(InvalidInput, match="--append, --replace-section"):
            one_operation(**given)


def test_somebody_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    assert login_name() == "ann"
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    if hasattr(os, "getuid"):
        monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    assert login_name() == "owner"
