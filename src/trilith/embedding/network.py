"""Token numbers to vectors, with ONNX Runtime."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from trilith.embedding.manifest import ModelUnusable
from trilith.ports.embedding import Floats

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

LOW = 10
"""The priority ("nice") of threads that nobody waits for: a ninth of the share of others."""
SILENT = 4
"""ONNX Runtime's level for fatal errors only. All others come as exceptions."""


class Network:
    """A loaded network. Texts go through one by one, each on one thread, several side by side.

    One by one, because an 8-bit network finds the scale of its inner values anew in every run: in a batch, a text's
    vector would hang on its company (cosine to itself down to 0.96). It costs nothing: 94 texts of 500 characters a
    second and core, against 95 in the best batches (by length, 512 tokens).

    One thread each, because side by side two cores do more than with two threads for one text (193 a second against
    168), and a query does not queue behind a backlog.

    Several texts are a backlog: their threads give way to all others of the machine, where the system lets threads do so.
    """

    def __init__(self, session: InferenceSession, width: int, threads: int) -> None:
        self._session = session
        self._width = width
        self._threads = threads

    def run(self, ids: Sequence[Sequence[int]]) -> Floats:
        """float32 [texts, width] for the token numbers of texts, none empty."""
        vectors = np.empty((len(ids), self._width), np.float32)
        if len(ids) == 1:
            vectors[0] = self._one(ids[0])
            return vectors
        with ThreadPoolExecutor(self._threads, initializer=give_way) as pool:
            for place, vector in enumerate(pool.map(self._one, ids)):
                vectors[place] = vector
        return vectors

    def _one(self, numbers: Sequence[int]) -> Floats:
        tokens = np.array([numbers], np.int64)
        answer = self._session.run(None, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
        vector: Floats = answer[0][0]
        return vector


def give_way() -> None:
    """Let this thread run when no other needs the processor. Only Linux has a priority for each thread (sched(7)); it cannot
    be raised again."""
    if sys.platform == "linux":
        me = threading.get_native_id()
        if os.getpriority(os.PRIO_PROCESS, me) < LOW:
            os.setpriority(os.PRIO_PROCESS, me, LOW)


def load_network(path: Path, width: int, threads: int) -> Network:
    """Raises `ModelUnusable`."""
    return Network(open_session(path), width, threads)


def open_session(path: Path) -> InferenceSession:
    """A network that runs on one thread and says nothing. Raises `ModelUnusable`."""
    try:
        import onnxruntime
    except (ImportError, OSError) as error:
        raise ModelUnusable(f"onnxruntime cannot be loaded ({error}). Install it again, and restart.") from error
    onnxruntime.set_default_logger_severity(SILENT)
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = SILENT
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no common base but this
        raise ModelUnusable(f"The network {path} cannot be loaded: {error}") from error
