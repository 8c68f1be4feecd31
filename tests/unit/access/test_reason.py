"""Why a note may be seen: the strongest reason that holds."""

from __future__ import annotations

import pytest

from trilith.access.policy import reason
from trilith.model.note import Metadata, Visibility
from trilith.model.principal import AccessReason, Scope

WHOLE = Scope(library="l")
GRANTED = Scope(library="l", reason=AccessReason.GRANT)
BEA = Scope(library="l", reader="bea")
NOBODY = Scope(library="l", reader="")


@pytest.mark.parametrize(
    ("scope", "visibility", "collaborators", "expected"),
    [
        (WHOLE, Visibility.PUBLIC, ("bea",), AccessReason.OWNER),
        (GRANTED, Visibility.HIDDEN, (), AccessReason.GRANT),
        (BEA, Visibility.PRIVATE, ("al", "bea"), AccessReason.COLLABORATOR),
        (BEA, Visibility.PUBLIC, ("bea",), AccessReason.COLLABORATOR),
        (BEA, Visibility.PUBLIC, ("al",), AccessReason.PUBLIC),
        (BEA, Visibility.LINK, (), AccessReason.LINK),
        (NOBODY, Visibility.PUBLIC, ("",), AccessReason.PUBLIC),
    ],
)
def test_the_strongest_reason_is_given(
    scope: Scope, visibility: Visibility, collaborators: tuple[str, ...], expected: AccessReason
) -> None:
    assert reason(scope, Metadata(title="t", visibility=visibility, collaborators=collaborators)) is expected
