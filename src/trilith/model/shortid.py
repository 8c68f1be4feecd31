"""Short ids: a user's name and the start of a digest, easier to read out than a UUID. Pure.

`ada-3f9c0b` is the note of Ada's whose id has a SHA-256 that begins with `3f9c0b`. Where two notes of a user begin alike,
the older keeps six characters and the newer has as many more as tell it from all that are older.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from trilith.model.ids import NoteId, Num

SHORTEST = 6
"""Hexadecimal digits."""

_WRITTEN = re.compile(r"(?s)(?P<owner>.+)-(?P<hex>[0-9a-f]{6,64})")


@dataclass(frozen=True, slots=True)
class Kin:
    """One of the notes of a user whose digests begin alike."""

    num: Num
    id: NoteId
    library: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ShortId:
    owner: str
    hex: str

    def __str__(self) -> str:
        return f"{self.owner}-{self.hex}"


def parse_short(text: str) -> ShortId | None:
    """None when `text` is no short id."""
    match = _WRITTEN.fullmatch(text.strip())
    return None if match is None else ShortId(match["owner"], match["hex"])


def digest_of(note_id: NoteId) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(note_id.encode()).hexdigest()


def shortened(kin: Iterable[Kin]) -> dict[Num, str]:
    """The digits of each of the notes, which are all that a user has with this beginning."""
    given: dict[Num, str] = {}
    older: list[str] = []
    for note in sorted(kin, key=lambda each: (each.created_at, each.id)):
        digest = digest_of(note.id)
        others = [other for other in older if other != digest]
        length = next(n for n in range(SHORTEST, 65) if not any(other.startswith(digest[:n]) for other in others))
        given[note.num] = digest[:length]
        older.append(digest)
    return given


def meant(hex: str, kin: Iterable[Kin]) -> list[Kin]:
    """The notes that `hex` stands for: the one that has these digits, else those that begin so. The second is for ids
    given while an older note was there that is gone by now."""
    candidates = list(kin)
    given = shortened(candidates)
    exact = [note for note in candidates if given[note.num] == hex]
    return exact or [note for note in candidates if len(hex) > SHORTEST and digest_of(note.id).startswith(hex)]
