"""The names of files that are being written, and what is done about those that a kill has left behind."""

from __future__ import annotations

import logging
import os
import re
import secrets
import time

from trilith.vault.names import is_hidden

log = logging.getLogger(__name__)

_DRAFT = re.compile(rb"\.trilith-[0-9a-f]{16}\.tmp")
OLD_SECONDS = 3600.0
"""A draft is renamed within seconds; what is this old is nobody's any more."""


def draft_name() -> bytes:
    """A name that nobody else has; hidden, so that no walk shows it."""
    return b".trilith-%s.tmp" % secrets.token_hex(8).encode()


def clear_leftovers(root: str, older_than: float = OLD_SECONDS) -> int:
    """Delete drafts below a folder that have not been written to for `older_than` seconds; how many there were.

    Hidden folders are not entered, links not followed. What cannot be read or deleted stays and is logged.
    """
    limit = time.time() - older_than
    cleared = 0
    for folder, below, files in os.walk(os.fsencode(root)):
        below[:] = [name for name in below if not is_hidden(os.fsdecode(name))]
        for name in files:
            if _DRAFT.fullmatch(name):
                cleared += _clear(os.path.join(folder, name), limit)
    return cleared


def _clear(path: bytes, limit: float) -> bool:
    try:
        if os.lstat(path).st_mtime > limit:
            return False
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        log.warning("the leftover %s stays: %s", os.fsdecode(path), error.strerror)
        return False
    return True
