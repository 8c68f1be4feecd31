"""Who decides who comes in, in tests of the doors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trilith.clock import SystemClock
from trilith.model.principal import Key
from trilith.surfaces.http.callers import Doorkeeper

OWN = "the-owners-own-secret"


def doorkeeper(keys: Callable[[], tuple[Key, ...]] = tuple, **rules: Any) -> Doorkeeper:
    """On loopback, without any limit; `rules` say otherwise."""
    usual: dict[str, Any] = {"open_without_keys": True, "anonymous": False, "per_minute": 0, "clock": SystemClock()}
    chosen = usual | rules
    asked = {name: (lambda value=chosen[name]: value) for name in ("anonymous", "per_minute")}
    return Doorkeeper(keys=keys, own=OWN, **chosen | asked)
