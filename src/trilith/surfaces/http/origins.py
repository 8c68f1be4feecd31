"""Which `Host` and which `Origin` may a server believe? Pure.

A web page from elsewhere can make a browser send requests to this machine, and a name that suddenly resolves to
127.0.0.1 lets it read the answers too (DNS rebinding). Both headers tell such requests apart.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
HOST = re.compile(r"(?:\[([^\]]+)\]|([^:\[\]]+))(?::[0-9]+)?")
"""`localhost:8765`, `[::1]:8765`; with or without the port."""


def bare_host(host: str) -> str:
    """The name in a `Host` header, without the port; "" when it is none."""
    parts = HOST.fullmatch(host)
    return "" if parts is None else (parts[1] or parts[2]).lower()


def names_this_server(host: str, names: frozenset[str]) -> bool:
    """Whether a `Host` header, with or without a port, says one of `names`."""
    name = bare_host(host)
    return bool(name) and name in names


def comes_from_here(origin: str, names: frozenset[str]) -> bool:
    """Whether an `Origin` header is that of a page served under one of `names`, on any port; `null` is not."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    bare = f"{parts.scheme}://{parts.netloc}".lower() == origin.lower()
    return bare and parts.scheme in ("http", "https") and names_this_server(parts.netloc, names)
