"""Which paths are pages? Light, for a server that has not been asked for one loads nothing of them. Pure."""

from __future__ import annotations

SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
STATIC = "/static"
EXACT = frozenset({"/", "/results", "/why", "/graph", "/status", SIGN_IN, SIGN_OUT})
BELOW = ("/note/", "/me/", "/file/", "/graph/", "/status/", f"{STATIC}/")
OPEN = (SIGN_IN, f"{STATIC}/")
"""What anybody may ask for, who has not signed in."""
UNTOLD = (SIGN_IN, SIGN_OUT, f"{STATIC}/", "/status")
"""What reads nothing of a note."""


def is_page(path: str) -> bool:
    return path in EXACT or path.startswith(BELOW)


def is_open(path: str) -> bool:
    return path.startswith(OPEN)


def is_asset(path: str) -> bool:
    return path.startswith(f"{STATIC}/")


def is_told(path: str) -> bool:
    """Whether a request leaves a trace in the audit log."""
    return not path.startswith(UNTOLD)


def within(scope_path: str, root: str) -> str:
    """A path as it is routed: without the prefix of a proxy that has left it on."""
    if root and f"{scope_path}/".startswith(f"{root}/"):
        return scope_path.removeprefix(root) or "/"
    return scope_path


def local(target: str) -> str:
    """Where to go after signing in: a path of this server, whatever was asked for."""
    is_ours = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if is_ours else "/"
