"""`trilith serve`: every door of HTTP on one port, until a signal comes."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from trilith import __version__
from trilith.access.keys import holds
from trilith.clock import SystemClock
from trilith.surfaces.http.address import is_loopback, listen, place, url
from trilith.surfaces.http.callers import Doorkeeper
from trilith.surfaces.http.presence import Presence, announced
from trilith.surfaces.mcp.starting import can_write, check_folders, log_to_stderr, opened

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.model.principal import Key
    from trilith.settings import Settings
    from trilith.surfaces.http.meter import Meter
    from trilith.surfaces.opening import Opening


def run(settings: Settings, vaults: Sequence[Path], library: str | None, *, follow: bool = True) -> int:
    """Serve until SIGTERM or SIGINT; the exit status.

    Call it last and on the main thread: the process ends within seconds of the signal even where a thread is still busy.

    Args:
        vaults: folders to serve. Empty: `library`, or all that are registered.
        follow: whether changes of the files are followed; if not, they are looked over once.

    Raises `InvalidInput` for a path that is no folder, `StartFailure` for an address that cannot be had and for a
    home that cannot be written.
    """
    check_folders(vaults)
    keys = _keys(settings)
    with listen(settings.host, settings.port, keyed=any(holds(key, SystemClock().now()) for key in keys())) as listener:
        log_to_stderr(settings.log_level)
        presence = _presence(listener, vaults, library)
        opening = opened(settings, vaults, library, follow=follow)
        doorkeeper = _doorkeeper(settings, keys, presence)
        _serve(settings, listener, presence, doorkeeper, opening, writable=can_write(settings, vaults, library))
    return 0


def _keys(settings: Settings) -> Callable[[], tuple[Key, ...]]:
    """All keys that were ever made, as the ledger has them from now on."""
    from trilith.home.accounts import SqliteAccounts
    from trilith.home.layout import Home
    from trilith.home.ledgerfile import LedgerFile

    home = Home(settings.home)
    return SqliteAccounts(LedgerFile(home.ledger, home.fault())).keys


def _doorkeeper(settings: Settings, keys: Callable[[], tuple[Key, ...]], presence: Presence) -> Doorkeeper:
    from trilith.settings import kept_up

    now = kept_up(settings)
    return Doorkeeper(
        keys=keys,
        own=presence.secret,
        open_without_keys=is_loopback(settings.host),
        anonymous=lambda: now().anonymous == "public",
        per_minute=lambda: now().rate_limit,
        clock=SystemClock(),
    )


def _serve(
    settings: Settings,
    listener: socket.socket,
    presence: Presence,
    doorkeeper: Doorkeeper,
    open_app: Callable[[], AbstractContextManager[App]],
    *,
    writable: bool,
) -> None:
    from trilith.surfaces.http.application import application
    from trilith.surfaces.http.meter import Meter
    from trilith.surfaces.http.process import serve

    meter = Meter()
    app = application(
        measured(open_app, meter),
        settings.dialects,
        settings.host,
        doorkeeper,
        meter,
        ready=lambda: _tell(listener, settings.dialects),
        writable=writable,
    )
    with announced(settings.home, presence):
        serve(app, listener)


def measured(open_app: Callable[[], AbstractContextManager[App]], meter: Meter) -> Opening:
    """An opening of the app that `open_app` opens, whose searches `meter` measures."""
    from trilith.surfaces.opening import Opening

    @contextmanager
    def open_measured() -> Iterator[App]:
        with open_app() as app:
            from trilith.surfaces.http.timing import timed

            yield timed(app, meter)

    return Opening(open_measured)


def _presence(listener: socket.socket, vaults: Sequence[Path], library: str | None) -> Presence:
    host, port = place(listener)
    return Presence(
        pid=os.getpid(),
        host=host,
        port=port,
        version=__version__,
        vaults=tuple(str(vault.resolve()) for vault in vaults),
        library=library,
    )


def _tell(listener: socket.socket, dialects: Sequence[str]) -> None:
    base = url(listener)
    paths = ", ".join(f"{base}/mcp/{dialect}" for dialect in dialects)
    doors = f"its page at {base}/, MCP at {paths} and REST at {base}/api/v1"
    print(f"Trilith {__version__} serves {doors}", file=sys.stderr, flush=True)  # noqa: T201
