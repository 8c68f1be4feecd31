"""The header of a vector cache: the one small file that says how much of the others counts.

It is replaced whole, by rename, after everything it names is on disk. So a reader sees the former state or the new
one, and whatever a killed writer left beyond it is as if it had never been written.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

FORMAT = 2
"""Raised whenever a file of the cache changes its meaning; caches of another format are built anew."""


class Damaged(Exception):
    """The files of a cache do not fit together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """`rows` vectors and `records` note records of the files named after `generation` count; `sums` are the CRC-32 of what
    counts of each file, by its ending."""

    library: str
    model: str
    width: int
    applied: int
    generation: str
    rows: int
    records: int
    sums: dict[str, int]
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode()


def parse_header(data: bytes) -> Header | None:
    """None when it is of another format. Raises `Damaged` when `data` is not a header."""
    try:
        fields = json.loads(data)
        if fields["format"] != FORMAT:
            return None
        header = Header(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"the header makes no sense ({error})") from error
    numbers = (header.width, header.applied, header.rows, header.records, *header.sums.values())
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise Damaged("the header holds numbers that cannot be")
    return header
