"""How do the vectors of tokens become one? As the folder of a sentence-transformers model says. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from trilith.embedding.files import described, listed
from trilith.embedding.manifest import ModelUnusable
from trilith.ports.embedding import Floats

MODULES = "modules.json"

Pool = Callable[[Floats], Floats]
"""float32 [tokens, width] -> [width]"""


def _mean(tokens: Floats) -> Floats:
    pooled: Floats = tokens.mean(axis=0)
    return pooled


def _largest(tokens: Floats) -> Floats:
    pooled: Floats = tokens.max(axis=0)
    return pooled


def _weighted(tokens: Floats) -> Floats:
    """Later tokens count more, by their place."""
    places = np.arange(1, len(tokens) + 1, dtype=np.float32)
    pooled: Floats = (tokens * places[:, None]).sum(axis=0) / places.sum()
    return pooled


POOLS: Mapping[str, Pool] = MappingProxyType(
    {
        "cls": lambda tokens: tokens[0],
        "cls_token": lambda tokens: tokens[0],
        "mean": _mean,
        "mean_tokens": _mean,
        "mean_sqrt_len_tokens": _mean,
        "max": _largest,
        "max_tokens": _largest,
        "weightedmean": _weighted,
        "weightedmean_tokens": _weighted,
        "lasttoken": lambda tokens: tokens[-1],
    }
)
"""By the names that sentence-transformers has for them. Of a mean, only the direction counts, so that dividing by the root
of the length is no different."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """`name` of the pool; None when the folder does not say, and the network must pool by itself. `width` is that of a
    vector, as far as it is said."""

    name: str | None
    width: int | None

    def pool(self, tokens: Floats) -> Floats:
        assert self.name is not None
        return POOLS[self.name](tokens)


def read_pooling(folder: Path) -> Pooling:
    """What `1_Pooling/config.json`, or the pooling module that `modules.json` names, says. Raises `ModelUnusable`."""
    place = _place(folder)
    said = described(folder, f"{place}/config.json")
    width = said.get("word_embedding_dimension") or said.get("embedding_dimension") or _hidden(folder)
    if not said:
        return Pooling(None, width)
    chosen = _chosen(said)
    if said.get("include_prompt") is False:
        raise ModelUnusable(f"{folder / place}/config.json leaves prompts out of the pooling, which is not supported.")
    if len(chosen) != 1 or chosen[0] not in POOLS:
        known = ", ".join(name for name in POOLS if "_" not in name)
        said_so = " and ".join(chosen) or "none at all"
        raise ModelUnusable(f"{folder / place}/config.json asks for a pooling by {said_so}; it must be one of {known}.")
    return Pooling(chosen[0], width)


def _chosen(said: Mapping[str, Any]) -> list[str]:
    mode = said.get("pooling_mode")
    if mode is not None:
        return [mode] if isinstance(mode, str) else [str(each) for each in mode]
    prefix = "pooling_mode_"
    return [name.removeprefix(prefix) for name, value in said.items() if name.startswith(prefix) and value is True]


def modules_beside(folder: Path) -> list[str]:
    """The kinds of modules that a folder lists and that change a vector otherwise than by pooling and normalising."""
    kinds = [str(each.get("type", "")).rsplit(".", 1)[-1] for each in listed(folder, MODULES)]
    return [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]


def _place(folder: Path) -> str:
    named = [str(each.get("path")) for each in listed(folder, MODULES) if str(each.get("type", "")).endswith("Pooling")]
    return named[0] if named else "1_Pooling"


def _hidden(folder: Path) -> int | None:
    said = described(folder, "config.json")
    width = said.get("hidden_size") or said.get("dim") or said.get("d_model")
    return width if isinstance(width, int) else None
