"""The destination of a Markdown link, as written: what of it is the path, and another path in its place. Pure.

Sources: CommonMark 0.31, section 6.3 (destinations); RFC 3986, section 2.1 (percent-encoding).
"""

from __future__ import annotations

import html
import re
from urllib.parse import quote, unquote

from trilith.markdown.links import unescaped

_MARK = re.compile(r"\\.|&#?[0-9A-Za-z]{1,40};|#", re.DOTALL)
"""Whatever can stand for a `#`."""

_IN_ANGLES = re.compile(r"[\x00-\x1f\x7f-\x9f%#?<>\\`|:\u2028\u2029]")
_BARE = re.compile(r"""[\s\x00-\x1f\x7f-\x9f%#?<>\\`|:()\[\]{}"^]""")
"""What ends a destination, means something in a URL or opens other markup. A colon can make a scheme of what is before it."""

_ENCODED_LETTER = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
_KEPT = "/!$'*+,;=@~"


def repathed(written: str, path: str, *, angle: bool) -> str:
    """A destination with another path; its fragment, and folders that stay, are kept as written.

    Args:
        written: the destination as it stands, without angle brackets.
        path: the new one, as it is meant.
        angle: whether it stands in angle brackets, and so can hold spaces.
    """
    start = len(written) - len(written.lstrip())
    end = _path_end(written)
    folders = written[start : written.rfind("/", start, end) + 1]
    if unquote(unescaped(folders)) != path[: path.rfind("/") + 1]:
        folders = ""
    rest = path[path.rfind("/") + 1 :] if folders else path
    everything = _ENCODED_LETTER.search(written, start, end) is not None
    return f"{written[:start]}{folders}{encoded(rest, angle=angle, everything=everything)}{written[end:]}"


def encoded(text: str, *, angle: bool = False, everything: bool = False) -> str:
    """A path or fragment as a destination can hold it: percent-encoded where it must be, or wherever it can be."""
    if everything:
        return quote(text, safe=_KEPT, errors="replace")
    special = _IN_ANGLES if angle else _BARE
    plain = special.sub(lambda match: quote(match[0], safe=""), text)
    return plain if html.unescape(plain) == plain else plain.replace("&", "%26")


def _path_end(written: str) -> int:
    """Where the path ends: at the `#` before the fragment, however that is written, else with the last letter."""
    for match in _MARK.finditer(written):
        if unescaped(match[0]) == "#":
            return match.start()
    return len(written.rstrip())
