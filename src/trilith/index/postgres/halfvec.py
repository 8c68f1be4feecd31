"""Vectors on the way to pgvector's type `halfvec`. Pure."""

from __future__ import annotations

import numpy as np

from trilith.index.vector.batches import Batch
from trilith.ports.embedding import Floats

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = b"\xff\xff"


def literal(vector: Floats) -> str:
    """A query, in half precision as the rows are. `vector` is float32 [width]."""
    return f"[{','.join(map(str, vector.astype(np.float16).tolist()))}]"


def copy_of(view: int, batch: Batch) -> bytes:
    """The rows of a batch for `COPY vectors FROM STDIN (FORMAT BINARY)`.

    Each value stands behind its length in bytes, all big-endian (PostgreSQL, "File Formats" of COPY); a halfvec is its number
    of dimensions, two bytes of nothing, and its numbers (pgvector, `halfvec_send`).
    """
    rows, width = batch.vectors.shape
    number = [("length", ">i4"), ("value", ">i8")]
    vector = [("length", ">i4"), ("dimensions", ">i2"), ("nothing", ">i2"), ("value", ">f2", (width,))]
    made = np.zeros(
        rows, [("values", ">i2"), ("view", number), ("num", number), ("ordinal", number), ("vector", vector)]
    )
    made["values"] = 4
    for column in ("view", "num", "ordinal"):
        made[column]["length"] = 8
    made["view"]["value"] = view
    made["num"]["value"] = np.repeat(batch.records["num"], np.maximum(batch.records["count"], 0))
    made["ordinal"]["value"] = batch.ordinals
    made["vector"]["length"], made["vector"]["dimensions"] = 4 + 2 * width, width
    made["vector"]["value"] = batch.vectors
    return _HEAD + made.tobytes() + _END
