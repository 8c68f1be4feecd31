"""What a change through REST and the command line may say: the fields of each request, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trilith.dialects.arguments import Arguments
from trilith.dialects.tool import Parameter
from trilith.model.note import Status, Visibility

Json = dict[str, Any]

AGENT = Parameter(
    name="agent",
    type="string",
    description="Who writes: author of a new note, contributor to others. Default: the caller's own name.",
)
LIBRARY = Parameter(name="library", type="string", description="Name of a library, where several are served.")
EXPECTED_VERSION = Parameter(
    name="expected_version",
    type="integer",
    description="The version that was read; another one on disk is a version_conflict.",
)
EXPECTED_HASH = Parameter(
    name="expected_hash",
    type="string",
    description="SHA-256 of the file that was read, in hex; another one is a version_conflict.",
)
WAIT = Parameter(
    name="wait", type="boolean", description="Answer once search by meaning finds it, too. Default: false."
)

FIELDS = (
    Parameter(name="tags", type="strings", description="Tags, without #."),
    Parameter(name="aliases", type="strings", description="Other names that links may use."),
    Parameter(name="summary", type="string", description="What it is about, in a sentence."),
    Parameter(name="confidence", type="number", description="How sure it is, 0 to 1."),
    Parameter(name="source", type="string", description="What it came from."),
    Parameter(name="source_url", type="string", description="Where it came from; one note may have it."),
    Parameter(name="derived_from_ids", type="strings", description="UUIDs of the notes that it was made from."),
    Parameter(name="ttl_hours", type="number", description="Hours until it is stale; instead of expires_at."),
    Parameter(
        name="expires_at",
        type="string",
        description="ISO 8601 time from which it is stale; a date means the end of that day.",
    ),
    Parameter(name="para", type="strings", description="Slugs of PARA items."),
    Parameter(name="status", type="string", description=f"{', '.join(Status)}."),
    Parameter(name="visibility", type="string", description=f"{', '.join(Visibility)}."),
    Parameter(name="collaborators", type="strings", description="Names of users who may see it."),
    Parameter(name="collaborator_notes", type="string", description="Markdown for owner and collaborators alone."),
)

CREATE = (
    Parameter(name="title", type="string", required=True, description="Title; the file is named after it."),
    Parameter(name="content", type="string", description="The body in Markdown; at most 1 MB. Default: empty."),
    Parameter(name="path", type="string", description="Folder, or the file itself when it ends in .md."),
    *FIELDS,
    AGENT,
    LIBRARY,
    WAIT,
)

PATCH = (
    Parameter(name="title", type="string", description="Title; the file keeps its name."),
    Parameter(name="content", type="string", description="The whole new body in Markdown; at most 1 MB."),
    *FIELDS,
    AGENT,
    EXPECTED_VERSION,
    EXPECTED_HASH,
    LIBRARY,
    WAIT,
)

EDIT = (
    Parameter(
        name="operation",
        type="string",
        required=True,
        description="append, prepend, replace_section or find_replace.",
    ),
    Parameter(name="content", type="string", description="The text to put in. Default: empty."),
    Parameter(
        name="section",
        type="strings",
        description="For replace_section: the heading, with those above it in front where its name alone is not enough.",
    ),
    Parameter(name="find", type="string", description="For find_replace: the text to replace, as it stands."),
    Parameter(
        name="all",
        type="boolean",
        description="For find_replace: wherever it occurs. Default false: it must be there once.",
    ),
    AGENT,
    EXPECTED_VERSION,
    EXPECTED_HASH,
    LIBRARY,
    WAIT,
)

MOVE = (
    Parameter(
        name="to",
        type="string",
        required=True,
        description=(
            "Where to, from the top of the vault: a folder, in which it keeps its name (/ is the top), or its new file when"
            " it ends in .md."
        ),
    ),
    AGENT,
    EXPECTED_VERSION,
    EXPECTED_HASH,
    LIBRARY,
    WAIT,
)

DELETE = (AGENT, EXPECTED_VERSION, EXPECTED_HASH, LIBRARY)


def read(given: Mapping[str, Any], body: Sequence[Parameter]) -> Arguments:
    """The fields of a request. Raises `InvalidInput` for one that the request does not have."""
    return Arguments(given, frozenset(parameter.name for parameter in body))
