"""Which files does a model's folder have? Folders as sentence-transformers and its exporters lay them out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trilith.embedding.manifest import ModelUnusable

NETWORKS = ("model.onnx", "onnx/model.onnx")
"""Where the network is looked for first. Else it is the only one in the folder or in `onnx`."""
TOKENIZER = "tokenizer.json"
USUAL_WINDOW = 512
MOST_WINDOW = 8_192
"""Tokens. What is said beyond that is taken for "no limit", as tokenizers write it."""
SAMPLES, SAMPLE = 64, 1 << 16
"""How much of a network its identity is made of: so many pieces of so many bytes."""


@dataclass(frozen=True, slots=True)
class Files:
    """What every kind of model has: the files of the network and of its tokenizer."""

    folder: Path
    network: Path
    tokenizer: Path

    def identity(self, *more: object) -> str:
        """Changes with anything that shapes an answer. Of the network, which may be large, pieces all over it count."""
        told = hashlib.sha256(self.tokenizer.read_bytes())
        for path in (self.network, *sorted(self.network.parent.glob(f"{self.network.name}?data"))):
            for piece in _samples(path):
                told.update(piece)
        told.update(repr(more).encode())
        return f"{self.folder.name}@{told.hexdigest()[:12]}"


def find_files(folder: Path, named: str | None) -> Files:
    """`named`: the network's file within the folder, where the owner has chosen it. Raises `ModelUnusable`."""
    if not folder.is_dir():
        raise ModelUnusable(f"There is no folder {folder}, which the settings name as a model.")
    tokenizer = folder / TOKENIZER
    if not tokenizer.is_file():
        raise ModelUnusable(f"{folder} has no {TOKENIZER}, which turns text into the model's tokens.")
    return Files(folder, _network(folder, named), tokenizer)


def described(folder: Path, name: str) -> dict[str, Any]:
    """What a file of JSON in a model's folder says; nothing when it is not there. Raises `ModelUnusable`."""
    fields = _json(folder / name)
    if not isinstance(fields, (dict, type(None))):
        raise ModelUnusable(f"{folder / name} does not hold a JSON object.")
    return fields or {}


def listed(folder: Path, name: str) -> list[dict[str, Any]]:
    """As `described`, of a file that holds a list of objects."""
    items = _json(folder / name) or []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ModelUnusable(f"{folder / name} does not hold a list of JSON objects.")
    return items


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ModelUnusable(f"{path} cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise ModelUnusable(f"{path} is not valid JSON: {error}.") from error


def window_of(folder: Path) -> int:
    """Most tokens of a text: what the sentence model was made for, else what its network has room for."""
    places = (
        ("sentence_bert_config.json", "max_seq_length", 0),
        ("tokenizer_config.json", "model_max_length", 0),
        ("config.json", "max_position_embeddings", 2),  # of which some kinds of network leave the first two unused
    )
    for file, name, unused in places:
        number = described(folder, file).get(name)
        if isinstance(number, (int, float)) and 8 <= number <= MOST_WINDOW + unused:
            return int(number) - unused
    return USUAL_WINDOW


def _network(folder: Path, named: str | None) -> Path:
    if named is not None:
        if not (folder / named).is_file():
            raise ModelUnusable(f"{folder} has no {named}, which the settings name as its network.")
        return folder / named
    for name in NETWORKS:
        if (folder / name).is_file():
            return folder / name
    found = sorted(
        path.relative_to(folder).as_posix() for where in (".", "onnx") for path in folder.glob(f"{where}/*.onnx")
    )
    if not found:
        raise ModelUnusable(f"{folder} has no network: no model.onnx, onnx/model.onnx, nor any other .onnx file.")
    if len(found) > 1:
        raise ModelUnusable(f"{folder} has several networks; say which by `file` in the settings: {', '.join(found)}.")
    return folder / found[0]


def _samples(path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    yield str(size).encode()
    with path.open("rb") as file:
        if size <= SAMPLES * SAMPLE:
            yield file.read()
            return
        for number in range(SAMPLES):
            file.seek(number * (size - SAMPLE) // (SAMPLES - 1))
            yield file.read(SAMPLE)
