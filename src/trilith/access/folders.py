"""Which folders of a library may be written? What an owner protects or hides is refused before anything is touched."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from trilith.access.paths import check
from trilith.errors import PathForbidden, ReadOnly
from trilith.language.normal import fold_case
from trilith.model.principal import Library
from trilith.ports.vault import RawFile, SeenFile, Walk, WritableVault


def check_writable(library: Library, path: str) -> None:
    """Raises `PathForbidden` in a hidden folder, which wins, and `ReadOnly` in a protected one; both name the rule."""
    if (folder := above(path, library.hidden)) is not None:
        raise PathForbidden(
            f"'{folder}/' of library '{library.name}' is closed: nothing is read or written there.", field="path"
        )
    if (folder := above(path, library.protected)) is not None:
        raise ReadOnly(f"'{folder}/' of library '{library.name}' may only be read.", field="path")


def above(path: str, folders: Iterable[str]) -> str | None:
    """That of the folders which a path lies in; case and Unicode form do not matter."""
    key = fold_case(path) + "/"
    return next((folder for folder in folders if key.startswith(fold_case(folder) + "/")), None)


def folder(path: str) -> str:
    """A folder of a vault, as rules name it. Raises `PathForbidden`, also for the vault as a whole."""
    return check(path)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A `WritableVault` that keeps to the rules of its library."""

    vault: WritableVault
    library: Library

    @property
    def root(self) -> str:
        return self.vault.root

    def walk(self) -> Walk:
        return self.vault.walk()

    def read(self, path: str) -> RawFile:
        return self.vault.read(path)

    def look(self, paths: Collection[str]) -> tuple[SeenFile, ...] | None:
        return self.vault.look(paths)

    def resolved(self, path: str) -> str:
        return self.vault.resolved(path)

    def spelled(self, path: str) -> str:
        self._check(path)
        return self.vault.spelled(path)

    def create(self, path: str, data: bytes) -> RawFile:
        self._check(path)
        return self.vault.create(path, data)

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        self._check(path)
        return self.vault.replace(path, data, expected)

    def move(self, path: str, to: str, expected: str) -> RawFile:
        for end in (path, to):
            self._check(end)
        return self.vault.move(path, to, expected)

    def remove(self, path: str, expected: str, trash: str) -> None:
        self._check(path)
        self.vault.remove(path, expected, trash)

    def restore(self, trash: str, path: str) -> RawFile:
        self._check(path)
        return self.vault.restore(trash, path)

    def _check(self, path: str) -> None:
        """As asked, and where it leads by links within the vault."""
        for place in (path, self.vault.resolved(path)):
            check_writable(self.library, place)
