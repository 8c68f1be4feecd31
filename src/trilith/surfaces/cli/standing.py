"""How libraries and their index are, as people read it. Pure, as `show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from trilith.surfaces.cli.show import capped, counted
from trilith.surfaces.cli.terminal import harmless, one_line

Json = dict[str, Any]


def libraries(registered: list[Json]) -> Iterator[str]:
    """A line for each registered library."""
    for library in registered:
        mark = "  (read-only)" if library["read_only"] else ""
        yield f"{typer.style(library['name'], bold=True)}  {typer.style(library['root'], fg=typer.colors.CYAN)}{mark}"
    if not registered:
        yield "No library is registered yet: trilith library add PATH"


def indexed(report: Json) -> str:
    """What `index` did to one library."""
    return (
        f"{report['name']}: {counted(report['documents'], 'note')} ({report['read']} read, {report['touched']} moved or touched, "
        f"{report['dropped']} gone), {counted(report['embedded'], 'chunk')} embedded, {report['seconds']:.1f} s"
    )


def status(answer: Json) -> Iterator[str]:
    """The state of each library and of search by meaning."""
    for library in answer["libraries"]:
        yield f"{typer.style(library['name'], bold=True)}  {typer.style(library['root'], fg=typer.colors.CYAN)}"
        yield f"  {STATES[library['state']]}, {counted(library['documents'], 'note')}"
        if library["problem"]:
            yield f"  {library['problem']}"
        yield f"  last looked over: {library['last_scan'] or 'never; run `trilith index`'}"
        pending = library["pending"]
        if pending["fulltext"] or pending["vectors"]:
            yield f"  waiting: {counted(pending['fulltext'], 'note')} to be read, {counted(pending['vectors'], 'chunk')} for a vector"
        if library["advice"]:
            yield f"  {library['advice']}"
        if library["skipped"]:
            yield f"  skipped: {counted(len(library['skipped']), 'file')}"
            yield from capped([f"    {one_line(f['path'])}: {f['reason']}" for f in library["skipped"]], "    ")
    semantic = answer["semantic"]
    reason = f" ({semantic['reason']})" if semantic["reason"] else ""
    yield f"search by meaning: {semantic['state']}{reason}"


STATES = {
    "starting": "not read yet",
    "indexing": "still indexing",
    "ready": "ready",
    "unavailable": typer.style("cannot be read", fg=typer.colors.RED),
}


def diagnosis(answer: Json) -> Iterator[str]:
    """What was mended, what was looked at, what is wrong and what to do."""
    for repair in answer.get("repairs", ()):
        yield f"{typer.style('mended', fg=typer.colors.CYAN)}  {repair['name']}: {harmless(repair['message'])}"
    if answer.get("repairs") == []:
        yield "Nothing had to be mended."
    for check in answer["checks"]:
        yield f"{VERDICTS[check['verdict']]}  {check['name']}: {harmless(check['message'])}"
        if check["next_step"]:
            yield f"        {check['next_step']}"
    if answer["problems"]:
        count = len(answer["problems"])
        yield f"{count} {'oddity' if count == 1 else 'oddities'} in files and links:"
        for code in dict.fromkeys(found["code"] for found in answer["problems"]):
            # Of each kind some: one file with a thousand broken links must not hide the one that cannot be read.
            yield from capped([f"  {_problem(each)}" for each in answer["problems"] if each["code"] == code], "  ")


VERDICTS = {
    "ok": typer.style("ok    ", fg=typer.colors.GREEN),
    "notice": typer.style("notice", fg=typer.colors.YELLOW),
    "failed": typer.style("FAILED", fg=typer.colors.RED),
}


def _problem(found: Json) -> str:
    line = f":{found['line']}" if found["line"] else ""
    return f"{found['library']}: {one_line(found['path'])}{line}: {one_line(found['message'])}"
