"""Which folders must be watched to hear of all changes in a vault, and is there any use in it?"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

from trilith.vault.filesystems import silent_kind
from trilith.vault.heard import Ground
from trilith.vault.walk import folders

BY_FOLDER = sys.platform == "linux"
"""Linux tells of single folders; the others' systems of all that is below one."""

Identity = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The root of a vault as it was last looked at. `ground` is empty when no events are to be had, which `problem`
    explains; the folder was not there when it has no `identity`."""

    identity: Identity | None
    ground: Ground = field(default=Ground())
    problem: str | None = None


def identity_of(root: str) -> Identity | None:
    """What is at this path now: another one after a mount, an unmount or a replacement. None: nothing."""
    try:
        status = os.stat(root)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def survey(root: str, identity: Identity | None, excluded: frozenset[bytes]) -> Watched:
    """What there is to be watched of a root."""
    if identity is None:
        return Watched(None)
    real = os.path.realpath(os.fsencode(root))
    try:
        kind = silent_kind(real)
        if kind is not None:
            return Watched(identity, problem=f"A disk of the kind '{kind}' does not tell of all changes.")
        watched = folders(real, excluded) if BY_FOLDER else (real,)
    except OSError as error:
        return Watched(identity, problem=f"The folder cannot be looked over: {error.strerror}.")
    texts = frozenset(map(os.fsdecode, watched))
    return Watched(identity, Ground(texts, deep=not BY_FOLDER, excluded=frozenset(map(os.fsdecode, excluded))))
