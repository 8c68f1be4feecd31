"""Narrows what is asked to what the caller may see, before any engine runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trilith.access import policy
from trilith.access.paths import check
from trilith.model.principal import Library, Principal
from trilith.model.query import Filter


@dataclass(frozen=True, slots=True)
class Gate:
    """`libraries` tells which libraries this process serves."""

    libraries: Callable[[], tuple[Library, ...]]

    def filter(self, principal: Principal, library: str | None = None, **narrower: Any) -> Filter:
        """The filter of a request: the caller's scopes, narrowed by the fields of `Filter` given.

        A `path_prefix` may have its `/` at either end; nothing but `/` is no narrowing. Raises `NotFound` for a library
        that the caller may not read, `PathForbidden` for a prefix that leaves the vault.
        """
        prefix = (narrower.pop("path_prefix", None) or "").strip("/")
        if prefix:
            narrower["path_prefix"] = check(prefix)
        return Filter(scopes=policy.scopes(principal, self.libraries(), library), **narrower)

    def library(self, name: str) -> Library:
        """The library of an entry that passed a filter made here."""
        return next(library for library in self.libraries() if library.name == name)
