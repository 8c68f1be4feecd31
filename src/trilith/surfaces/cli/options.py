"""The options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="PATH", help="Folder of Markdown notes. Default: every registered library."),
]
Vault = Annotated[
    Path | None,
    typer.Option("--vault", metavar="PATH", help="Folder of notes to ask; registered as a library when it is new."),
]
Library = Annotated[
    str | None,
    typer.Option("--library", metavar="NAME", help="Registered library that is meant. Default: all of them."),
]
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="PATH",
        help="Folder of settings and indexes. Default: $TRILITH_HOME, else the user's data folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, on errors too.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="Most notes to show; above 200 counts as 200.")]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", metavar="TAG", help="Only notes with this tag or one below it. Repeat it: all must be there."
    ),
]
Author = Annotated[str | None, typer.Option("--author", metavar="NAME", help="Only notes by this author.")]
PathPrefix = Annotated[
    str | None, typer.Option("--path-prefix", metavar="FOLDER", help="Only notes below this folder of the vault.")
]
ModifiedAfter = Annotated[
    str | None,
    typer.Option("--modified-after", metavar="TIME", help="Only notes updated at or after this ISO 8601 time."),
]
ModifiedBefore = Annotated[
    str | None, typer.Option("--modified-before", metavar="TIME", help="Only notes updated before this ISO 8601 time.")
]
CreatedAfter = Annotated[
    str | None,
    typer.Option("--created-after", metavar="TIME", help="Only notes created at or after this ISO 8601 time."),
]
CreatedBefore = Annotated[
    str | None, typer.Option("--created-before", metavar="TIME", help="Only notes created before this ISO 8601 time.")
]
Where = Annotated[
    str | None,
    typer.Option(
        "--where", metavar="JSON", help='Only notes with these frontmatter properties, such as \'{"status": "doing"}\'.'
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option("--log-level", metavar="LEVEL", help="debug, info, warning (default), error or critical, on stderr."),
]
