"""`serve.json` in home: how other processes find a running server."""

from __future__ import annotations

import http.client
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trilith.access.keys import new_secret
from trilith.errors import StartFailure

log = logging.getLogger(__name__)

FILE = "serve.json"
ANSWER_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A server: its process, its address, and what it serves.

    `vaults` are absolute paths of the folders it was given, `library` the name of the library; neither means that it
    serves all that are registered.
    """

    pid: int
    host: str
    port: int
    version: str
    vaults: tuple[str, ...] = ()
    library: str | None = None
    secret: str = field(default_factory=new_secret, repr=False)
    """What the owner's own programs show to the server, which lets them in as the owner. The file is the owner's alone."""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"}


@contextmanager
def announced(home: Path, presence: Presence) -> Iterator[None]:
    """Keep `serve.json` there for as long as the context lasts. A later server on the same home takes the place over; a
    home that is there and cannot be written is served without it.

    Raises `StartFailure` when home cannot be made.
    """
    file = home / FILE
    try:
        _write(file, presence)
    except OSError as failure:
        if not home.is_dir():
            raise StartFailure(
                f"Cannot write to {home}: {failure.strerror}. Choose another folder with --home."
            ) from None
        log.warning("other commands will not find this server: %s cannot be written: %s", file, failure.strerror)
    try:
        yield
    finally:
        if read(home) == presence:
            with suppress(OSError):
                file.unlink(missing_ok=True)


def _write(file: Path, presence: Presence) -> None:
    """Whole or not at all, for somebody may be reading it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{FILE}.{presence.pid}.tmp")
    try:
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(asdict(presence)), encoding="utf-8")
        draft.replace(file)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def read(home: Path) -> Presence | None:
    """What the file says; the server may be long gone."""
    try:
        said = json.loads((home / FILE).read_text(encoding="utf-8"))
        return Presence(**{**said, "vaults": tuple(said["vaults"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def left_over(home: Path) -> list[Path]:
    """The files of servers, when none is running."""
    return sorted(home.glob(f"{FILE}*"))


def running(home: Path) -> Presence | None:
    """The server of this home, if it is alive and answers for itself: a left-over file names a process that is gone,
    or a port that belongs to somebody else by now."""
    presence = read(home)
    return presence if presence is not None and _alive(presence.pid) and _answers(presence) else None


def _alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # signal 0 ends processes there; the answer on the port decides
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True


def _answers(presence: Presence) -> bool:
    connection = http.client.HTTPConnection(presence.host, presence.port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/health", headers=presence.headers)
        said: Any = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()
    return isinstance(said, dict) and said.get("pid") == presence.pid
