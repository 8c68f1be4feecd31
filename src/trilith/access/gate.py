"""Narrows what is asked to what the caller may see, before any engine runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trilith.access import policy
from trilith.access.paths import check
from trilith.errors import InvalidInput, ReadOnly
from trilith.model.note import Entry
from trilith.model.principal import AccessReason, Library, Principal
from trilith.model.query import Filter

NO_PREFIX = ("", "/", ".", "./")
"""Ways to say: the whole vault."""


@dataclass(frozen=True, slots=True)
class Gate:
    """`libraries` tells which libraries this process serves."""

    libraries: Callable[[], tuple[Library, ...]]

    def filter(self, principal: Principal, library: str | None = None, **narrower: Any) -> Filter:
        """The filter of a request: the caller's scopes, narrowed by the fields of `Filter` given.

        A `path_prefix` may end in `/`; `/` and `.` alone are no narrowing. Raises `NotFound` for a library
        that the caller may not read, `PathForbidden` for a prefix that leaves the vault.
        """
        prefix = narrower.pop("path_prefix", None) or ""
        if prefix not in NO_PREFIX:
            narrower["path_prefix"] = check(prefix)
        return Filter(scopes=policy.scopes(principal, self.libraries(), library), **narrower)

    def library(self, name: str) -> Library:
        """The library of an entry that passed a filter made here."""
        return next(library for library in self.libraries() if library.name == name)

    def reason(self, filter: Filter, entry: Entry) -> AccessReason:
        """Why the caller of a filter may see an entry that passed it."""
        scope = next(scope for scope in filter.scopes if scope.library == entry.library)
        return policy.reason(scope, entry.metadata)

    def writable(self, principal: Principal, library: str | None) -> Library:
        """The library to write to: the one named, else the caller's only one that may be written.

        Raises `NotFound` for one that the caller may not read, `ReadOnly` for one that it may not write, and
        `InvalidInput` with the choices when none is named and there are several.
        """
        choices = self._writable(principal, library)
        if len(choices) != 1:
            names = ", ".join(choice.name for choice in choices) or "there is none"
            raise InvalidInput(f"Name the library to write to: {names}.", field="library")
        return choices[0]

    def check_writing(self, principal: Principal) -> None:
        """Raises `ReadOnly` when there is nothing that the caller may write to, whatever is asked."""
        self._writable(principal, None)

    def _writable(self, principal: Principal, library: str | None) -> list[Library]:
        readable = [self.library(scope.library) for scope in policy.scopes(principal, self.libraries(), library)]
        choices = [each for each in readable if not each.read_only]
        if readable and not choices:
            names = ", ".join(f"'{each.name}'" for each in readable)
            raise ReadOnly(f"Nothing can be written here: {names} may only be read.")
        return choices
