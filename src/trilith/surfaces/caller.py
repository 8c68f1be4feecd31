"""Who calls: where a door keeps it while it answers a request."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from trilith.model.principal import Principal

CALLER = "trilith.caller"
"""Where the ASGI scope holds the `Principal`."""


def caller_of(scope: MutableMapping[str, Any]) -> Principal:
    """The caller of a request that was let in."""
    caller: Principal = scope[CALLER]
    return caller
