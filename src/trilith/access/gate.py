"""Narrows what is asked to what the caller may see, before any engine runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from trilith.access import policy
from trilith.access.paths import check
from trilith.errors import Forbidden, InvalidInput, NotFound, ReadOnly, Unauthorized
from trilith.model.note import Entry
from trilith.model.principal import AccessReason, Grant, Library, Principal, Right, Scope
from trilith.model.query import Filter

NO_PREFIX = ("", "/", ".", "./")
"""Ways to say: the whole vault."""
NAMES_PEOPLE = "collaborators"
"""A property that is for those who see all of a library."""


@dataclass(frozen=True, slots=True)
class Gate:
    """`libraries` tells which libraries this process serves, `grants` what their owners have granted, and `shows` whether
    anything is to be seen within a scope."""

    libraries: Callable[[], tuple[Library, ...]]
    grants: Callable[[], Iterable[Grant]]
    shows: Callable[[Scope], bool]

    def filter(self, principal: Principal, library: str | None = None, **narrower: Any) -> Filter:
        """The filter of a request: the caller's scopes, narrowed by the fields of `Filter` given.

        A `path_prefix` may end in `/`; `/` and `.` alone are no narrowing. Raises `Forbidden` without the right to read,
        `NotFound` for a library of which the caller can see nothing, whether it exists or not, `PathForbidden` for a
        prefix that leaves the vault.
        """
        prefix = narrower.pop("path_prefix", None) or ""
        if prefix not in NO_PREFIX:
            narrower["path_prefix"] = check(prefix)
        scopes = self._scopes(principal)
        if library is not None:
            scopes = tuple(scope for scope in scopes if scope.library == library and self._is_known(scope))
            if not scopes:
                raise NotFound(f"No library named '{library}'.", field="library")
        if NAMES_PEOPLE in narrower.get("where", {}):
            # Who works with whom is not told to strangers, not even by what a guess finds.
            scopes = tuple(scope for scope in scopes if scope.reader is None)
        return Filter(scopes=scopes, **narrower)

    def within(self, library: str) -> Gate:
        """A gate to one library alone, or to none where there is none of that name."""
        return replace(self, libraries=lambda: tuple(each for each in self.libraries() if each.name == library))

    def known(self, principal: Principal) -> tuple[Library, ...]:
        """The libraries that the caller may know of: those of which it can see something."""
        names = {scope.library for scope in self._scopes(principal) if self._is_known(scope)}
        return tuple(library for library in self.libraries() if library.name in names)

    def filter_of(self, principal: Principal, user: str | None = None, **narrower: Any) -> Filter:
        """The filter of a request that names a user or a library, or neither for the caller's own libraries.

        Raises `Forbidden` without the right to read, `NotFound` when there is no such library of which the caller can see
        anything.
        """
        chosen = {library.name for library in policy.belonging(principal, self.known(principal), user)}
        if not chosen:
            whose = (
                f"No user or library named '{user}'"
                if user is not None
                else "You have no library of your own; name one"
            )
            raise NotFound(f"{whose}.", field="library")
        return Filter(scopes=tuple(scope for scope in self._scopes(principal) if scope.library in chosen), **narrower)

    def library(self, name: str) -> Library:
        """The library of an entry that passed a filter made here."""
        return next(library for library in self.libraries() if library.name == name)

    def reason(self, filter: Filter, entry: Entry) -> AccessReason:
        """Why the caller of a filter may see an entry that passed it."""
        scope = next(scope for scope in filter.scopes if scope.library == entry.library)
        return policy.reason(scope, entry.metadata)

    def reads_collaborator_notes(self, filter: Filter, entry: Entry) -> bool:
        """Whether an entry's collaborator notes are for the caller of a filter that it passed."""
        return policy.reads_collaborator_notes(self.reason(filter, entry))

    def writable(self, principal: Principal, library: str | None) -> Library:
        """The library to write to: the one named, else the caller's only own one, else the only one that may be written.

        Raises `NotFound` for one of which the caller can see nothing, `ReadOnly` for one that it may not write, and
        `InvalidInput` with the choices when none is named and there are several.
        """
        choices = self._writable(principal, library)
        own = [each for each in policy.owned(principal, choices) if not principal.is_owner]
        if len(own) == 1:
            return own[0]
        if len(choices) != 1:
            names = ", ".join(choice.name for choice in choices) or "there is none"
            raise InvalidInput(f"Name the library to write to: {names}.", field="library")
        return choices[0]

    def check_writing(self, principal: Principal) -> None:
        """Raises `Forbidden`, or `ReadOnly` when there is nothing that the caller may write to, whatever is asked."""
        self._writable(principal, None)

    def _writable(self, principal: Principal, library: str | None) -> list[Library]:
        require(principal, Right.WRITE)
        wanted = [each.library for each in self.filter(principal, library).scopes]
        libraries = [each for each in self.libraries() if each.name in wanted]
        choices = [
            each for each in policy.writable(principal, libraries, self._granted(principal)) if not each.read_only
        ]
        if wanted and not choices:
            names = ", ".join(f"'{each.name}'" for each in self.known(principal) if each.name in wanted)
            raise ReadOnly(f"Nothing can be written here: {names or 'what is there'} may only be read.")
        return choices

    def _scopes(self, principal: Principal) -> tuple[Scope, ...]:
        require(principal, Right.READ)
        return policy.scopes(principal, self.libraries(), self._granted(principal))

    def _granted(self, principal: Principal) -> Iterable[Grant]:
        return () if principal.is_owner or not principal.name else self.grants()

    def _is_known(self, scope: Scope) -> bool:
        return scope.reader is None or self.shows(scope)


def require(principal: Principal, right: Right) -> None:
    """Raises `Unauthorized` for somebody who shows no key, `Forbidden` when the caller's key lacks the right."""
    if right not in principal.rights and not principal.name:
        raise Unauthorized(f"To {right.value} needs a key: 'Authorization: Bearer tri_...'.")
    if right not in principal.rights:
        raise Forbidden(f"This key has no right to {right.value}.")
