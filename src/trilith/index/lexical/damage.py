"""Has somebody or something changed an index's files?

Tantivy checks little when it opens them: neither that all are there, nor the bytes before a file's footer. But it never
writes to a segment once `meta.json` names it, so that a newer file has been changed, unless its checksum holds.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path

META = "meta.json"
_MAGIC = 1337
_PARTS = {"term", "idx", "pos", "fast", "fieldnorm", "store"}
"""Every segment has one file of each ending."""


def is_damaged(folder: Path, *, thorough: bool = False) -> bool:
    """Whether the files of the index in `folder` are other than they were written.

    Looks at those changed since the last commit, at all of them if `thorough` (about 1 GB a second). An index that
    changes meanwhile is not damaged.
    """
    before = (folder / META).stat()
    try:
        segments = _segments(folder / META)
    except (ValueError, KeyError, TypeError):
        return True
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.partition(".")[0] in segments]
    complete = {file.name for file in files} >= {f"{segment}.{part}" for segment in segments for part in _PARTS}
    suspects = [Path(file) for file in files if thorough or file.stat().st_mtime_ns >= before.st_mtime_ns]
    if complete and all(map(_is_whole, suspects)):
        return False
    after = (folder / META).stat()
    return (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


class Files:
    """The segment files of one state of an index, as large as they were when it was opened.

    To read a map beyond the end of its file would end the process, and the engine has mapped them. So they are looked at before
    each search: through descriptors, of which there may be `most`, for the system takes a twentieth of the time that a path
    takes.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._held: list[tuple[int, int]] = []
        self._others: list[tuple[str, int]] = []
        for path, size in _sizes(folder).items():
            if os.name == "posix" and len(self._held) < most:
                with suppress(FileNotFoundError):
                    self._held.append((os.open(path, os.O_RDONLY | os.O_CLOEXEC), size))
            else:
                self._others.append((path, size))

    @property
    def descriptors(self) -> int:
        return len(self._held)

    def check(self) -> None:
        """Raises `OSError` when a file is shorter than it was. Files that are gone, as after a merge, are whole for those who
        have mapped them."""
        for descriptor, size in self._held:
            if os.lseek(descriptor, 0, os.SEEK_END) < size:
                raise OSError("a file is shorter than it was written")
        for path, size in self._others:
            with suppress(FileNotFoundError):
                if os.stat(path).st_size < size:  # noqa: PTH116 - a third of the price, and every search pays it
                    raise OSError(f"{Path(path).name} is shorter than it was written")

    def __del__(self) -> None:
        for descriptor, _ in self._held:
            os.close(descriptor)


def _sizes(folder: Path) -> dict[str, int]:
    """The bytes of each segment file, by its path, as they are now."""
    segments, found = _segments(folder / META), {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.partition(".")[0] in segments:
                with suppress(FileNotFoundError):  # merged into another meanwhile
                    found[entry.path] = entry.stat().st_size
    return found


def strays(folder: Path) -> list[Path]:
    """Files of a commit that a kill has cut off: newer than `meta.json`, and not in it. The engine will not write over them,
    and the next commit may give one the same name."""
    said = (folder / META).stat().st_mtime_ns
    segments = json.loads((folder / META).read_bytes())["segments"]
    named = {segment["segment_id"].replace("-", "") for segment in segments}
    deletes = {
        f"{s['segment_id'].replace('-', '')}.{s['deletes']['opstamp']}.del" for s in segments if s.get("deletes")
    }
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            segment, _, ending = entry.name.partition(".")
            if not segment or entry.name == META or (segment in named and ending in _PARTS) or entry.name in deletes:
                continue
            if entry.stat().st_mtime_ns >= said:
                found.append(Path(entry))
    return found


def _segments(meta: Path) -> set[str]:
    return {segment["segment_id"].replace("-", "") for segment in json.loads(meta.read_bytes())["segments"]}


def _is_whole(file: Path) -> bool:
    """Whether a segment file's content has the checksum in its footer: JSON, its length and a magic number at the end."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return False
    if len(content) < 8:
        return False
    length, magic = struct.unpack("<II", content[-8:])
    if magic != _MAGIC or length > len(content) - 8:
        return False
    try:
        expected: int = json.loads(content[-8 - length : -8])["crc"]
    except (ValueError, KeyError):
        return False
    return zlib.crc32(memoryview(content)[: -8 - length]) == expected
