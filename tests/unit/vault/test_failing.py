from __future__ import annotations

import errno
import os

import pytest

from trilith.errors import NotFound, PathForbidden, ReadOnly, SlugCollision, TrilithError, Unavailable
from trilith.vault.failing import failure, told

KINDS = {
    ReadOnly: (errno.EROFS, errno.EACCES, errno.EPERM),
    Unavailable: (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ESTALE, errno.EXDEV),
    SlugCollision: (errno.EEXIST,),
    PathForbidden: (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ),
    NotFound: (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP),
}


@pytest.mark.parametrize(("kind", "code"), [(kind, code) for kind, codes in KINDS.items() for code in codes])
def test_every_error_of_the_system_has_its_kind(kind: type[TrilithError], code: int) -> None:
    error = failure(OSError(code, os.strerror(code), "/secret/place/a.md"), "a.md")
    assert type(error) is kind
    assert "'a.md'" in error.message
    assert "/secret/place" not in error.message


def test_a_full_disk_and_a_read_only_one_say_what_to_do() -> None:
    assert "Make room" in failure(OSError(errno.ENOSPC, "No space left on device"), "a.md").message
    assert "user who runs Trilith" in failure(OSError(errno.EROFS, "Read-only file system"), "a.md").message


def test_a_file_that_another_program_holds_is_no_matter_of_rights() -> None:
    error = PermissionError(errno.EACCES, "The process cannot access the file")
    error.winerror = 32  # type: ignore[attr-defined]
    assert isinstance(failure(error, "a.md"), Unavailable)
    assert "another program" in failure(error, "a.md").message


def test_what_is_told_already_passes_through() -> None:
    with pytest.raises(NotFound, match="mine"), told("a.md"):
        raise NotFound("mine")
    with pytest.raises(Unavailable) as caught, told("a.md"):
        raise OSError(errno.EIO, "Input/output error")
    assert isinstance(caught.value.__cause__, OSError)
