"""The commands, and what happens around each: options are read, errors told, the exit status set.

Light by design: of all commands only the one that was named is imported, and an engine, a web framework or a model by the
command that needs it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from trilith import __version__
from trilith.errors import TrilithError
from trilith.surfaces.cli.failing import INTERRUPTED, explain, explain_surprise, explain_usage

NEW_OBJECTS = 10_000
"""After so many the collector looks for garbage. Imports make far more, all of which stay: looked over after every 700, as
is usual, they cost a tenth of a start."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit with its status: 0, 1 (not found or failed) or 2 (not understood)."""
    gc.set_threshold(NEW_OBJECTS)
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit status."""
    as_json = "--json" in arguments
    color = False if os.environ.get("NO_COLOR") else None
    try:
        status = get_command(build(*arguments[:1])).main(
            list(arguments), prog_name="trilith", standalone_mode=False, color=color
        )
    except TrilithError as failure:
        return explain(failure, as_json=as_json)
    except typer.TyperException as failure:
        return explain_usage(failure, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as failure:  # noqa: BLE001 - whatever it was, it is told whole and ends with an exit status
        return explain_surprise(failure, as_json=as_json)
    return status if isinstance(status, int) else 0


def build(named: str = "") -> typer.Typer:
    """The command or group of this name with its options; all of them where there is none of this name."""
    cli = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    cli.callback(invoke_without_command=True)(_start)
    is_known = named in COMMANDS or named in GROUPS
    for name, place in COMMANDS.items():
        if name == named or not is_known:
            cli.command(name)(_command(place))
    for name, (purpose, members) in GROUPS.items():
        if name == named or not is_known:
            cli.add_typer(_group(purpose, members), name=name)
    return cli


def _group(purpose: str, members: Mapping[str, str]) -> typer.Typer:
    group = typer.Typer(help=purpose)
    group.callback(invoke_without_command=True)(_help_without_command)
    for name, place in members.items():
        group.command(name)(_command(place))
    return group


def _command(place: str) -> Callable[..., int | None]:
    module, _, function = place.partition(".")
    command: Callable[..., int | None] = getattr(import_module(f"trilith.surfaces.cli.{module}"), function)
    return command


COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "serve": "doors.serve",
        "mcp": "doors.mcp",
        "search": "querying.search",
        "read": "querying.read",
        "list": "querying.list_notes",
        "related": "querying.related",
        "write": "changing.write",
        "edit": "changing.edit",
        "move": "changing.move",
        "delete": "changing.delete",
        "restore": "changing.restore",
        "index": "upkeep.index",
        "status": "upkeep.status",
        "doctor": "upkeep.doctor",
        "backup": "backup.backup",
        "audit": "office.audit",
        "eval": "evaluating.evaluate",
    }
)
"""Where each lies: a module of this room, and its function."""

GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType(
    {
        "library": (
            "Register folders of notes, or forget them.",
            {
                "add": "libraries.add",
                "list": "libraries.list_libraries",
                "folders": "libraries.folders",
                "move": "libraries.move",
                "remove": "libraries.remove",
            },
        ),
        "user": ("Make users.", {"add": "office.add_user", "list": "office.list_users"}),
        "grant": (
            "Let users into each other's libraries.",
            {"add": "office.add_grant", "list": "office.list_grants", "remove": "office.remove_grant"},
        ),
        "key": (
            "Make keys, and take them back.",
            {"create": "office.create_key", "list": "office.list_keys", "revoke": "office.revoke_key"},
        ),
    }
)


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
