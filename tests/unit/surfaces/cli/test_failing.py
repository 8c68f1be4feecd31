from __future__ import annotations

import json

import pytest

from trilith.errors import Ambiguous, NotFound, TrilithError, VersionConflict
from trilith.surfaces.cli.failing import explain, explain_surprise
from trilith.surfaces.cli.server import refusal


def test_a_failure_is_one_line_and_a_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(NotFound("No such note"), as_json=False) == 1
    assert capsys.readouterr() == ("", "error: No such note\n")


def test_candidates_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    failure = Ambiguous("Two answer.", candidates=[{"id": "1", "path": "a/x.md", "title": "x"}])
    assert explain(failure, as_json=True) == 1
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "status": "error",
        "code": "ambiguous",
        "message": "Two answer.",
        "candidates": [{"id": "1", "path": "a/x.md", "title": "x"}],
    }
    assert err.splitlines() == ["error: Two answer.", "  1  a/x.md"]


def test_what_nobody_foresaw_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="boom") as raised:
        raise ValueError("boom")
    assert explain_surprise(raised.value, as_json=True) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["code"] == "internal"
    assert "test_failing.py" in err
    assert err.splitlines()[-1] == "error: Something went wrong inside Trilith: ValueError('boom')"


def test_a_body_becomes_the_failure_that_it_was_made_of() -> None:
    failure = refusal({"status": "error", "code": "version_conflict", "message": "m", "current_version": 3})
    assert type(failure) is VersionConflict
    assert (failure.message, dict(failure.details)) == ("m", {"current_version": 3})
    assert type(refusal({"code": "not_found", "message": "m"})) is TrilithError
