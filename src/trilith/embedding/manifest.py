"""The manifest of a model folder: `manifest.json`, which says what its files must be.

It lets a process know the model's identity without reading 23 MB, and a loader tell a damaged file from a good one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ModelUnusable(Exception):
    """A model folder cannot be used; the text says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    file: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`width` numbers a vector, at most `window` tokens a text, special ones included."""

    name: str
    width: int
    window: int
    network: ModelFile
    tokenizer: ModelFile

    @property
    def identity(self) -> str:
        """Changes with anything that shapes a vector."""
        parts = (self.network.sha256, self.tokenizer.sha256, str(self.width), str(self.window))
        return f"{self.name}@{hashlib.sha256(' '.join(parts).encode()).hexdigest()[:12]}"


def read_manifest(folder: Path) -> Manifest:
    """Raises `ModelUnusable`."""
    path = folder / "manifest.json"
    try:
        return _parse(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise ModelUnusable(f"{path} cannot be read ({error.strerror}). {_remedy(folder)}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise ModelUnusable(f"{path} is damaged. {_remedy(folder)}") from error


def verified(folder: Path, expected: ModelFile) -> Path:
    """The path of a file that is what the manifest says. Raises `ModelUnusable`."""
    path = folder / expected.file
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            intact = size == expected.size and hashlib.file_digest(file, "sha256").hexdigest() == expected.sha256
    except OSError as error:
        raise ModelUnusable(f"The model file {path} cannot be read ({error.strerror}). {_remedy(folder)}") from error
    if not intact:
        raise ModelUnusable(f"The model file {path} is damaged or incomplete. {_remedy(folder)}")
    return path


def _parse(fields: dict[str, Any]) -> Manifest:
    manifest = Manifest(
        name=str(fields["name"]),
        width=int(fields["width"]),
        window=int(fields["window"]),
        network=ModelFile(**fields["network"]),
        tokenizer=ModelFile(**fields["tokenizer"]),
    )
    if manifest.width < 1 or manifest.window < 3:
        raise ValueError("no room for a vector or a word")
    return manifest


def _remedy(folder: Path) -> str:
    return f"Install Trilith again, or put a complete model into {folder}, and restart."
