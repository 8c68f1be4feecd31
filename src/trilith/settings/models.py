"""Which models may the owner choose, and for what? Sections of the settings; none of them loads anything."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

KNOWN_WIDTHS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


class ServerSettings(BaseModel):
    """A server that makes the embeddings of a library, by the OpenAI API. The key is never in this file, which is copied
    and shown, nor in a vault: it is in an environment variable, or in a file of its own in home."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["openai"] = "openai"
    base_url: str = Field(default="https://api.openai.com/v1", pattern=r"^https?://[^\s/@]+[^\s@]*$")
    model: str = Field(default="text-embedding-3-small", min_length=1)
    width: int | None = Field(default=None, ge=1, le=65_536)
    """Numbers of a vector, asked of the server; None: those that the model has by itself."""
    key_env: str = "OPENAI_API_KEY"
    key_file: str | None = Field(default=None, pattern=r"^[\w-][\w.-]*$")

    @model_validator(mode="after")
    def _sized(self) -> Self:
        if self.width is None and self.model not in KNOWN_WIDTHS:
            raise ValueError(f"give the 'width' of the vectors of '{self.model}'")
        return self

    @property
    def numbers(self) -> int:
        return self.width or KNOWN_WIDTHS[self.model]

    def find_key(self, home: Path) -> tuple[str | None, str]:
        """The key, and where it was looked for when there is none."""
        if self.key_file is not None:
            try:
                key = (home / self.key_file).read_text("utf-8").strip()
            except OSError:
                key = ""
            return key or None, f"no key for the embedder: there is none in the file {self.key_file} in home"
        return os.environ.get(self.key_env) or None, f"no key for the embedder: {self.key_env} is not set"


class OnnxSettings(BaseModel):
    """A folder with a model in ONNX. It is never in a vault's own files: whoever sends a vault chooses no model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str = Field(min_length=1)
    """`~` is the user's own folder; what is not absolute is below home."""
    file: str | None = Field(default=None, min_length=1)
    """The network's file within it, where there are several."""

    def place(self, home: Path) -> Path:
        return home / Path(self.path).expanduser()


class FolderSettings(OnnxSettings):
    """An embedding model in a folder."""

    kind: Literal["folder"]


class MultilingualSettings(BaseModel):
    """The embedding model of the extra `trilith[multilingual]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["multilingual"]


def _kind(given: Any) -> Any:
    """Which embedder is meant: a server where nothing is said."""
    return given.get("kind", "openai") if isinstance(given, dict) else getattr(given, "kind", None)


EmbedderSettings = Annotated[
    Annotated[ServerSettings, Tag("openai")]
    | Annotated[FolderSettings, Tag("folder")]
    | Annotated[MultilingualSettings, Tag("multilingual")],
    Discriminator(
        _kind, custom_error_type="kind", custom_error_message="'kind' must be folder, multilingual or openai"
    ),
]


class RerankerSettings(OnnxSettings):
    """A cross-encoder in a folder, which compares the best notes of a hybrid answer with the query."""

    top: int = Field(default=20, ge=2, le=100)
    """Notes that are compared."""
    budget_ms: int = Field(default=500, ge=1, le=60_000)
    """What that may take; else the order before it stands."""


class LibrarySettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    embedder: EmbedderSettings | None = None
