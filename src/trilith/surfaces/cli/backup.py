"""`trilith backup`: a copy of what cannot be derived from the notes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from trilith.surfaces.cli import options
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json

Target = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="Where the copy goes. Default: a new file here, named after the time."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite FILE when it is there.")]


def backup(
    file: Target = None, *, force: Force = False, home: options.Home = None, json: options.AsJson = False
) -> None:
    """Copy the ledger: ids, libraries, versions, what is in the trash. Servers may go on meanwhile.

    Everything else in home is built from the notes, but for trilith.toml and the folder trash. To restore: end every
    Trilith, put the copy in place of ledger.db in home, and remove ledger.db-wal and ledger.db-shm.
    """
    scope = choose(home, None, None)
    from trilith.home.backup import back_up
    from trilith.home.layout import Home

    target = _target(file).absolute()
    size = back_up(Home(scope.settings.home).ledger, target, overwrite=force)
    if json:
        answer_json({"file": str(target), "bytes": size})
    else:
        answer(f"{target}  ({size:,} bytes)")


def _target(file: Path | None) -> Path:
    name = f"trilith-ledger-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    if file is None:
        return Path(name)
    given = file.expanduser()
    return given / name if given.is_dir() else given
