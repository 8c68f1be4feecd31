"""Cases from the field: in a container, as far as Linux shows it without one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.doors.command_line import indexed, process, serving, write_vault
from tests.faults import read_only

IS_ROOT = os.geteuid() == 0
CONTAINED = ("unshare", "--user", "--map-user=1000", "--map-group=1000") if IS_ROOT else ()
"""What starts a process that is not root and may do nothing that its modes forbid, as rootless containers have them."""


@contextmanager
def only_readable(vault: Path) -> Iterator[None]:
    """A vault that nobody can write: by a mount where we may make one, by its modes in any case."""
    paths = [vault, *vault.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with read_only(vault):
            yield
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


def stamps(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything in a folder, to the nanosecond and byte."""
    found = sorted(folder.rglob("*"))
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in found}


def ask(url: str, method: str, path: str, key: str = "", body: Any = None) -> tuple[int, Any]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    sent = None if body is None else json.dumps(body)
    connection.request(method, path, sent, {**headers, "Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_i03_a_container_serves_a_vault_that_it_can_only_read(tmp_path: Path) -> None:
    """Docker: a uid other than root, a read-only vault with no writes into it, a health check, the index on a volume."""
    vault, volume = write_vault(tmp_path / "vault"), tmp_path / "volume"
    with only_readable(vault):
        before = stamps(vault)
        key = process("key", "create", "--json", home=volume, within=CONTAINED).json["key"]
        for _ in ("first start", "another container with the same volume"):
            reached = (vault, "--host", "0.0.0.0")
            with serving(*reached, home=volume, ready=indexed, within=CONTAINED, TRILITH_SEMANTIC="off") as url:
                check_container(url, key)
        assert stamps(vault) == before


def check_container(url: str, key: str) -> None:
    status, health = ask(url, "GET", "/health", key)
    assert (status, health["status"]) == (200, "ready")
    status, found = ask(url, "GET", "/api/v1/search?q=sourdough", key)
    assert (status, len(found["results"])) == (200, 1)
    status, refused = ask(url, "POST", "/api/v1/notes", key, {"title": "New", "content": "x"})
    assert (status, refused["code"]) == (403, "read_only"), refused
    status, health = ask(url, "GET", "/health", key)
    assert (status, health["status"]) == (200, "ready")
