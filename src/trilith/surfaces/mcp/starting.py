"""What every server does first: a look at what it was asked to serve, and an app that opens behind its back."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from trilith.errors import InvalidInput

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.settings import Settings


def check_folders(vaults: Sequence[Path]) -> None:
    """Raises `InvalidInput` for a path that is no folder or cannot be read: better now than in the first answer."""
    for vault in vaults:
        if not vault.is_dir():
            what = "is a file" if vault.exists() else "does not exist"
            raise InvalidInput(f"'{vault}' {what}; give a folder of Markdown notes.", field="path")
        if not os.access(vault, os.R_OK | os.X_OK):
            raise InvalidInput(f"'{vault}' cannot be read; check its permissions.", field="path")


def can_write(settings: Settings, vaults: Sequence[Path], library: str | None) -> bool:
    """Whether any library in scope may be written, as far as that can be told before anything is opened."""
    if settings.read_only:
        return False
    from trilith.home.layout import Home
    from trilith.home.registered import registered

    known = registered(Home(settings.home).ledger)
    roots = {str(vault.resolve()) for vault in vaults}
    if roots:
        return not roots <= {each.root for each in known if each.read_only}
    meant = [each for each in known if library in (None, each.name)]
    return not meant or not all(each.read_only for each in meant)


def log_to_stderr(level: str) -> None:
    """Everything that is logged goes to stderr, from `level` on."""
    logging.basicConfig(stream=sys.stderr, level=level.upper(), format="%(levelname)s %(name)s: %(message)s")


def opened(
    settings: Settings, vaults: Sequence[Path], library: str | None, *, follow: bool = True
) -> Callable[[], AbstractContextManager[App]]:
    """What an `Opening` needs: the app, its vaults followed while it is open, or looked over once."""

    @contextmanager
    def open_and_follow() -> Iterator[App]:
        from trilith.surfaces.mcp.freed import give_back

        give_back()
        from trilith.wiring import open_app  # engines and model: seconds that no handshake waits for

        chosen = settings if follow else settings.model_copy(update={"watch": "off"})
        with open_app(chosen, vaults, library) as app:
            app.follower.start()
            try:
                yield app
            finally:
                app.follower.stop()

    return open_and_follow
