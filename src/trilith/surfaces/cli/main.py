"""The commands, and what happens around each: options are read, errors told, the exit status set.

Light by design: an engine, a web framework or a model is imported by the command that needs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from trilith import __version__
from trilith.errors import TrilithError
from trilith.surfaces.cli import backup, changing, doors, evaluating, libraries, office, querying, upkeep
from trilith.surfaces.cli.failing import INTERRUPTED, explain, explain_surprise, explain_usage


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit with its status: 0, 1 (not found or failed) or 2 (not understood)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit status."""
    as_json = "--json" in arguments
    color = False if os.environ.get("NO_COLOR") else None
    try:
        status = get_command(build()).main(list(arguments), prog_name="trilith", standalone_mode=False, color=color)
    except TrilithError as failure:
        return explain(failure, as_json=as_json)
    except typer.TyperException as failure:
        return explain_usage(failure, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as failure:  # noqa: BLE001 - whatever it was, it is told whole and ends with an exit status
        return explain_surprise(failure, as_json=as_json)
    return status if isinstance(status, int) else 0


def build() -> typer.Typer:
    """Every command with its options."""
    cli = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    cli.callback(invoke_without_command=True)(_start)
    commands: dict[str, Callable[..., int | None]] = {
        "serve": doors.serve,
        "mcp": doors.mcp,
        "search": querying.search,
        "read": querying.read,
        "list": querying.list_notes,
        "related": querying.related,
        "write": changing.write,
        "edit": changing.edit,
        "move": changing.move,
        "delete": changing.delete,
        "restore": changing.restore,
        "index": upkeep.index,
        "status": upkeep.status,
        "doctor": upkeep.doctor,
        "backup": backup.backup,
        "audit": office.audit,
        "eval": evaluating.evaluate,
    }
    for name, command in commands.items():
        cli.command(name)(command)
    for name, (purpose, members) in _GROUPS.items():
        group = typer.Typer(help=purpose)
        group.callback(invoke_without_command=True)(_help_without_command)
        for member, command in members.items():
            group.command(member)(command)
        cli.add_typer(group, name=name)
    return cli


_GROUPS: dict[str, tuple[str, dict[str, Callable[..., int | None]]]] = {
    "library": (
        "Register folders of notes, or forget them.",
        {
            "add": libraries.add,
            "list": libraries.list_libraries,
            "folders": libraries.folders,
            "move": libraries.move,
            "remove": libraries.remove,
        },
    ),
    "user": ("Make users.", {"add": office.add_user, "list": office.list_users}),
    "grant": (
        "Let users into each other's libraries.",
        {"add": office.add_grant, "list": office.list_grants, "remove": office.remove_grant},
    ),
    "key": (
        "Make keys, and take them back.",
        {"create": office.create_key, "list": office.list_keys, "revoke": office.revoke_key},
    ),
}


def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Trilith: a folder of Markdown notes as a base that agents search and read."""
    if version:
        typer.echo(f"trilith {__version__}")
        raise typer.Exit
    _help_without_command(context)


def _help_without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _prepare_streams() -> None:
    """A character that a terminal cannot show must not end a command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
