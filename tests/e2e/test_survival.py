"""Real processes killed at random moments, and many that write at once: a few rounds of `bench/kill.py` and
`bench/soak.py`, which look at everything afterwards and say what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent.parent / "bench"


def run(script: str, *arguments: str) -> None:
    command = [sys.executable, str(BENCH / script), *arguments, "--dry"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(600)
def test_c07_kill_9_loses_nothing_and_needs_no_hand() -> None:
    """SIGKILL while servers, pipes and commands write and index: the next start repairs; no half file, no leftover."""
    run("kill.py", "--rounds", "7", "--seed", "3")


@pytest.mark.timeout(600)
def test_c06_two_servers_and_two_pipes_on_one_vault() -> None:
    """Two stdio servers + HTTP servers on one vault, all writing, beside an editor and git: never corruption, never a
    hang."""
    run("soak.py", "--writes", "150", "--seed", "3")
