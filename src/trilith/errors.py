"""What can go wrong?

One tree; each class carries the three things every door needs: `code` (in bodies), `status` (HTTP) and
`exit_status` (CLI). Doors and dialects render them, nothing else inspects them.

    TrilithError
    ├── InvalidInput             what was asked is not well formed
    │   ├── InvalidMode
    │   ├── ContentTooLarge
    │   └── NotInNote            what an edit looks for
    ├── NotFound                 no such note, library, ... or not for this caller's eyes
    ├── Ambiguous                several notes answer to that name
    ├── NoEmbeddings             nothing to search by meaning: another mode will do
    ├── Refused                  understood, and not done
    │   ├── PathForbidden
    │   ├── NotUtf8
    │   ├── ReadOnly
    │   ├── VersionConflict
    │   └── SlugCollision
    ├── Unauthorized             no valid key
    ├── Forbidden                a valid key without the right
    ├── RateLimited
    └── Unavailable              a part is down, or not ready yet
        ├── SearchBackendError
        ├── KeyRejected          the owner's key is not good for the embedder any more
        ├── NoVectorIndex        the owner has switched it off
        └── StartFailure         this process cannot begin
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class TrilithError(Exception):
    """Base of all anticipated failures.

    Args:
        message: one sentence for the person or agent who asked; never contains what they may not see.
        details: further fields for the error body, JSON-able.
    """

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, Any] = details


class InvalidInput(TrilithError):
    """An argument is missing, of the wrong type or out of range; `field` names it."""

    code = "invalid_input"
    status = 400
    exit_status = 2


class InvalidMode(InvalidInput):
    code = "invalid_mode"


class ContentTooLarge(InvalidInput):
    code = "content_too_large"
    status = 413


class NotInNote(InvalidInput):
    """What was asked is well formed, but the note has no such text or section."""

    status = 409


class NotFound(TrilithError):
    code = "doc_not_found"
    status = 404


class Ambiguous(TrilithError):
    """`details["candidates"]` lists the notes that answer, each `{id, path, title}`."""

    code = "ambiguous"
    status = 409


class NoEmbeddings(TrilithError):
    """`details["fallback"]` is the mode that works all the same."""

    code = "no_embeddings"
    status = 422


class Refused(TrilithError):
    code = "refused"
    status = 409


class PathForbidden(Refused):
    code = "path_forbidden"
    status = 403


class NotUtf8(Refused):
    code = "not_utf8"
    status = 422


class ReadOnly(Refused):
    code = "read_only"
    status = 403


class VersionConflict(Refused):
    """`details["current_version"]` is the version on disk."""

    code = "version_conflict"


class SlugCollision(Refused):
    """`details["existing"]` is the note in the way: `{id, path, version}`."""

    code = "slug_collision"


class Unauthorized(TrilithError):
    code = "unauthorized"
    status = 401


class Forbidden(TrilithError):
    code = "forbidden"
    status = 403


class RateLimited(TrilithError):
    code = "rate_limited"
    status = 429


class Unavailable(TrilithError):
    code = "unavailable"
    status = 503


class SearchBackendError(Unavailable):
    code = "search_backend_error"


class KeyRejected(Unavailable):
    """By the server that embeds."""

    code = "key_rejected"


class NoVectorIndex(Unavailable):
    """`details["setup"]` says how to have one."""

    code = "no_vector_index"


class StartFailure(Unavailable):
    """This process cannot begin its work; the message says what to do."""

    code = "start_failure"
