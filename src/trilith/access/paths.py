"""Which paths may be asked for: pure rules, applied before anything on disk is touched."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from trilith.errors import PathForbidden

_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)")
"""Names that Windows gives to devices, whatever follows the first dot."""
_LAYERS = 4
"""More layers of percent-encoding than this have no honest use."""


def check(path: str, *, windows: bool = os.name == "nt") -> str:
    r"""The path relative to the vault, with `/` between its segments; `\` is taken as a separator too.

    Raises `PathForbidden` for whatever could lead out of the vault: `..`, absolute paths, drives, network paths, NUL,
    and any of them percent-encoded. What looks like an escape is refused even where it would not be one.
    """
    decoded = path
    for _ in range(_LAYERS):
        reason = _why_forbidden(decoded, windows)
        if reason is not None:
            raise PathForbidden(f"The path {path!r} is refused: {reason}.", field="path")
        former, decoded = decoded, unquote(decoded)
        if decoded == former:
            return "/".join(_segments(path))
    raise PathForbidden(f"The path {path!r} is refused: it is encoded too many times over.", field="path")


def is_askable(path: str) -> bool:
    """Whether `check` gives a path, as it stands on disk, back unchanged."""
    try:
        return check(path) == path
    except PathForbidden:
        return False


def _why_forbidden(text: str, windows: bool) -> str | None:
    segments = _segments(text)
    if "\0" in text:
        return "it holds a NUL character"
    if text.startswith(("/", "\\")):
        return "it is absolute; paths are relative to the vault"
    if _DRIVE.match(text):
        return "it names a drive; paths are relative to the vault"
    if not segments:
        return "it names no file"
    if segments[0] == "~":
        return "it names a user's home; paths are relative to the vault"
    # Windows drops dots and blanks from the end of a name, so that `.. .` is `..` there.
    if not all(segment.strip(". ") for segment in segments):
        return "it leads upwards"
    if windows and any(":" in segment or _DEVICE.match(segment) for segment in segments):
        return "it names a device or a stream"
    return None


def _segments(text: str) -> list[str]:
    return [segment for segment in re.split(r"[/\\]", text) if segment not in ("", ".")]
