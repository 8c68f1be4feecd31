"""Real faults of disks, where the machine that runs the tests can make them, and their nearest kin where it cannot."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[bool]:
    """A disk of so many kilobytes at `folder`, and whether that could be had: only some may mount one."""
    mounted = _mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def other_disk(like: Path) -> Iterator[Path]:
    """A folder on another disk than `like`: shared memory, or a mounted one."""
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/dev/shm")))
        if made.stat().st_dev == like.stat().st_dev:
            assert stack.enter_context(small_disk(made, 1024)), "there is no second disk here"
        yield made


@contextmanager
def read_only(folder: Path) -> Iterator[bool]:
    """What is below `folder` on a disk that takes no writes, and whether that could be had."""
    mounted = _mount("--bind", folder, folder)
    try:
        yield mounted and _mount("-o", "remount,bind,ro", folder)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: EFBIG, from the kernel."""
    import resource

    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, former[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)


@contextmanager
def ordinary_user() -> Iterator[None]:
    """As somebody whom permissions bind: root is nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def open_to_all() -> Iterator[Path]:
    """A folder that every user can reach, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


def _mount(*arguments: str | Path) -> bool:
    if os.geteuid() != 0:
        return False
    return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
