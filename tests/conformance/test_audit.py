"""The suite of `Audit`."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trilith.access.keys import new_secret
from trilith.errors import Unavailable
from trilith.home import audit as audits
from trilith.home.audit import SqliteAudit
from trilith.model.audit import LONGEST, Act

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ACT = Act(at=NOW, user="bea", key="k1", door="mcp", action="lithos_read", library="notes", subject="a.md")


def test_what_was_done_is_told_newest_first(tmp_path: Path) -> None:
    audit = SqliteAudit(tmp_path / "audit.db")
    assert audit.recent(9) == ()
    later = replace(ACT, at=NOW + timedelta(1), user="", key=None, library=None, outcome="doc_not_found")
    audit.record(ACT)
    audit.record(later)
    assert audit.recent(9) == (later, ACT)
    assert audit.recent(1) == (later,)
    assert audit.recent(9, "bea") == (ACT,)
    assert SqliteAudit(tmp_path / "audit.db").recent(9) == (later, ACT), "another process reads it too"
    assert (tmp_path / "audit.db").stat().st_mode & 0o077 == 0
    audit.close()


def test_closing_keeps_what_was_just_recorded(tmp_path: Path) -> None:
    audit = SqliteAudit(tmp_path / "audit.db")
    audit.record(ACT)
    audit.close()
    assert SqliteAudit(tmp_path / "audit.db").recent(9) == (ACT,)


def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audits, "KEPT", 10)
    audit = SqliteAudit(tmp_path / "audit.db")
    for number in range(25):
        audit.record(replace(ACT, subject=str(number)))
    assert [act.subject for act in audit.recent(99)] == [str(number) for number in range(24, 14, -1)]
    audit.record(replace(ACT, subject="x" * 10_000 + "\udcff"))
    assert len(audit.recent(1)[0].subject) == LONGEST
    audit.record(replace(ACT, subject="\udcff"))
    assert audit.recent(1)[0].subject == "?"
    audit.close()


def test_a_key_is_never_kept(tmp_path: Path) -> None:
    audit, secret = SqliteAudit(tmp_path / "audit.db"), new_secret()
    audit.record(replace(ACT, subject=f"a {secret} b", library=secret, action=f"GET /notes/{secret}"))
    assert [(act.subject, act.library, act.action) for act in audit.recent(1)] == [
        ("a tri_... b", "tri_...", "GET /notes/tri_...")
    ]
    audit.close()


def test_a_file_that_cannot_be_written_fails_no_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    audit = SqliteAudit(tmp_path / "gone" / "audit.db")
    audit.record(ACT)
    with caplog.at_level(logging.WARNING):
        assert audit.recent(9) == ()
    assert "cannot be written" in caplog.text
    audit.close()


def test_a_damaged_file_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "audit.db").write_bytes(b"nonsense" * 999)
    with pytest.raises(Unavailable, match=r"audit\.db"):
        SqliteAudit(tmp_path / "audit.db").recent(9)
