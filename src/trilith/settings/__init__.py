"""What may the owner choose? Flags over `TRILITH_*` environment over `trilith.toml` in home."""

from __future__ import annotations

import json
import logging
import os
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator

from trilith.errors import InvalidInput
from trilith.home.layout import default_home
from trilith.settings.models import LibrarySettings, RerankerSettings

log = logging.getLogger(__name__)

FILE = "trilith.toml"
ENVIRONMENT = "TRILITH_"
SECTIONS = ("library", "reranker")
"""What is JSON in the environment."""
AT_ONCE = ("read_only", "anonymous", "rate_limit")
"""What a running server takes over from a file that has changed; the rest holds from its next start."""
DIALECTS = ("lithos", "loombrain", "mythos")


class Settings(BaseModel):
    """Every setting, with its default. `docs/settings.md` lists them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    home: Path = Field(description="Folder of settings, ledger and indexes. Never inside a vault.")
    host: str = Field(default="127.0.0.1", description="Address that `serve` listens on.")
    port: int = Field(default=8765, ge=0, le=65535, description="Port that `serve` listens on; 0 takes a free one.")
    dialects: tuple[str, ...] = Field(
        default=DIALECTS, description="Dialects whose tools `/mcp` and stdio offer; a comma list in the environment."
    )
    semantic: Literal["on", "off"] = Field(default="on", description="Search by meaning; off loads no model.")
    vector: Literal["on", "off"] = Field(
        default="on", description="Keep an index of vectors; off makes embeddings and answers no search by meaning."
    )
    fusion: Literal["rrf", "weighted"] = Field(
        default="rrf",
        description="How hybrid search makes one order of two: by ranks, or `weighted`, 0.7 of the cosine + 0.3 of BM25. LoomBrain "
        "always goes by ranks.",
    )
    library: dict[str, LibrarySettings] = Field(
        default={},
        description="What is special about a library, in a section of its own such as `[library.notes.embedder]`, see below; JSON in the environment.",
    )
    reranker: RerankerSettings | None = Field(
        default=None,
        description="A model that puts the best notes of a hybrid answer into a better order, see below; JSON in the environment.",
    )
    read_only: bool = Field(default=False, description="Nothing may be written to any vault, whatever is asked.")
    threads: int = Field(
        default=0,
        ge=0,
        le=64,
        description="Threads of the embedding model, and of making the lists of a library with more than 200,000 vectors; 0 "
        "chooses by the machine, and makes lists with one.",
    )
    watch: Literal["auto", "polling", "off"] = Field(
        default="auto",
        description="How a server follows the files: by events where the disk gives them, else every 5 seconds; `polling` "
        "where events do not come; `off` looks only once.",
    )
    rescan_seconds: float = Field(
        default=60.0,
        gt=0,
        description="Seconds between two looks over a vault, whatever the events say; more where they come and a look takes long, so that it costs at most 0.3 % of a core, up to 15 minutes.",
    )
    anonymous: Literal["none", "public"] = Field(
        default="none",
        description="What whoever shows no key may read over HTTP once there are keys: nothing, or public notes (and `link` "
        "notes by their full id).",
    )
    rate_limit: int = Field(
        default=600, ge=0, le=1_000_000, description="Requests a minute that each key may make; 0 for any number."
    )
    log_level: str = Field(default="warning", description="debug, info, warning, error or critical, on stderr.")

    _flags: dict[str, Any] = PrivateAttr(default_factory=dict)
    """What the command line has said, which wins also when the file is read again."""

    @field_validator("dialects", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return (
            tuple(part.strip().lower() for part in value.split(",") if part.strip())
            if isinstance(value, str)
            else value
        )

    @field_validator("dialects")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in value if name not in DIALECTS]
        if unknown or not value:
            raise ValueError(f"must name some of {', '.join(DIALECTS)}")
        return value

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        level = value.strip().lower()
        if level not in ("debug", "info", "warning", "error", "critical"):
            raise ValueError("must be debug, info, warning, error or critical")
        return level


def load(home: Path | None = None, **flags: Any) -> Settings:
    """The settings in force; flags that are None count as not given.

    Raises `InvalidInput` naming the setting, where it may come from and what was expected.
    """
    chosen = home or Path(os.environ.get("TRILITH_HOME") or default_home())
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        folder = chosen.expanduser().absolute()
        said = _merged(_merged(_in_file(folder / FILE), _in_environment()), {**given, "home": folder})
        settings = Settings.model_validate(said)
        settings._flags.update(given)
        return settings
    except ValidationError as failure:
        first = failure.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(
            f"Setting '{name}' (flag, TRILITH_{name.upper()} or {FILE} in {chosen}): {first['msg'].removeprefix('Value error, ')}",
            field=name,
        ) from None
    except ValueError as failure:
        raise InvalidInput(f"{chosen / FILE} is not valid TOML: {failure}", field=FILE) from None


def _in_file(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _in_environment() -> dict[str, Any]:
    """The names of variables are read in any case."""
    variables = {name.upper(): value for name, value in os.environ.items()}
    names = [name for name in Settings.model_fields if ENVIRONMENT + name.upper() in variables]
    return {name: _read(name, variables[ENVIRONMENT + name.upper()]) for name in names}


def _read(name: str, value: str) -> Any:
    if name in SECTIONS:
        with suppress(ValueError):  # what is no JSON is no section either, which is told like all that is wrong
            return json.loads(value)
    return value


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` over `below`, section by section."""
    merged = {**below, **above}
    for name in below.keys() & above.keys():
        if isinstance(below[name], Mapping) and isinstance(above[name], Mapping):
            merged[name] = _merged(below[name], above[name])
    return merged


def kept_up(settings: Settings) -> Callable[[], Settings]:
    """The settings as they are now: read again when `trilith.toml` has changed. While it cannot be understood, those before
    stay in force, and the log says why."""
    file = settings.home / FILE
    kept = {"stamp": _stamp(file), "settings": settings}

    def now() -> Settings:
        stamp = _stamp(file)
        if stamp != kept["stamp"]:
            kept["stamp"] = stamp
            try:
                kept["settings"] = load(settings.home, **settings._flags)
            except InvalidInput as failure:
                log.warning("the settings stay as they were: %s", failure.message)
        found = kept["settings"]
        assert isinstance(found, Settings)
        return found

    return now


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
