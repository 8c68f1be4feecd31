"""How do values travel to PostgreSQL and back?

As SQLite keeps them: truth is 0 or 1, every whole number is of one type, so that a statement is prepared once, and a text
may hold NUL, which PostgreSQL's cannot.
"""

from __future__ import annotations

from psycopg import Connection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.types.numeric import Int8Dumper

_ESCAPE = "\U0010fffe"
"""No character, and never one (Unicode, noncharacters), but PostgreSQL keeps it."""
_ESCAPED = _ESCAPE.encode()


def escaped(text: str) -> str:
    if "\0" in text or _ESCAPE in text:
        return text.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")
    return text


def unescaped(text: str) -> str:
    return text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)


class TextDumper(Dumper):
    """Of no type, so that PostgreSQL takes it for what stands beside it."""

    def dump(self, obj: str) -> Buffer:
        return escaped(obj).encode()


class TextLoader(Loader):
    def load(self, data: Buffer) -> str:
        read = bytes(data)
        return unescaped(read.decode()) if _ESCAPED in read else read.decode()


class TruthDumper(Int8Dumper):
    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"


def adapt(connection: Connection) -> None:
    connection.adapters.register_dumper(str, TextDumper)
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_dumper(bool, TruthDumper)
    connection.adapters.register_loader("text", TextLoader)
