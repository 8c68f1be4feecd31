"""What REST is asked: query parameters as models, so that a misspelt one is refused and not passed over."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from trilith.dialects.native.requests import MAX_LIMIT, Narrowing

TIME = "ISO 8601; a date is that day's start, in UTC."


class Narrowed(BaseModel):
    """Which notes are meant."""

    model_config = ConfigDict(extra="forbid")

    library: str | None = Field(None, description="Name of a library. Default: all that are served.")
    tags: list[str] = Field(
        [], description="Only notes with all of these tags; `a` includes `a/b`. Repeated, or a comma list."
    )
    author: str | None = Field(None, description="Only notes by this author.")
    path_prefix: str | None = Field(None, description="Only notes below this folder.")
    para: str | None = Field(None, description="Only notes that belong to this PARA item.")
    modified_after: str | None = Field(None, description=f"Only notes updated at or after. {TIME}")
    modified_before: str | None = Field(None, description=f"Only notes updated before. {TIME}")
    created_after: str | None = Field(None, description=f"Only notes created at or after. {TIME}")
    created_before: str | None = Field(None, description=f"Only notes created before. {TIME}")
    where: str | None = Field(
        None, description='Only notes with these frontmatter properties: a JSON object, such as {"status": "doing"}.'
    )

    @field_validator("tags", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        texts = [given] if isinstance(given, str) else given
        return [tag.strip() for text in texts for tag in text.split(",") if tag.strip()]

    def narrowing(self) -> Narrowing:
        named = self.model_dump(include=set(Narrowed.model_fields) - {"tags"})
        return Narrowing(tags=tuple(self.tags), **named)


class Searched(Narrowed):
    q: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="What to look for; in graph mode the id, path, slug, title or alias of a note."
    )
    mode: str = Field("hybrid", description="hybrid, fulltext, semantic or graph.")
    limit: int = Field(10, description=f"Most results; above {MAX_LIMIT} counts as {MAX_LIMIT}.")
    sort: str = Field("relevance", description="Order of the hits: relevance, updated or created.")


class Listed(Narrowed):
    path: str | None = Field(None, description="Answer this one note instead, as /notes/{reference} does.")
    max_length: int | None = Field(None, description="With `path`: cut the content there.")
    limit: int = Field(50, description=f"Most notes; above {MAX_LIMIT} counts as {MAX_LIMIT}.")
    offset: int = Field(0, description="How many to pass over.")
    sort: str = Field("updated", description="updated, created, title or path.")


class Read(BaseModel):
    model_config = ConfigDict(extra="forbid")

    library: str | None = Field(None, description="Name of a library. Default: all that are served.")
    max_length: int | None = Field(
        None, description="Cut the content at the last paragraph or sentence end within this many characters."
    )


class Deleted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str | None = Field(None, description="Who deletes. Default: the caller's own name.")
    expected_version: int | None = Field(
        None, description="The version that was read; another one on disk is a version_conflict."
    )
    expected_hash: str | None = Field(
        None, description="SHA-256 of the file that was read, in hex; another one is a version_conflict."
    )
    library: str | None = Field(None, description="Name of a library. Default: all that are served.")


class InLibrary(BaseModel):
    model_config = ConfigDict(extra="forbid")

    library: str | None = Field(None, description="Name of a library. Default: all that are served.")
