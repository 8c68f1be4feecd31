"""Where does a new file go? Its folder is found or made, and nothing that could be taken for it may be there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from trilith.access.paths import check
from trilith.errors import PathForbidden, SlugCollision
from trilith.language.normal import fold_case
from trilith.vault.ignore import Ignored
from trilith.vault.names import IGNORE_FILE, why_skipped
from trilith.vault.paths import is_within
from trilith.vault.walk import IGNORED, read_rules
from trilith.vault.writing import sync_folder


@dataclass(frozen=True, slots=True)
class Place:
    """`folder` is resolved and there; `missing` are the folders to be made below it, `name` the file's."""

    folder: bytes
    missing: tuple[bytes, ...]
    name: bytes


def check_new(path: str) -> str:
    """`check` for a file that is to be made. Raises `PathForbidden` also for names that no walk would show."""
    asked = check(path)
    for segment in asked.split("/"):
        reason = why_skipped(segment)
        if reason is not None:
            raise PathForbidden(
                f"The path {path!r} is refused: files named like '{segment}' are {reason}.", field="path"
            )
    try:
        asked.encode()
    except UnicodeEncodeError:
        raise PathForbidden(f"The path {path!r} is refused: it is not valid Unicode.", field="path") from None
    return asked


def place_new(root: bytes, path: str, excluded: frozenset[bytes], moved: bytes | None = None) -> Place:
    """The place of a checked path below the resolved `root`.

    A segment is taken when something in its folder has the same name but for case and Unicode form: on some disks that
    would be the same file, and a person cannot tell the two apart. `moved` is the file's present place, which is not in
    its own way.

    Raises `SlugCollision`, naming what is there, `PathForbidden` when a link leads out of the vault or a `.trilithignore`
    leaves the place out, and `OSError`.
    """
    *folders, name = segments = path.split("/")
    folder, shown, ignored = root, "", _with_rules(Ignored(), root, root, "")
    for depth, segment in enumerate(folders):
        _check_kept(ignored, segments, depth)
        if not _is_there(folder, segment, shown, moved):
            for below in range(depth + 1, len(segments)):
                _check_kept(ignored, segments, below)
            return Place(folder, tuple(each.encode() for each in folders[depth:]), name.encode())
        shown = f"{shown}{segment}/"
        folder = _enter(os.path.join(folder, segment.encode()), root, excluded, path, shown)
        ignored = _with_rules(ignored, folder, root, shown)
    _check_kept(ignored, segments, len(folders))
    if _is_there(folder, name, shown, moved):
        raise _taken(f"{shown}{name}")
    return Place(folder, (), name.encode())


def spelled(root: bytes, path: str) -> str:
    """A checked path with its folders as they are called on disk, where one alone is called so but for case and Unicode
    form. Raises `OSError`."""
    *folders, name = path.split("/")
    folder, found = root, list[str]()
    for depth, segment in enumerate(folders):
        alike = _alike(folder, segment)
        chosen = alike[0] if len(alike) == 1 else segment.encode()
        found.append(chosen.decode())
        folder = os.path.join(folder, chosen)
        if not os.path.isdir(folder):
            return "/".join((*found, *folders[depth + 1 :], name))
    return "/".join((*found, name))


@contextmanager
def made(place: Place) -> Iterator[bytes]:
    """The full path of a file, its folders made for what is put there; they are removed again if that fails."""
    folder, new = place.folder, list[bytes]()
    try:
        for name in place.missing:
            folder = os.path.join(folder, name)
            os.mkdir(folder)
            new.append(folder)
        yield os.path.join(folder, place.name)
        for each in new:
            sync_folder(os.path.dirname(each))
    except BaseException:
        _remove_empty(new)
        raise


def _remove_empty(folders: Sequence[bytes]) -> None:
    for folder in reversed(folders):
        with suppress(OSError):  # somebody has put something into it
            os.rmdir(folder)


def _is_there(folder: bytes, segment: str, shown: str, moved: bytes | None) -> bool:
    """Whether the folder has an entry of exactly this name. Raises `SlugCollision` for one that is nearly equal."""
    alike = [name for name in _alike(folder, segment) if os.path.join(folder, name) != moved]
    if alike and segment.encode() not in alike:
        raise _taken(f"{shown}{alike[0].decode('utf-8', 'replace')}")
    return bool(alike)


def _alike(folder: bytes, segment: str) -> list[bytes]:
    """The entries of a folder whose names differ from `segment` at most in case and Unicode form."""
    wanted = fold_case(segment)
    return [name for name in os.listdir(folder) if fold_case(name.decode("utf-8", "replace")) == wanted]


def _enter(entry: bytes, root: bytes, excluded: frozenset[bytes], path: str, shown: str) -> bytes:
    folder = os.path.realpath(entry)
    if not is_within(folder, root):
        raise PathForbidden(f"The path {path!r} is refused: a link in it leads out of the vault.", field="path")
    if any(is_within(folder, each) for each in excluded):
        raise PathForbidden(f"The path {path!r} is refused: Trilith keeps its own files there.", field="path")
    if not os.path.isdir(folder):
        raise _taken(shown.removesuffix("/"))
    return folder


def _with_rules(ignored: Ignored, folder: bytes, root: bytes, shown: str) -> Ignored:
    """The rules that hold in a folder, as `walk` reads them."""
    rules = os.path.join(folder, IGNORE_FILE.encode())
    if not os.path.lexists(rules) or os.path.isdir(rules):
        return ignored
    return ignored.below(shown.removesuffix("/"), read_rules(rules, root))[0]


def _check_kept(ignored: Ignored, segments: Sequence[str], depth: int) -> None:
    """Raises `PathForbidden` for a folder or file that no walk would show."""
    path = "/".join(segments[: depth + 1])
    if ignored.covers(path, is_folder=depth + 1 < len(segments)):
        raise PathForbidden(f"The path {'/'.join(segments)!r} is refused: '{path}' is {IGNORED}.", field="path")


def _taken(existing: str) -> SlugCollision:
    return SlugCollision(
        f"'{existing}' is there already; names that differ only in case or Unicode form count as one.",
        existing={"path": existing},
    )
