"""Where everything lies inside home."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from trilith.errors import StartFailure


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of ledger and indexes, made on first use for its owner alone.

    Raises `StartFailure` when it cannot be made or written.
    """

    root: Path

    def __post_init__(self) -> None:
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            for folder in (self.index, self.trash, self.locks):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as failure:
            raise StartFailure(f"Home {self.root} cannot be made: {failure.strerror}. {_NEXT}") from failure
        for folder in (self.root, self.index, self.locks):
            if not os.access(folder, os.W_OK | os.X_OK):
                raise StartFailure(f"Home {self.root} cannot be written: no right to write in {folder}. {_NEXT}")

    @property
    def ledger(self) -> Path:
        """What cannot be derived: the file to back up."""
        return self.root / "ledger.db"

    @property
    def index(self) -> Path:
        """Everything derived; may be deleted while nothing runs."""
        return self.root / "index"

    @property
    def catalog(self) -> Path:
        return self.index / "catalog.db"

    @property
    def fulltext(self) -> Path:
        return self.index / "fulltext"

    @property
    def vectors(self) -> Path:
        return self.index / "vectors"

    @property
    def trash(self) -> Path:
        """Deleted notes, each under its key."""
        return self.root / "trash"

    @property
    def locks(self) -> Path:
        return self.root / "locks"


def default_home() -> Path:
    """The platform's user data folder for Trilith."""
    return user_data_path("trilith", appauthor=False)


_NEXT = "Choose another folder with --home or TRILITH_HOME, or make this one writable."
