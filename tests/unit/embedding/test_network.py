"""How texts go through a network."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import numpy as np

from trilith.embedding.network import LOW, Network


class Session:
    """Tells what threads it ran on, and at which priority."""

    def __init__(self) -> None:
        self.priorities: dict[int, int] = {}

    def run(self, names: object, given: dict[str, Any]) -> list[Any]:
        at = os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) if sys.platform == "linux" else LOW
        self.priorities[threading.get_ident()] = at
        return [given["input_ids"].astype(np.float32)]


def test_a_query_runs_where_it_is_asked_and_a_backlog_gives_way() -> None:
    here, session = threading.get_ident(), Session()
    network = Network(session, 2, threads=2)  # type: ignore[arg-type]
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) if sys.platform == "linux" else LOW
    assert network.run([[7, 8]]).tolist() == [[7, 8]]
    assert session.priorities == {here: own}
    assert network.run([[number, number] for number in range(9)]).tolist() == [[number, number] for number in range(9)]
    others = {thread: at for thread, at in session.priorities.items() if thread != here}
    assert others
    assert set(others.values()) == {max(own, LOW)}
    assert session.priorities[here] == own
    assert network.run([]).shape == (0, 2)
