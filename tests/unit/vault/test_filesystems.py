from __future__ import annotations

import os
from pathlib import Path

import pytest

from trilith.vault.filesystems import LOCAL, kind_at, silent_kind

MOUNTS = rb"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 0 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
40 27 0:40 / /mnt/nas rw - nfs4 server:/export rw,vers=4.2
41 40 0:41 / /mnt/nas/fast rw master:3 propagate_from:2 - xfs /dev/sdb rw
42 27 0:42 / /mnt/c rw - 9p C:\134 rw,aname=drvfs
43 27 0:43 / /mnt/my\040notes rw - cifs //server/share rw
44 27 0:44 / /home/u/cloud rw - fuse.rclone remote: rw
45 27 0:45 /notes /host rw - virtiofs notes rw
46 27 0:46 / /over rw - ext4 /dev/sdc rw
47 46 0:47 / /over rw - fuse.sshfs far: rw
""".strip()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "ext4"),
        ("/home/u/notes", "ext4"),
        ("/mnt/nas", "nfs4"),
        ("/mnt/nas/notes", "nfs4"),
        ("/mnt/nas/fast/notes", "xfs"),
        ("/mnt/nasty", "ext4"),
        ("/mnt/c/Users/u/notes", "9p"),
        ("/mnt/my notes/a", "cifs"),
        ("/home/u/cloud/notes", "fuse.rclone"),
        ("/host", "virtiofs"),
        ("/over/x", "fuse.sshfs"),
    ],
)
def test_the_kind_is_that_of_the_nearest_mount(folder: str, kind: str) -> None:
    assert kind_at(MOUNTS, folder.encode()) == kind


def test_w12_network_and_shared_disks_are_not_believed() -> None:
    """No events (NFS, SMB, WSL2 /mnt/c, Docker Desktop): polling."""
    silent = (
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "9p",
        "drvfs",
        "virtiofs",
        "fuse",
        "fuse.sshfs",
        "fuse.grpcfuse",
        "vboxsf",
        "ceph",
    )
    assert LOCAL.isdisjoint(silent)


def test_nothing_is_told_of_an_unknown_place() -> None:
    assert kind_at(b"", b"/home") == ""
    assert "" not in LOCAL


def test_this_machines_own_disks_tell_of_changes(tmp_path: Path) -> None:
    assert silent_kind(os.fsencode(tmp_path)) is None
    assert os.name == "nt" or not Path("/proc/mounts").exists() or silent_kind(b"/proc/self") == "proc"
