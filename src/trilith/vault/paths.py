"""Does a path stay within the vault, once all links are followed?"""

from __future__ import annotations

import os


def is_within(path: bytes, folder: bytes) -> bool:
    """Whether one resolved path is the other, or below it."""
    separator = os.sep.encode()
    return path == folder or path.startswith(folder if folder.endswith(separator) else folder + separator)
