"""How the command line says that something went wrong: `error: message` on stderr, and an exit status."""

from __future__ import annotations

import json
import traceback

import typer

from trilith.dialects.lithos.errors import render_error
from trilith.errors import InvalidInput, TrilithError

FAILED = 1
USAGE = 2
INTERRUPTED = 130


def explain(failure: TrilithError, *, as_json: bool) -> int:
    """Tell what went wrong; the exit status. With `as_json` the error body goes to stdout as well."""
    if as_json:
        typer.echo(json.dumps(render_error(failure), ensure_ascii=False, indent=2))
    typer.echo(f"error: {failure.message}", err=True)
    for candidate in failure.details.get("candidates", ()):
        typer.echo(f"  {candidate['id']}  {candidate['path']}", err=True)
    return failure.exit_status


def explain_usage(failure: typer.TyperException, *, as_json: bool) -> int:
    """Tell that the command was not understood."""
    message = failure.format_message()
    context = getattr(failure, "ctx", None)
    hint = f" See '{context.command_path} --help'." if context is not None else ""
    status = explain(InvalidInput(f"{message.rstrip('.')}.{hint}"), as_json=as_json)
    return max(status, failure.exit_code)


def explain_surprise(failure: Exception, *, as_json: bool) -> int:
    """Tell of a failure that nobody foresaw, with all that helps to mend it."""
    typer.echo("".join(traceback.format_exception(failure)), err=True, nl=False)
    return explain(TrilithError(f"Something went wrong inside Trilith: {failure!r}"), as_json=as_json)
