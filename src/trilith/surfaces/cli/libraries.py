"""`trilith library add`, `list` and `remove`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trilith.surfaces.cli import options, show
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json

Path_ = Annotated[Path, typer.Argument(metavar="PATH", help="Folder of Markdown notes.")]
NewName = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="What to call it. Default: after the folder.")
]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Never write to it, through whatever door.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the library.")]


def add(
    path: Path_,
    *,
    name: NewName = None,
    read_only: ReadOnly = False,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Register a folder of notes. Nothing is written into it."""
    scope = choose(home, path, None)
    from trilith.access.libraries import register
    from trilith.wiring import open_app

    with open_app(scope.settings) as app:
        library = register(app.indexer.scanner.ledger, scope.vaults[0], name, read_only=read_only)
    if json:
        answer_json({"name": library.name, "root": library.root, "read_only": library.read_only})
    else:
        answer(f"Library '{library.name}' is {library.root}. `trilith index --library {library.name}` reads it now.")


def list_libraries(*, home: options.Home = None, json: options.AsJson = False) -> None:
    """List the registered folders of notes."""
    scope = choose(home, None, None)
    from trilith.wiring import open_app

    with open_app(scope.settings) as app:
        libraries = [
            {"name": each.name, "root": each.root, "read_only": each.read_only} for each in app.gate.libraries()
        ]
    if json:
        answer_json({"libraries": libraries})
        return
    for line in show.libraries(libraries):
        answer(line)


def remove(name: Name, *, home: options.Home = None, json: options.AsJson = False) -> None:
    """Forget a library and its index. The notes themselves are not touched."""
    scope = choose(home, None, name)
    from trilith.surfaces.cli.indexing import forget
    from trilith.wiring import open_app

    with open_app(scope.settings, library=name) as app:
        library = app.gate.library(name)
        app.indexer.scanner.ledger.remove_library(name)
        forget(app, name)
    if json:
        answer_json({"name": library.name, "root": library.root})
    else:
        answer(f"Library '{library.name}' is forgotten; the notes in {library.root} are untouched.")
