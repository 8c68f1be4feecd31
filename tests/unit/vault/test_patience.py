from __future__ import annotations

import errno

import pytest

from trilith.vault.patience import PAUSES, patiently, windows_code


class WindowsError(OSError):
    """What Windows raises, as far as it matters here."""

    def __init__(self, code: int) -> None:
        super().__init__(errno.EACCES, "The process cannot access the file")
        self.winerror = code


def failing(times: int, error: OSError) -> tuple[list[int], object]:
    tries: list[int] = []

    def act() -> None:
        tries.append(1)
        if len(tries) <= times:
            raise error

    return tries, act


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("trilith.vault.patience.time.sleep", slept.append)
    return slept


@pytest.mark.parametrize("code", [5, 32, 33])
def test_i04_a_file_that_is_held_is_tried_again(code: int) -> None:
    """Windows: locked files retried."""
    tries, act = failing(3, WindowsError(code))
    patiently(act)  # type: ignore[arg-type]
    assert len(tries) == 4


def test_i04_patience_ends(no_pauses: list[float]) -> None:
    """Windows: locked files retried, within bounds."""
    tries, act = failing(1000, WindowsError(32))
    with pytest.raises(WindowsError):
        patiently(act)  # type: ignore[arg-type]
    assert len(tries) == len(PAUSES) + 1
    assert sum(no_pauses) == sum(PAUSES) < 2


def test_other_failures_are_not_waited_for() -> None:
    for error in (PermissionError(errno.EACCES, "no"), WindowsError(2)):
        tries, act = failing(1000, error)
        with pytest.raises(OSError, match=r"no|process"):
            patiently(act)  # type: ignore[arg-type]
        assert len(tries) == 1


def test_only_windows_has_codes() -> None:
    assert windows_code(PermissionError(errno.EACCES, "no")) is None
    assert windows_code(WindowsError(32)) == 32
