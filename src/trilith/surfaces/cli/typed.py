"""What a person gives to a change: a text from an option, a file or stdin, one operation, a name."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import BinaryIO

from trilith.errors import ContentTooLarge, InvalidInput

MOST_BYTES = 4_000_000
"""Of a text that is read at all; what a note may have is less, and is checked where notes are written."""


def given_text(content: str | None, file: Path | None, *, keep: bool) -> str | None:
    """The text of a note. Without an option it is what stands in stdin, unless that is a terminal.

    Args:
        keep: the note has a text that may stay: nothing in stdin, or a terminal, then gives None.

    Raises `InvalidInput` for two texts, none, and a file that cannot be read.
    """
    if content is not None and file is not None:
        raise InvalidInput("Give --content or --file, not both.", field="content")
    if content is not None:
        return content
    if file is not None and str(file) != "-":
        return _decoded(_read(file), str(file))
    if sys.stdin is None or sys.stdin.isatty():
        if keep:
            return None
        raise InvalidInput("There is no text: give --content or --file, or send it to stdin.", field="content")
    text = _decoded(_bounded(sys.stdin.buffer), "stdin")
    return text if text or not keep else None


def one_operation(**given: object) -> str:
    """The name of the one option that is given. Raises `InvalidInput` for none and for several."""
    names = [name for name, value in given.items() if value is not None and value != []]
    if len(names) != 1:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise InvalidInput(f"Give exactly one of {options}.", field="operation")
    return names[0]


def login_name() -> str:
    """Who sits at this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user whom the system does not know by name, as in containers
        return "owner"


def _read(file: Path) -> bytes:
    try:
        with file.expanduser().open("rb") as opened:
            return _bounded(opened)
    except OSError as failure:
        raise InvalidInput(f"'{file}' cannot be read: {failure.strerror}.", field="file") from None


def _bounded(stream: BinaryIO) -> bytes:
    """All bytes of a stream. Raises `ContentTooLarge` instead of reading one that may have no end."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ContentTooLarge(f"The text has more than {MOST_BYTES} bytes; a note has less.", field="content")
    return data


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise InvalidInput(f"{name} is not UTF-8 (line {line}).", field="content") from None
