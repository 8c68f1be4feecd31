from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trilith.index.vector.index import VectorIndex
from trilith.index.vector.scan import GATHER_SHARE
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, VectorItem

EVERYTHING = Filter(scopes=(Scope(library="a"),))


def unit(seed: int, rows: int, width: int) -> Floats:
    made = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def notes(rows: Floats, per_note: int) -> tuple[VectorItem, ...]:
    return tuple(
        VectorItem(
            num=Num(start // per_note + 1),
            checksum="c",
            ordinals=np.arange(per_note, dtype=np.int32),
            vectors=rows[start : start + per_note].astype(np.float16),
        )
        for start in range(0, len(rows), per_note)
    )


@pytest.mark.parametrize("width", [1, 5, 63, 384, 768, 1536, 3072])
def test_the_kernel_is_right_at_any_width(tmp_path: Path, width: int) -> None:
    rows, query = unit(width, 60, width), unit(1, 1, width)[0]
    vectors = VectorIndex(tmp_path, "m", width, lambda _: Allowed(nums=None, total=0))
    vectors.apply("a", Changes(upto=1, put=notes(rows, 1)))
    answered = {c.num: c.raw for c in vectors.retrieve(query, EVERYTHING, 60).candidates}
    assert [answered[Num(i + 1)] for i in range(60)] == pytest.approx((rows @ query).tolist(), abs=1e-3)


def test_gathered_and_whole_scans_agree_to_the_last_digit(tmp_path: Path) -> None:
    rows, query = unit(2, 4_000, 32), unit(3, 1, 32)[0]
    share = [0.0]

    def allowed(_: Filter) -> Allowed:
        return Allowed(nums=np.arange(1, 1 + int(1_000 * share[0]), dtype=np.int64), total=1_000)

    vectors = VectorIndex(tmp_path, "m", 32, allowed)
    vectors.apply("a", Changes(upto=1, put=notes(rows, 4)))
    share[0] = GATHER_SHARE
    gathered = vectors.retrieve(query, EVERYTHING, 1_000).candidates
    share[0] = 1.0
    whole = vectors.retrieve(query, EVERYTHING, 1_000).candidates
    assert len(gathered) == int(1_000 * GATHER_SHARE)
    assert gathered == tuple(c for c in whole if c.num <= len(gathered))


def test_the_first_of_equal_chunks_is_named(tmp_path: Path) -> None:
    row = unit(4, 1, 16)
    vectors = VectorIndex(tmp_path, "m", 16, lambda _: Allowed(nums=None, total=0))
    vectors.apply("a", Changes(upto=1, put=notes(np.repeat(row, 6, axis=0), 3)))
    assert [(c.num, c.chunk) for c in vectors.retrieve(row[0], EVERYTHING, 5).candidates] == [(1, 0), (2, 0)]
