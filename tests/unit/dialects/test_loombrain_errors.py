"""LoomBrain's words for failures."""

from __future__ import annotations

import pytest

from trilith import errors
from trilith.dialects.loombrain.errors import render_error
from trilith.errors import TrilithError


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (errors.InvalidInput, "INVALID_INPUT"),
        (errors.ContentTooLarge, "INVALID_INPUT"),
        (errors.NotFound, "NOT_FOUND"),
        (errors.Ambiguous, "CONFLICT"),
        (errors.VersionConflict, "CONFLICT"),
        (errors.SlugCollision, "CONFLICT"),
        (errors.NotUtf8, "CONFLICT"),
        (errors.ReadOnly, "FORBIDDEN"),
        (errors.PathForbidden, "FORBIDDEN"),
        (errors.Forbidden, "FORBIDDEN"),
        (errors.Unauthorized, "FORBIDDEN"),
        (errors.RateLimited, "UNAVAILABLE"),
        (errors.Unavailable, "UNAVAILABLE"),
        (errors.SearchBackendError, "UNAVAILABLE"),
        (TrilithError, "UNAVAILABLE"),
    ],
)
def test_every_failure_has_one_of_five_codes(failure: type[TrilithError], code: str) -> None:
    assert render_error(failure("Told.", field="x", path="secret.md")) == {"error": code, "message": "Told."}
