"""Signing in with a key, and out again."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from trilith.errors import Forbidden, TrilithError, Unauthorized
from trilith.surfaces.web.frame import Pages
from trilith.surfaces.web.paths import SIGN_IN, local
from trilith.surfaces.web.security import check_token
from trilith.surfaces.web.sessions import LASTING, Sessions
from trilith.surfaces.web.visitors import REFUSED, Door, cookie_name, visit_of


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that one of our pages has sent. Raises `Forbidden` for any other."""
    sent = await _fields(request)
    check_token(sent.get("token", ""), visit_of(request.scope).token)
    return sent


async def typed(request: Request) -> str | None:
    """The text of a note that came with a request that failed, to be given back; None where there was none, and for a form
    from elsewhere, whose words are none of ours."""
    is_text = request.method == "POST" and request.url.path.endswith("/edit")
    if not is_text or isinstance(request.scope.get(REFUSED), Forbidden):
        return None
    return (await _fields(request)).get("body")


async def _fields(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


class Signing:
    def __init__(self, pages: Pages, door: Door, sessions: Sessions) -> None:
        self._pages = pages
        self._door = door
        self._sessions = sessions

    async def form(self, request: Request) -> Response:
        return self._form(request, local(request.query_params.get("next", "/")))

    async def sign_in(self, request: Request) -> Response:
        sent = await form_of(request)
        target = local(sent.get("next", "/"))
        try:
            caller = await run_in_threadpool(self._door.sign_in, sent.get("key", "").strip())
        except TrilithError as failure:
            return self._form(request, target, failure)
        assert caller.key is not None
        self._sessions.end(visit_of(request.scope).secret)
        answer = RedirectResponse(f"{request.scope.get('root_path', '')}{target}", 303)
        self._set_cookie(request, answer, self._sessions.begin(caller.key), int(LASTING))
        return answer

    async def sign_out(self, request: Request) -> Response:
        await form_of(request)
        self._sessions.end(visit_of(request.scope).secret)
        answer = RedirectResponse(f"{request.scope.get('root_path', '')}{SIGN_IN}", 303)
        self._set_cookie(request, answer, "", 0)
        return answer

    def _form(self, request: Request, target: str, failure: TrilithError | None = None) -> Response:
        status = 200 if failure is None else failure.status
        problem = None if failure is None else _said(failure)
        return self._pages.page(request, "sign-in", status, target=target, problem=problem)

    def _set_cookie(self, request: Request, answer: Response, secret: str, seconds: int) -> None:
        answer.set_cookie(
            cookie_name(request.scope),
            secret,
            max_age=seconds,
            path=request.scope.get("root_path", "") or "/",
            httponly=True,
            samesite="lax",
            secure=request.headers.get("origin", "").startswith("https:"),
        )


def _said(failure: TrilithError) -> str:
    return "This key does not open anything here." if isinstance(failure, Unauthorized) else failure.message
