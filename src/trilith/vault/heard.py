"""What does an event at a path mean for a vault?"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field

from trilith.vault.names import HIDDEN, IGNORE_FILE, TEMPORARY, is_in_hidden, why_skipped

MANY = 1_000
"""Paths in one burst from which on the system may have dropped some, new folders among them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where events are of interest: in each of `folders`; with `deep` also in all visible folders below them but
    `excluded`. Absolute resolved paths."""

    folders: frozenset[str] = frozenset()
    deep: bool = False
    excluded: frozenset[str] = field(default=frozenset())

    def covers(self, path: str) -> bool:
        """Whether an event at `path` may have changed what a walk finds."""
        folder, name = os.path.split(path)
        if path in self.folders or not name:
            return True
        if name != IGNORE_FILE and why_skipped(name) in (HIDDEN, TEMPORARY):
            return False
        return folder in self.folders or (self.deep and self._is_below(folder))

    def _is_below(self, folder: str) -> bool:
        if any(_is_within(folder, each) for each in self.excluded):
            return False
        return any(_is_within(folder, top) and not is_in_hidden(_relative(folder, top)) for top in self.folders)


def calls_for_a_survey(paths: Collection[str]) -> bool:
    """Whether there may be folders now from which nothing is heard yet."""
    return len(paths) > MANY or any(os.path.basename(path) == IGNORE_FILE or os.path.isdir(path) for path in paths)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _relative(path: str, folder: str) -> str:
    return path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
