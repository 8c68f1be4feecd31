"""Which libraries does a process serve, and how does a folder become one?"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from trilith.access.naming import check, free_name
from trilith.errors import InvalidInput, NotFound
from trilith.model.principal import OWNER, Library
from trilith.ports.ledger import Ledger

log = logging.getLogger(__name__)


def served(
    ledger: Ledger, vaults: Sequence[Path], library: str | None, *, read_only: Callable[[], bool] = lambda: False
) -> Callable[[], tuple[Library, ...]]:
    """The libraries in scope, asked anew each time: those of the folders `vaults`, which are registered at first sight;
    else the one called `library`; else all, also those that are added later. While `read_only` none may be written, whatever
    the ledger says of it.

    Raises `InvalidInput` for a path that is no folder, `NotFound` for an unknown library.
    """
    names: frozenset[str] | None = None
    if library is not None:
        names = frozenset({_known(ledger, library)})
    elif vaults:
        names = frozenset(register(ledger, vault).name for vault in vaults)

    def libraries() -> tuple[Library, ...]:
        chosen = (each for each in ledger.libraries() if names is None or each.name in names)
        shut = read_only()
        return tuple(replace(each, read_only=True) if shut else each for each in chosen)

    return libraries


def register(
    ledger: Ledger, vault: Path, name: str | None = None, *, owner: str = OWNER, read_only: bool = False
) -> Library:
    """The library of a folder, made on first sight; without `name` it is called after the folder. A new one takes over the
    rules that other libraries have for folders in it.

    Raises `InvalidInput` when the path is no folder, the name is taken by another one, or the folder is registered
    already and may be written where `read_only` is asked for.
    """
    root = _folder(vault)
    while True:  # until a name is ours, or another process has registered the same folder
        libraries = ledger.libraries()
        for known in libraries:
            if known.root == root and name in (None, known.name):
                if (read_only and not known.read_only) or owner not in (OWNER, known.owner):
                    advice = f"forget it first: trilith library remove {known.name}"
                    otherwise = "not as read-only" if owner in (OWNER, known.owner) else f"as {known.owner}'s"
                    raise InvalidInput(f"'{known.name}' is registered already, {otherwise}; {advice}", field="path")
                return known
        taken = {known.name for known in libraries}
        if name is not None and name in taken:
            raise InvalidInput(f"There is a library named '{name}' already, for another folder.", field="name")
        library = Library(
            name=check(name) if name else free_name(root, taken),
            root=root,
            owner=owner,
            read_only=read_only,
            hidden=closed_in(root, {each.root: each.hidden for each in libraries}),
            protected=closed_in(root, {each.root: each.protected for each in libraries}),
        )
        if ledger.add_library(library):
            _tell_of_lost(library, libraries)
            return library


def _tell_of_lost(new: Library, libraries: Sequence[Library]) -> None:
    """A folder that seems to have been moved is a new one to Trilith, until its owner says otherwise."""
    for each in libraries:
        if PurePath(each.root).name == PurePath(new.root).name and not Path(each.root).is_dir():
            log.warning(
                "'%s' is a new library. If it is what was at %s, say so: trilith library remove %s; trilith library move %s '%s'",
                *(new.name, each.root, new.name, each.name, new.root),
            )


def moved(ledger: Ledger, name: str, vault: Path) -> Library:
    """The library `name` with its vault at another place, where its folder has been moved to.

    Raises `NotFound` for an unknown library, `InvalidInput` when the path is no folder, or that of another library.
    """
    root = _folder(vault)
    known = {each.name: each for each in ledger.libraries()}
    _known(ledger, name)
    other = next((each.name for each in known.values() if each.root == root and each.name != name), None)
    if other is not None:
        raise InvalidInput(
            f"'{root}' is registered as '{other}'; forget that first: trilith library remove {other}", field="path"
        )
    ledger.set_root(name, root)
    return replace(known[name], root=root)


def _folder(vault: Path) -> str:
    """The resolved path of a folder. Raises `InvalidInput`."""
    if not vault.is_dir():
        what = "is a file" if vault.exists() else "does not exist"
        raise InvalidInput(f"'{vault}' {what}; give a folder of Markdown notes.", field="path")
    return str(vault.resolve())


def closed_in(root: str, closed: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Which folders below `root`, relative to it, are `closed`: root of another library -> folders of that one. So a folder
    that its owner has closed is not opened by another name for it, or for what is around it."""
    places = (PurePath(other, folder) for other, folders in closed.items() for folder in folders)
    within = (place.relative_to(root) for place in places if place.is_relative_to(root))
    return tuple(dict.fromkeys(place.as_posix() for place in within if place.parts))


def _known(ledger: Ledger, name: str) -> str:
    names = sorted(each.name for each in ledger.libraries())
    if name not in names:
        raise NotFound(f"No library named '{name}'. Known: {', '.join(names) or 'none'}.", field="library")
    return name
