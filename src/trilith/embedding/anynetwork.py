"""Runs a network that somebody else has exported: which inputs it wants, and which output has the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from trilith.embedding.manifest import ModelUnusable
from trilith.embedding.network import open_session
from trilith.embedding.parts import Part
from trilith.ports.embedding import Floats

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
NUMBERS: Mapping[str, np.dtype[Any]] = MappingProxyType(
    {"tensor(int64)": np.dtype(np.int64), "tensor(int32)": np.dtype(np.int32)}
)


class AnyNetwork:
    """A loaded network, asked for one of its outputs.

    Args:
        path: of the `.onnx` file, for messages.
        outputs: names of the output, most wanted first; where it has none of them, its first one is taken.
    """

    def __init__(self, path: Path, session: InferenceSession, outputs: Sequence[str]) -> None:
        self._session = session
        self._inputs = {each.name: _number(path, each.name, each.type) for each in session.get_inputs()}
        names = [each.name for each in session.get_outputs()]
        self.output = next((name for name in outputs if name in names), names[0])

    def run(self, part: Part) -> Floats:
        """float32: the output for one text, without the dimension of the batch."""
        given: dict[str, Any] = {
            "input_ids": part.ids,
            "attention_mask": [1] * len(part.ids),
            "token_type_ids": part.segments,
            "position_ids": range(len(part.ids)),
        }
        feed = {name: np.array([given[name]], kind) for name, kind in self._inputs.items()}
        answer: Floats = np.asarray(self._session.run([self.output], feed)[0][0], np.float32)
        return answer


def load_any(path: Path, outputs: Sequence[str]) -> AnyNetwork:
    """Raises `ModelUnusable`."""
    return AnyNetwork(path, open_session(path), outputs)


def _number(path: Path, name: str, kind: str) -> np.dtype[Any]:
    if name not in INPUTS:
        raise ModelUnusable(f"The network {path} wants an input '{name}'; only {', '.join(INPUTS)} can be given.")
    if kind not in NUMBERS:
        raise ModelUnusable(f"The network {path} wants '{name}' as {kind}, not as whole numbers.")
    return NUMBERS[kind]
