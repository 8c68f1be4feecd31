from __future__ import annotations

from pathlib import Path

import pytest
from packaging.requirements import Requirement

from core import Stages, middle
from footprint import applies, needed


def test_a_stage_that_is_whole_is_not_done_again(tmp_path: Path) -> None:
    stages, done = Stages(tmp_path / "figures"), []

    def work() -> dict[str, object]:
        done.append(1)
        return {"seconds": 2}

    assert stages.of("one", work)["seconds"] == 2
    assert Stages(tmp_path / "figures").of("one", work)["seconds"] == 2
    assert len(done) == 1


def test_a_stage_that_fails_leaves_nothing_and_is_done_again(tmp_path: Path) -> None:
    stages = Stages(tmp_path / "figures")

    def fails() -> dict[str, object]:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        stages.of("one", fails)
    assert stages.of("one", lambda: {"seconds": 3})["seconds"] == 3
    stages.forget()
    assert stages.of("one", lambda: {"seconds": 4})["seconds"] == 4


def test_the_middle_run_is_taken_whole() -> None:
    runs = [{"seconds": seconds, "cpu": cpu} for seconds, cpu in ((3, 1), (1, 2), (2, 3))]
    assert middle(runs, "seconds") == {"seconds": 2, "cpu": 3}


def test_only_what_is_needed_here_is_counted() -> None:
    assert applies(Requirement("numpy>=2"), frozenset())
    assert not applies(Requirement("pywin32; sys_platform == 'nowhere'"), frozenset())
    assert not applies(Requirement("rich; extra == 'colour'"), frozenset())
    assert applies(Requirement("rich; extra == 'colour'"), frozenset({"colour"}))
    found = needed("trilith")
    assert {"trilith", "tantivy", "anyio"} <= found.keys()
    assert "mypy" not in found
