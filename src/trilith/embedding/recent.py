"""The last few answers, so that paging, retries and several libraries do not embed the same query again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from trilith.ports.embedding import Floats


class Recent:
    """The vectors of the last `size` distinct texts."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._vectors: OrderedDict[str, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> Floats | None:
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def put(self, text: str, vector: Floats) -> None:
        with self._lock:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            if len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
