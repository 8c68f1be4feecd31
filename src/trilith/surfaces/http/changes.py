"""REST, what is written: notes are made, changed, moved, deleted and restored."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from trilith.dialects.native import limits
from trilith.dialects.native.writing import Writing
from trilith.surfaces.caller import caller_of
from trilith.surfaces.http import described
from trilith.surfaces.http.asked import Deleted, InLibrary
from trilith.surfaces.http.awaiting import app_for
from trilith.surfaces.http.described import body, created, responses
from trilith.surfaces.http.sent import json_body

router = APIRouter()

REFUSALS = (400, 404, 409, 503)
BODY_REFUSALS = (*REFUSALS, 413, 415)
TEXT_REFUSALS = (*BODY_REFUSALS, 422)


async def _writing(request: Request) -> Writing:
    return Writing(await app_for(request), caller_of(request.scope))


Changing = Annotated[Writing, Depends(_writing)]
Sent = Annotated[dict[str, Any], Depends(json_body)]


@router.post(
    "/notes",
    status_code=201,
    responses=created(described.WRITTEN, *BODY_REFUSALS),
    openapi_extra=body(limits.CREATE),
)
def create(sent: Sent, writing: Changing) -> JSONResponse:
    """Make a note, unless one from the same source_url is there."""
    answer = writing.create(sent)
    return JSONResponse(answer, 200 if answer["status"] == "duplicate" else 201)


@router.api_route("/notes/{reference:path}/edit", methods=["GET", "PATCH", "DELETE"], include_in_schema=False)
@router.api_route("/notes/{reference:path}/move", methods=["GET", "PATCH", "DELETE"], include_in_schema=False)
def only_posted() -> None:
    """Else these would be taken for notes, and what was meant for one note would be done to another."""
    raise HTTPException(405)


@router.patch(
    "/notes/{reference:path}",
    responses=responses(described.WRITTEN, *TEXT_REFUSALS),
    openapi_extra=body(limits.PATCH),
)
def patch(reference: str, sent: Sent, writing: Changing) -> JSONResponse:
    """Change fields and text of a note; what is left out stays, an empty text or list takes away."""
    return JSONResponse(writing.patch(reference, sent))


@router.post(
    "/notes/{reference:path}/edit",
    responses=responses(described.WRITTEN, *TEXT_REFUSALS),
    openapi_extra=body(limits.EDIT),
)
def edit(reference: str, sent: Sent, writing: Changing) -> JSONResponse:
    """Change a part of a note's text: append, prepend, replace_section or find_replace."""
    return JSONResponse(writing.edit(reference, sent))


@router.post(
    "/notes/{reference:path}/move",
    responses=responses(described.MOVED, *BODY_REFUSALS),
    openapi_extra=body(limits.MOVE),
)
def move(reference: str, sent: Sent, writing: Changing) -> JSONResponse:
    """Move or rename a note; every link to it is rewritten in its own style."""
    return JSONResponse(writing.move(reference, sent))


@router.delete("/notes/{reference:path}", responses=responses(described.DELETION, *REFUSALS))
def delete(reference: str, asked: Annotated[Deleted, Query()], writing: Changing) -> JSONResponse:
    """Put a note into the trash."""
    return JSONResponse(writing.delete(reference, asked.model_dump()))


@router.get("/trash", responses=responses(described.TRASH, 400, 404, 503))
def trash(asked: Annotated[InLibrary, Query()], writing: Changing) -> JSONResponse:
    """What was deleted and can be restored, newest first."""
    return JSONResponse(writing.trash(asked.library))


@router.post("/trash/{key:path}/restore", responses=responses(described.RESTORED, *REFUSALS))
def restore(key: str, writing: Changing) -> JSONResponse:
    """Bring a deleted note back, with its id, its text and its path."""
    return JSONResponse(writing.restore(key))
