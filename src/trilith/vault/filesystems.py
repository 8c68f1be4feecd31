"""Does the disk that a folder is on tell of changes? Those of other machines' disks tell only of this machine's."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

LOCAL = frozenset(
    {
        *("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "bcachefs", "f2fs", "jfs", "nilfs2", "reiserfs"),
        *("tmpfs", "ramfs", "rootfs", "overlay", "aufs", "ecryptfs", "squashfs", "erofs"),
        *("vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk", "hfs", "hfsplus", "iso9660", "udf"),
    }
)
"""File systems of Linux that only this machine writes to. Whatever is not named here, as NFS, SMB, 9p (WSL's `/mnt/c`),
virtiofs and FUSE (shares of virtual machines), may change without a word."""

_MOUNTS = Path("/proc/self/mountinfo")
_OCTAL = re.compile(rb"\\([0-7]{3})")


def silent_kind(folder: bytes) -> str | None:
    """The kind of file system, when it is not known to tell of all changes in `folder`, a resolved path; else None.

    Linux tells the kind; of Windows' only network paths are known, and of macOS' nothing: events are believed there.
    Raises `OSError` when the mounts cannot be read.
    """
    if os.name == "nt":
        return "network path" if folder.startswith(b"\\\\") and not folder.startswith(b"\\\\?\\") else None
    if sys.platform != "linux":
        return None
    kind = kind_at(_MOUNTS.read_bytes(), folder)
    return None if kind in LOCAL else kind


def kind_at(mountinfo: bytes, folder: bytes) -> str:
    """The file system type at a resolved path, by the text of `/proc/self/mountinfo` (proc(5)): the longest mount point
    above it, the last of those mounted over each other. Empty when there is none."""
    kind, length = b"", -1
    for line in mountinfo.splitlines():
        before, _, after = line.partition(b" - ")
        point = _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), before.split()[4])
        above = point in (b"/", folder) or folder.startswith(point + b"/")
        if above and len(point) >= length:
            kind, length = after.split()[0], len(point)
    return kind.decode("ascii", "replace")
