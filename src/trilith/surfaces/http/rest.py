"""REST: the native dialect over HTTP, with its OpenAPI document. `changes` has the other half, what is written."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from trilith import __version__
from trilith.dialects.native import requests
from trilith.dialects.native.answers import Answers
from trilith.errors import Forbidden, InvalidInput, Refused, TrilithError
from trilith.model.principal import Principal
from trilith.surfaces.caller import caller_of
from trilith.surfaces.http import changes, described
from trilith.surfaces.http.asked import InLibrary, Listed, Read, Searched
from trilith.surfaces.http.awaiting import app_for
from trilith.surfaces.http.described import responses
from trilith.surfaces.http.document import completed
from trilith.surfaces.http.envelope import on_http_error, on_surprise, on_trilith_error, refused
from trilith.surfaces.opening import Opening

PREFIX = "/api/v1"

router = APIRouter()


def build(opening: Opening, *, memos: bool = False) -> FastAPI:
    """The application of every path below `/api`. No page of it loads anything from elsewhere: it has none.

    `memos`: whether the endpoint of MythOS, which stands beside it, belongs into its document.
    """
    app = FastAPI(
        title="Trilith",
        version=__version__,
        description="Search, read and change a knowledge base of Markdown notes.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            TrilithError: on_trilith_error,
            RequestValidationError: _on_invalid,
            HTTPException: _on_http_error,
            Exception: on_surprise,
        },
    )
    app.state.opening = opening
    for each in (changes.router, router):  # which says first what is no note
        app.include_router(each, prefix=PREFIX)

    @app.get(f"{PREFIX}/openapi.json", include_in_schema=False)
    def document(request: Request) -> JSONResponse:
        root, named = request.scope.get("root_path", ""), _must_name(opening, caller_of(request.scope))
        return JSONResponse(completed(app.openapi(), root=root, memos=memos, named=named))

    return app


def _must_name(opening: Opening, caller: Principal) -> bool:
    """Whether this caller's new notes must name their library, as far as that is known yet."""
    app = opening.opened()
    try:
        with suppress(Forbidden, Refused):  # where nothing may be written, nothing is to be named
            if app is not None:
                app.gate.writable(caller, None)
    except InvalidInput:
        return True
    return False


def operations() -> tuple[APIRoute, ...]:
    """Everything that can be asked, each with its path below `PREFIX`."""
    routes = (*router.routes, *changes.router.routes)
    return tuple(route for route in routes if isinstance(route, APIRoute) and route.include_in_schema)


async def _answers(request: Request) -> Answers:
    return Answers(await app_for(request), caller_of(request.scope))


Answering = Annotated[Answers, Depends(_answers)]


@router.get("/search", responses=responses(described.SEARCH, 400, 404, 409, 503))
def search(asked: Annotated[Searched, Query()], answers: Answering) -> JSONResponse:
    """Search notes by words and meaning, or walk the links around one."""
    return JSONResponse(
        answers.search(asked.q, asked.mode, asked.limit, asked.narrowing(), asked.sort, explain=asked.explain)
    )


@router.get("/notes", responses=responses(described.PAGE_OR_NOTE, 400, 404, 503))
def notes(asked: Annotated[Listed, Query()], answers: Answering) -> JSONResponse:
    """List notes, newest first; with `path`, read one."""
    length = requests.max_length(asked.max_length)
    if asked.path is None:
        return JSONResponse(answers.page(asked.narrowing(), asked.limit, asked.offset, asked.sort))
    answers.listing(asked.narrowing(), asked.limit, asked.offset, asked.sort)  # what is wrong is told here, too
    return JSONResponse(answers.read(asked.path, length, asked.library))


@router.get("/notes/{reference:path}", responses=responses(described.NOTE, 400, 404, 503))
def note(reference: str, asked: Annotated[Read, Query()], answers: Answering) -> JSONResponse:
    """Read one note by its id or its path in the vault."""
    return JSONResponse(answers.read(reference, asked.max_length, asked.library))


@router.get("/tags", responses=responses(described.TAGS, 400, 404, 503))
def tags(asked: Annotated[InLibrary, Query()], answers: Answering) -> JSONResponse:
    """All tags, with the number of notes that have each."""
    return JSONResponse(answers.tags(asked.library))


@router.get("/related/{reference:path}", responses=responses(described.RELATED, 400, 404, 409, 503))
def related(reference: str, asked: Annotated[InLibrary, Query()], answers: Answering) -> JSONResponse:
    """What a note links to, what links to it, what it was derived from and what was derived from it."""
    return JSONResponse(answers.related(reference, asked.library))


@router.get("/status", responses=responses(described.STATUS, 503))
def status(request: Request) -> JSONResponse:
    """How far the index is. Answers at once, also while it is being opened."""
    app = request.app.state.opening.ready()
    return JSONResponse(STARTING if app is None else Answers(app, caller_of(request.scope)).status())


STARTING: dict[str, Any] = {
    "state": "starting",
    "documents": 0,
    "pending": {"fulltext": 0, "vectors": 0},
    "semantic": {"state": "loading", "reason": "the index is being opened"},
    "libraries": [],
}


async def _on_http_error(request: Request, failure: Exception) -> Response:
    """As everywhere, with all the methods of a path where the one that was used is none of them."""
    assert isinstance(failure, HTTPException)
    if failure.status_code == 405:
        _, _, path = request.url.path.partition(PREFIX)
        failure.headers = {"Allow": ", ".join(_allowed(path))}
    return await on_http_error(request, failure)


def _allowed(path: str) -> list[str]:
    """The methods of the path that says most: `/notes/a/edit` is no note."""
    matching = [each for each in operations() if each.path_regex.match(path)]
    most = max((len(each.path) for each in matching), default=0)
    return sorted({method for each in matching if len(each.path) == most for method in each.methods or ()})


async def _on_invalid(_request: Request, failure: Exception) -> Response:
    """What the framework found wrong with the parameters, in our words: the first thing, naming the field."""
    assert isinstance(failure, RequestValidationError)
    first = failure.errors()[0]
    field = str(first["loc"][1] if len(first["loc"]) > 1 else first["loc"][0])
    return refused(InvalidInput(_wrong(field, first["type"], first["msg"]), field=field))


def _wrong(field: str, kind: str, message: str) -> str:
    if kind == "missing":
        return f"'{field}' is required."
    if kind == "string_too_short":
        return f"'{field}' must not be blank."
    if kind == "extra_forbidden":
        return f"Unknown parameter '{field}'."
    if kind.startswith("int_"):
        return f"'{field}' must be a whole number."
    return f"'{field}': {message}."
