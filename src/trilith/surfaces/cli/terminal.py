"""What reaches the terminal: answers on stdout, everything said about them on stderr."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from typing import Any

import typer

WIDEST = 100
"""Columns that text is wrapped to at most: longer lines are hard to read."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def answer(text: str) -> None:
    """A line or more of the answer."""
    typer.echo(text)


def answer_json(value: dict[str, Any]) -> None:
    """The answer as JSON; in ASCII where stdout cannot show more."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(value, ensure_ascii=not unicode, indent=2))


def remark(text: str) -> None:
    """Something about the answer."""
    typer.echo(typer.style(text, dim=True), err=True)


def warn(text: str) -> None:
    """Something about the answer that the reader had better know."""
    typer.echo(f"{typer.style('warning:', fg=typer.colors.YELLOW)} {text}", err=True)


def harmless(text: str) -> str:
    """`text` without the control characters by which a note could drive a terminal; tabs and line ends stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    return harmless(" ".join(text.split()))


def columns() -> int:
    """How wide text is."""
    return max(min(shutil.get_terminal_size().columns, WIDEST), 40)


def wrapped(text: str, indent: str) -> str:
    """`text` as a paragraph within the terminal's width."""
    return textwrap.fill(one_line(text), columns(), initial_indent=indent, subsequent_indent=indent)


def answer_text(text: str) -> None:
    """The text of a note: exactly as it stands where something else reads it, harmless where people do."""
    if sys.stdout.isatty():
        typer.echo(harmless(text))
    else:
        sys.stdout.write(text)
