"""The bytes of one file, bounded."""

from __future__ import annotations

import errno
import hashlib
import os
import stat

from trilith.ports.vault import RawFile, Stamp

HEAD_LIMIT = 10_000_000
"""Bytes of a file that are kept; longer ones are served by their head."""

_PIECE = 1 << 20
OPEN_TO_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
"""Never through a link that has appeared since the path was resolved, and never waiting for a pipe's other end."""


def read_file(path: bytes, limit: int = HEAD_LIMIT) -> RawFile:
    """Raises `OSError`; `EINVAL` for what is not a regular file."""
    with os.fdopen(os.open(path, OPEN_TO_READ), "rb") as file:
        # Taken before the bytes: a file written to meanwhile then differs from its stamp, and is read again.
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "Not a regular file")
        head = file.read(limit)
        digest, rest = hashlib.sha256(head), 0
        while piece := file.read(_PIECE):
            digest.update(piece)
            rest += len(piece)
    return RawFile(
        data=whole_characters(head) if rest else head,
        checksum=digest.hexdigest(),
        stamp=stamp_of(status, status.st_ino),
        created_ns=created_ns(status),
        truncated=rest > 0,
    )


def stamp_of(status: os.stat_result, inode: int) -> Stamp:
    """`inode` comes apart, because Windows leaves it out of a directory entry's status."""
    changed = 0 if os.name == "nt" else status.st_ctime_ns
    return Stamp(size=status.st_size, mtime_ns=status.st_mtime_ns, ctime_ns=changed, inode=inode)


def created_ns(status: os.stat_result) -> int:
    """Birth time where the platform tells it, else the earliest time known."""
    exact = getattr(status, "st_birthtime_ns", None)
    rounded = getattr(status, "st_birthtime", None)
    if exact is not None:
        return int(exact)
    return int(rounded * 1e9) if rounded is not None else min(status.st_mtime_ns, status.st_ctime_ns)


def whole_characters(head: bytes) -> bytes:
    """Without the first part of a UTF-8 character whose rest was cut off."""
    for length in range(1, min(4, len(head)) + 1):
        byte = head[-length]
        if byte & 0b1100_0000 != 0b1000_0000:
            needed = 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return head[:-length] if needed > length else head
    return head
