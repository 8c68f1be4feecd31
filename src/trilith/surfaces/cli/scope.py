"""Which notes does a command mean? Flags become settings, folders and a library, checked before anything is opened."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trilith.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from trilith.settings import Settings


@dataclass(frozen=True, slots=True)
class Scope:
    """The settings in force, and the vaults or the library asked for; neither means all that are registered."""

    settings: Settings
    vaults: tuple[Path, ...] = ()
    library: str | None = None


def choose(home: Path | None, vault: Path | None, library: str | None, **flags: Any) -> Scope:
    """Raises `InvalidInput` for a path that is no readable folder, both a folder and a library, and wrong settings."""
    if vault is not None and library is not None:
        raise InvalidInput("Name a folder or a library, not both.", field="library")
    if library is not None and not library.strip():
        raise InvalidInput("The name of a library must not be blank.", field="library")
    from trilith.settings import load

    settings = load(home, **flags)
    return Scope(settings, () if vault is None else (_folder(vault),), library)


def _folder(path: Path) -> Path:
    """The absolute path of a folder that can be read. Raises `InvalidInput`."""
    folder = path.expanduser().resolve()
    try:
        next(os.scandir(folder), None)
    except FileNotFoundError:
        raise InvalidInput(f"'{path}' does not exist; name a folder of Markdown notes.", field="path") from None
    except NotADirectoryError:
        raise InvalidInput(f"'{path}' is a file; name the folder that holds it.", field="path") from None
    except PermissionError:
        raise InvalidInput(f"'{path}' cannot be read by this user; check its permissions.", field="path") from None
    except OSError as failure:
        raise InvalidInput(f"'{path}' cannot be read: {failure.strerror}.", field="path") from None
    return folder


def registered(scope: Scope) -> dict[str, str]:
    """Name -> folder of every registered library."""
    from trilith.home.layout import Home
    from trilith.home.ledger import SqliteLedger
    from trilith.home.ledgerfile import LedgerFile

    home = Home(scope.settings.home)
    ledger = SqliteLedger(LedgerFile(home.ledger, home.fault()))
    try:
        return {library.name: library.root for library in ledger.libraries()}
    finally:
        ledger.close()


def check_registered(scope: Scope) -> None:
    """Raises `NotFound` for a library that is not registered, `InvalidInput` when all are meant and there are none.

    The index tells the same when it is opened; this is for those who answer before they open it.
    """
    if scope.vaults:
        return
    known = registered(scope)
    if scope.library is not None and scope.library not in known:
        raise NotFound(f"No library named '{scope.library}'. Known: {', '.join(known) or 'none'}.", field="library")
    if not known:
        raise nothing_registered(scope)


def nothing_registered(scope: Scope) -> InvalidInput:
    return InvalidInput(
        f"No library is registered in {scope.settings.home}. Name a folder of notes, or register one: "
        "trilith library add PATH",
        field="path",
    )
