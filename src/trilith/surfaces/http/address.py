"""Where the server listens: on a port that is free, and beyond this machine only behind keys."""

from __future__ import annotations

import errno
import socket
from ipaddress import IPv6Address, ip_address

from trilith.errors import StartFailure


def is_loopback(host: str) -> bool:
    """Whether `host`, a name or a bare address, can only be reached from this machine."""
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int, *, keyed: bool) -> socket.socket:
    """A listening socket; clients may connect from now on and wait to be served. Port 0 takes a free one.

    Raises `StartFailure`, saying what to do, for a port that is not to be had, and for an address beyond this machine
    where nobody needs a key (not `keyed`).
    """
    if not keyed and not is_loopback(host):
        raise StartFailure(
            f"Will not listen on '{host}': there is no key, and whoever reaches that address could read every note. "
            "Make one first (trilith key create), or use --host 127.0.0.1."
        )
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as failure:
        raise StartFailure(_advice(host, port, failure)) from None


def url(listener: socket.socket) -> str:
    """`http://127.0.0.1:8765`, as it can be opened on this machine."""
    host, port = place(listener)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def place(listener: socket.socket) -> tuple[str, int]:
    """Host and port by which this machine reaches a server; one that listens on every address, by its loopback one."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "::1" if isinstance(ip_address(host), IPv6Address) else "127.0.0.1"
    return host, port


def _advice(host: str, port: int, failure: OSError) -> str:
    if failure.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken. End what listens there, or choose another: --port 0 takes a free one."
    if failure.errno == errno.EACCES:
        return f"Port {port} may not be used by this user. Choose one above 1023: --port 8765."
    return f"Cannot listen on {host}, port {port}: {failure.strerror or failure}. Choose another --host or --port."
