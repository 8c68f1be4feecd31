"""What may a library be called? Pure."""

from __future__ import annotations

import re
from collections.abc import Container

from trilith.errors import InvalidInput

_NAME = re.compile(r"[^\W_](?:[\w-]{0,62}[^\W_])?")
_OTHER = re.compile(r"[\W_]+")


def check(name: str) -> str:
    """`name` when it can stand in a URL, a folder name and a command line. Raises `InvalidInput`."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"'{name}' cannot name a library: use 1 to 64 letters, digits, '-' and '_', with a letter or digit at both ends.",
            field="name",
        )
    return name


def free_name(root: str, taken: Container[str]) -> str:
    """A name for the folder `root` that nobody has yet: its own, made plain, with a number where that is needed."""
    folder = root.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    plain = _OTHER.sub("-", folder.lower()).strip("-")[:60].strip("-") or "vault"
    names = (plain if number == 1 else f"{plain}-{number}" for number in range(1, 10_000_000))
    return next(name for name in names if name not in taken)
