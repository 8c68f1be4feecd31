"""What a file's or folder's name alone tells: pure rules."""

from __future__ import annotations

import re

NOTE_ENDINGS = (".md", ".markdown")
IGNORE_FILE = ".trilithignore"

HIDDEN = "hidden"
TEMPORARY = "a temporary file of another program"
CONFLICT = "a conflict copy made by a sync program; merge it into the note or delete it"
NOT_DOWNLOADED = "not downloaded from iCloud yet; open it once on this machine"

_TEMPORARY_STARTS = ("~$", "~syncthing~")
_TEMPORARY_ENDS = ("~", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", ".swo", ".swx")
_SAFE_SAVE = re.compile(r"\.sb-[0-9a-f]+-\w+$")
"""What macOS calls a file while it is being replaced."""
_CONFLICT = re.compile(
    r"""
      \.sync-conflict-\d{8}                                    # Syncthing
    | _conflict-\d{8}-\d{6}(\.[^.]*)?$                         # ownCloud
    | \(([^()]*\s)?(conflicted\ copy|case\ conflict)\b[^()]*\)  # Dropbox, Nextcloud, Obsidian
      (\s*\(\d+\))?(\.[^.]*)?$
    """,
    re.VERBOSE,
)


def is_note(name: str) -> bool:
    return name.lower().endswith(NOTE_ENDINGS)


def concerns_a_note(name: str) -> bool:
    """Whether people would look for a note behind this name: `x.md.tmp`, `.x.md.icloud`, `x.md`."""
    folded = name.lower()
    return any(ending in folded for ending in NOTE_ENDINGS)


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def is_in_hidden(path: str) -> bool:
    """Whether any segment of a relative path is hidden."""
    return any(is_hidden(segment) for segment in path.split("/"))


def why_skipped(name: str) -> str | None:
    """Why a file or folder of this name is none of ours; None when it may be."""
    folded = name.lower()
    if is_hidden(name):
        return NOT_DOWNLOADED if folded.endswith(".icloud") else HIDDEN
    if folded.startswith(_TEMPORARY_STARTS) or folded.endswith(_TEMPORARY_ENDS):
        return TEMPORARY
    # Emacs puts a `#` at each end of what it saves by itself; one alone begins ordinary names.
    if (folded[0] == "#" and folded[-1] == "#") or (".sb-" in folded and _SAFE_SAVE.search(folded)):
        return TEMPORARY
    if "conflict" in folded and _CONFLICT.search(folded):
        return CONFLICT
    return None
