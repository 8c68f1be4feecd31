"""What REST is asked: query parameters as models, so that a misspelt one is refused and not passed over. Their schemas say
more than is checked here: what is out of bounds is told by `requests`, to every door in the same words."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema, field_validator

from trilith.dialects.arguments import MOST_ITEMS
from trilith.dialects.native.limits import INK, TIMES
from trilith.dialects.native.requests import MAX_LIMIT, MOST_PROPERTIES, Narrowing
from trilith.language.query import LONGEST_QUERY
from trilith.model.query import Mode, Sort

TIME = "ISO 8601; a date is that day's start, in UTC."

QUERY = {"type": "string", "pattern": INK, "maxLength": LONGEST_QUERY}

Text = Annotated[str | None, WithJsonSchema({"type": "string"})]
Moment = Annotated[str | None, WithJsonSchema({"type": "string", "anyOf": [*TIMES]})]
Properties = Annotated[str | None, WithJsonSchema({"type": "object", "maxProperties": MOST_PROPERTIES})]
Length = Annotated[int | None, WithJsonSchema({"type": "integer", "minimum": 0})]
Version = Annotated[int | None, WithJsonSchema({"type": "integer", "minimum": 1})]
Asked = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    WithJsonSchema(QUERY),
]


def _one_of(*values: str) -> dict[str, Any]:
    return {"enum": list(values)}


class Narrowed(BaseModel):
    """Which notes are meant."""

    model_config = ConfigDict(extra="forbid")

    library: Text = Field(None, description="Name of a library. Default: all that are served.")
    tags: list[str] = Field(
        [],
        description=(
            f"Only notes with all of these tags, {MOST_ITEMS} at most; `a` includes `a/b`. Repeated, or a comma list."
        ),
    )
    author: Text = Field(None, description="Only notes by this author.")
    path_prefix: Text = Field(None, description="Only notes below this folder.")
    para: Text = Field(None, description="Only notes that belong to this PARA item.")
    modified_after: Moment = Field(None, description=f"Only notes updated at or after. {TIME}")
    modified_before: Moment = Field(None, description=f"Only notes updated before. {TIME}")
    created_after: Moment = Field(None, description=f"Only notes created at or after. {TIME}")
    created_before: Moment = Field(None, description=f"Only notes created before. {TIME}")
    where: Properties = Field(
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
    q: Asked = Field(description="What to look for; in graph mode the id, path, slug, title or alias of a note.")
    mode: str = Field(
        "hybrid", description="hybrid, fulltext, semantic or graph.", json_schema_extra=_one_of(*Mode, "graph")
    )
    limit: int = Field(
        10, description=f"Most results; above {MAX_LIMIT} counts as {MAX_LIMIT}.", json_schema_extra={"minimum": 1}
    )
    sort: str = Field(
        "relevance",
        description="Order of the hits: relevance, updated or created.",
        json_schema_extra=_one_of(Sort.RELEVANCE, Sort.UPDATED, Sort.CREATED),
    )
    explain: bool = Field(
        False, description="Say of each hit why it is where it is. In graph mode there is nothing to say."
    )


class Listed(Narrowed):
    path: Text = Field(None, description="Answer this one note instead, as /notes/{reference} does.")
    max_length: Length = Field(None, description="With `path`: cut the content there.")
    limit: int = Field(
        50, description=f"Most notes; above {MAX_LIMIT} counts as {MAX_LIMIT}.", json_schema_extra={"minimum": 1}
    )
    offset: int = Field(0, description="How many to pass over.", json_schema_extra={"minimum": 0})
    sort: str = Field(
        "updated",
        description="updated, created, title or path.",
        json_schema_extra=_one_of(Sort.UPDATED, Sort.CREATED, Sort.TITLE, Sort.PATH),
    )


class Read(BaseModel):
    model_config = ConfigDict(extra="forbid")

    library: Text = Field(None, description="Name of a library. Default: all that are served.")
    max_length: Length = Field(
        None, description="Cut the content at the last paragraph or sentence end within this many characters."
    )


class Deleted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: Text = Field(None, description="Who deletes. Default: the caller's own name.")
    expected_version: Version = Field(
        None, description="The version that was read; another one on disk is a version_conflict."
    )
    expected_hash: Text = Field(
        None, description="SHA-256 of the file that was read, in hex; another one is a version_conflict."
    )
    library: Text = Field(None, description="Name of a library. Default: all that are served.")


class InLibrary(BaseModel):
    model_config = ConfigDict(extra="forbid")

    library: Text = Field(None, description="Name of a library. Default: all that are served.")
