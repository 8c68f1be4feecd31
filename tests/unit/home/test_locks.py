from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from trilith.home.locks import FileLocks

HOLDER = """
import sys
from pathlib import Path
from trilith.home.locks import FileLocks
with FileLocks(Path(sys.argv[1])).writing(10) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def holding(folder: Path) -> subprocess.Popen[str]:
    """Another process that has the writing turn."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    return process


def test_c05_a_killed_holder_leaves_nothing_behind(tmp_path: Path) -> None:
    process = holding(tmp_path)
    locks = FileLocks(tmp_path)
    with locks.writing(0.05) as mine:
        assert not mine
    process.kill()
    with locks.writing(10) as mine:
        assert mine
    process.wait()


def test_waiting_for_another_process_keeps_to_its_time(tmp_path: Path) -> None:
    process = holding(tmp_path)
    begun = time.monotonic()
    with FileLocks(tmp_path).writing(0.2) as mine:
        assert not mine
    assert 0.2 <= time.monotonic() - begun < 5
    process.kill()
    process.wait()


def test_two_lockers_of_one_folder_exclude_each_other(tmp_path: Path) -> None:
    with FileLocks(tmp_path).embedding() as mine, FileLocks(tmp_path).embedding() as other:
        assert mine
        assert not other


def test_lock_files_stay_and_are_empty(tmp_path: Path) -> None:
    with FileLocks(tmp_path).scanning("a/../b"):
        pass
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size == 0
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0
