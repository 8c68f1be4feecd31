"""Where everything lies inside home."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trilith.errors import StartFailure
from trilith.home.room import lack


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of ledger and indexes, made on first use for its owner alone.

    Raises `StartFailure` when it cannot be made. One that is there and cannot be written can still be read: see `fault`.
    """

    root: Path

    def __post_init__(self) -> None:
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            for folder in (self.index, self.trash, self.locks):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as failure:
            if not self.ledger.is_file():
                raise StartFailure(f"Home {self.root} cannot be made: {failure.strerror}. {_NEXT}") from failure

    def fault(self) -> str | None:
        """Why nothing can be written here now, and what to do; None when all is well. Takes a fraction of a millisecond."""
        with suppress(OSError):  # somebody may have cleared home; where it cannot be made again the trial tells
            self.locks.mkdir(mode=0o700, exist_ok=True)
        for folder in (self.root, self.locks):
            found = lack(folder)
            if found is not None:
                return f"Home {self.root} cannot be written: {found}"
        return None

    @property
    def ledger(self) -> Path:
        """What cannot be derived: the file to back up."""
        return self.root / "ledger.db"

    @property
    def audit(self) -> Path:
        """Who did what; may be deleted."""
        return self.root / "audit.db"

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
    def chunks(self) -> Path:
        """Full text again, by chunk."""
        return self.index / "chunks"

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
    from platformdirs import user_data_path  # for those alone who name no home

    return user_data_path("trilith", appauthor=False)


_NEXT = "Choose another folder with --home or TRILITH_HOME, or make this one writable."
