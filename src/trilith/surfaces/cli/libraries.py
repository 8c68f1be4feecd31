"""`trilith library add`, `list`, `folders`, `move` and `remove`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from trilith.model.principal import OWNER, Library
from trilith.surfaces.cli import office, options, standing
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json

Path_ = Annotated[Path, typer.Argument(metavar="PATH", help="Folder of Markdown notes.")]
Owner = Annotated[str, typer.Option("--owner", metavar="USER", help="Whose library it is.")]
Hide = Annotated[
    list[str] | None,
    typer.Option("--hide", metavar="FOLDER", help="Folder that does not exist for whoever asks Trilith; repeat it."),
]
Protect = Annotated[
    list[str] | None, typer.Option("--protect", metavar="FOLDER", help="Folder that may only be read; repeat it.")
]
Clear = Annotated[bool, typer.Option("--clear", help="Drop the rules that there were.")]
NewName = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="What to call it. Default: after the folder.")
]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Never write to it, through whatever door.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the library.")]


def add(
    path: Path_,
    *,
    name: NewName = None,
    owner: Owner = OWNER,
    read_only: ReadOnly = False,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Register a folder of notes. Nothing is written into it."""
    scope = choose(home, path, None)
    from trilith.access.libraries import register
    from trilith.wiring import open_app

    with open_app(scope.settings) as app:
        with office.opened(home) as books:
            books.user(owner)
        library = register(app.indexer.scanner.ledger, scope.vaults[0], name, owner=owner, read_only=read_only)
    if json:
        answer_json(_shown(library))
    else:
        answer(f"Library '{library.name}' is {library.root}. `trilith index --library {library.name}` reads it now.")
        closed = [f"{folder}/ is hidden" for folder in library.hidden]
        closed += [f"{folder}/ may only be read" for folder in library.protected]
        if closed:
            answer(f"By its rules for folders {', '.join(closed)}; see `trilith library folders {library.name}`.")


def list_libraries(*, home: options.Home = None, json: options.AsJson = False) -> None:
    """List the registered folders of notes."""
    scope = choose(home, None, None)
    from trilith.wiring import open_app

    with open_app(scope.settings) as app:
        libraries = [_shown(each) for each in app.gate.libraries()]
    if json:
        answer_json({"libraries": libraries})
        return
    for line in standing.libraries(libraries):
        answer(line)


def folders(
    name: Name,
    *,
    hide: Hide = None,
    protect: Protect = None,
    clear: Clear = False,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Show which folders of a library are hidden or may only be read, or add to them."""
    with office.opened(home) as books:
        former = books.library(name)
        kept = ((), ()) if clear else (former.hidden, former.protected)
        library = books.set_folders(name, [*kept[0], *(hide or ())], [*kept[1], *(protect or ())])
    if json:
        answer_json(_shown(library))
        return
    for what, rule in (("hidden", library.hidden), ("read-only", library.protected)):
        answer(f"{what}: {', '.join(f'{each}/' for each in rule) or 'none'}")


def move(name: Name, path: Path_, *, home: options.Home = None, json: options.AsJson = False) -> None:
    """Say where the folder of a library has been moved to. Ids, keys, grants, trash and vectors stay."""
    scope = choose(home, path, None)
    from trilith.access.libraries import moved
    from trilith.wiring import open_app

    with open_app(scope.settings) as app:
        library = moved(app.indexer.scanner.ledger, name, scope.vaults[0])
    if json:
        answer_json(_shown(library))
    else:
        answer(f"Library '{library.name}' is {library.root} now.")


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


def _shown(library: Library) -> dict[str, Any]:
    return {
        "name": library.name,
        "root": library.root,
        "owner": library.owner,
        "read_only": library.read_only,
        "hidden": list(library.hidden),
        "protected": list(library.protected),
    }
