"""URLs, compared."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


def normalize_url(url: str) -> str:
    """The form in which two source URLs are compared; it is never shown or written.

    Scheme and host in lower case, no fragment, no trailing slash, no default port. What cannot be taken apart is
    returned stripped.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    host = (parts.hostname or "").lower()
    if ":" in host:
        host = f"[{host}]"
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user}{at}{host}", parts.path.rstrip("/"), parts.query, ""))
