"""Who may look where? Pure rules: a principal and the libraries there are give the scopes of a query."""

from __future__ import annotations

from collections.abc import Sequence

from trilith.errors import NotFound
from trilith.model.note import Metadata, Visibility
from trilith.model.principal import AccessReason, Library, Principal, Scope


def scopes(principal: Principal, libraries: Sequence[Library], wanted: str | None = None) -> tuple[Scope, ...]:
    """What `principal` may read: of all `libraries`, or of the one named `wanted`.

    Raises `NotFound` when no readable library has that name; whether it exists at all is not told.
    """
    readable = tuple(
        Scope(library=library.name) for library in libraries if principal.is_owner and wanted in (None, library.name)
    )
    if wanted is not None and not readable:
        raise NotFound(f"No library named '{wanted}'.", field="library")
    return readable


def reason(scope: Scope, note: Metadata) -> AccessReason:
    """Why a note that passed a filter with `scope` may be seen, the strongest reason that holds."""
    if scope.reader is None:
        return scope.reason
    if scope.reader and scope.reader in note.collaborators:
        return AccessReason.COLLABORATOR
    return AccessReason.LINK if note.visibility is Visibility.LINK else AccessReason.PUBLIC
