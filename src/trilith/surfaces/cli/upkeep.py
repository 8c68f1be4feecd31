"""`trilith index`, `status` and `doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from trilith.dialects.native.answers import Answers
from trilith.surfaces.cli import local, options, standing
from trilith.surfaces.cli.asking import asking
from trilith.surfaces.cli.failing import FAILED
from trilith.surfaces.cli.progress import Patient, bars
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json

Mend = Annotated[
    bool, typer.Option("--repair", help="First mend what can be mended without touching a note, and say what was done.")
]
Rebuild = Annotated[bool, typer.Option("--rebuild", help="Throw the index of these notes away first.")]


def index(
    path: options.Folder = None,
    *,
    rebuild: Rebuild = False,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Bring the index level with the files, vectors included."""
    scope = choose(home, path, library)
    from trilith.surfaces.cli.indexing import index_library

    with local.opened(scope) as app, bars() as progress:
        reports = [index_library(app, each, progress, rebuild=rebuild) for each in app.gate.libraries()]
    if json:
        answer_json({"libraries": reports})
        return
    for report in reports:
        answer(standing.indexed(report))


def status(
    *,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Show how far the index is, and which files were skipped and why."""
    with asking(choose(home, vault, library), local.look, quiet=json, whole=True) as source:
        found = source.status()
    if json:
        answer_json(found)
        return
    for line in standing.status(found):
        answer(line)


def doctor(
    *,
    repair: Mend = False,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> int:
    """Look for what is odd or broken, and say what to do. Exit status 1 when something is broken."""
    scope = choose(home, vault, library)
    from trilith.surfaces.cli.checks import forget_dead_servers, own_checks

    repairs = forget_dead_servers(scope) if repair else []
    checks = own_checks(scope)
    with local.opened(scope) as app:
        if repair:
            repairs += [asdict(each) for each in app.mender.mend(app.gate.libraries(), Patient())]
        local.refresh(app)
        found = Answers(app, local.OWNER).examine()
    if repair:
        found["repairs"] = repairs
    found["checks"] = [*checks, *found["checks"]]
    found["healthy"] = found["healthy"] and all(check["verdict"] != "failed" for check in checks)
    if json:
        answer_json(found)
    else:
        for line in standing.diagnosis(found):
            answer(line)
    return 0 if found["healthy"] else FAILED
