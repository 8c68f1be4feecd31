"""Who may look where? Pure rules: a principal, the libraries there are and what was granted give the scopes of a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trilith.model.note import Metadata, Visibility
from trilith.model.principal import AccessReason, Grant, Library, Principal, Role, Scope


def scopes(principal: Principal, libraries: Sequence[Library], grants: Iterable[Grant] = ()) -> tuple[Scope, ...]:
    """What `principal` may see of each of the libraries that exist for it."""
    granted = {grant.library for grant in grants if grant.user == principal.name}
    return tuple(_scope(principal, library, granted) for library in _existing(principal, libraries))


def writable(principal: Principal, libraries: Sequence[Library], grants: Iterable[Grant] = ()) -> tuple[Library, ...]:
    """The libraries that `principal` may write to as far as people go, read-only ones included."""
    granted = {grant.library for grant in grants if grant.user == principal.name and grant.role is Role.WRITER}
    return tuple(
        library
        for library in _existing(principal, libraries)
        if _owns(principal, library) or (principal.name and library.name in granted)
    )


def owned(principal: Principal, libraries: Sequence[Library]) -> tuple[Library, ...]:
    """The caller's own libraries."""
    return tuple(library for library in _existing(principal, libraries) if _owns(principal, library))


def belonging(principal: Principal, libraries: Sequence[Library], wanted: str | None = None) -> tuple[Library, ...]:
    """The libraries that `wanted` stands for, where people are asked for rather than libraries: those of the user of that
    name, else the library of that name; None: the caller's own."""
    if wanted is None:
        return owned(principal, libraries)
    of_user = tuple(library for library in libraries if library.owner == wanted)
    return of_user or tuple(library for library in libraries if library.name == wanted)


def reads_collaborator_notes(reason: AccessReason) -> bool:
    """Whether who sees a note for this reason may read its collaborator notes."""
    return reason in (AccessReason.OWNER, AccessReason.GRANT, AccessReason.COLLABORATOR)


def reason(scope: Scope, note: Metadata) -> AccessReason:
    """Why a note that passed a filter with `scope` may be seen, the strongest reason that holds."""
    if scope.reader is None:
        return scope.reason
    if scope.reader and scope.reader in note.collaborators:
        return AccessReason.COLLABORATOR
    return AccessReason.LINK if note.visibility is Visibility.LINK else AccessReason.PUBLIC


def _existing(principal: Principal, libraries: Sequence[Library]) -> list[Library]:
    allowed = principal.libraries
    return [library for library in libraries if allowed is None or library.name in allowed]


def _owns(principal: Principal, library: Library) -> bool:
    return principal.is_owner or (bool(principal.name) and library.owner == principal.name)


def _scope(principal: Principal, library: Library, granted: set[str]) -> Scope:
    if _owns(principal, library):
        return Scope(library=library.name, denied=library.hidden)
    if principal.name and library.name in granted:
        return Scope(library=library.name, denied=library.hidden, reason=AccessReason.GRANT)
    return Scope(library=library.name, denied=library.hidden, reader=principal.name)
