"""The page around every page, and how a template becomes an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from trilith import __version__
from trilith.errors import RateLimited, TrilithError
from trilith.surfaces.caller import caller_of
from trilith.surfaces.mcp.calls import UNEXPECTED
from trilith.surfaces.web.assets import Assets
from trilith.surfaces.web.visitors import PART, visit_of

THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Frame:
    """What the layout shows. `base` is what a proxy puts before our paths, `here` the path that was asked for; `visitor` is
    "" for somebody who needs no name; `theme` "" follows the system."""

    base: str
    static: str
    here: str
    token: str
    visitor: str
    signed_in: bool
    can_sign_in: bool
    theme: str
    version: str = __version__


class Pages:
    """Makes answers of templates."""

    def __init__(self, assets: Assets, *, wants_keys: Callable[[], bool]) -> None:
        self._assets = assets
        self._wants_keys = wants_keys

    def page(self, request: Request, name: str, status: int = 200, **shown: Any) -> Response:
        """The template `name`, with whatever it shows."""
        template = self._templates.get_template(f"{name}.html")
        return HTMLResponse(template.render(frame=self._frame(request), **shown), status)

    def failure(self, request: Request, failure: TrilithError, typed: str | None = None) -> Response:
        """An anticipated failure, in its own words: a whole page, or the part that a script has asked for. `typed` is the
        text that was not saved."""
        answer = self._told(request, failure.status, failure.message, failure.code, typed)
        if isinstance(failure, RateLimited):
            answer.headers["Retry-After"] = str(failure.details["retry_after"])
        return answer

    def surprise(self, request: Request) -> Response:
        """What nobody has foreseen, told likewise."""
        return self._told(request, 500, UNEXPECTED, "internal")

    def _told(self, request: Request, status: int, message: str, code: str, typed: str | None = None) -> Response:
        name = "_failure" if PART in request.headers else "failure"
        return self.page(request, name, status, message=message, code=code, typed=typed)

    def _frame(self, request: Request) -> Frame:
        visit, caller = visit_of(request.scope), caller_of(request.scope)
        base, theme = request.scope.get("root_path", ""), request.cookies.get("trilith-theme", "")
        return Frame(
            base=base,
            static=f"{base}{self._assets.base}",
            here=request.url.path.removeprefix(base) or "/",
            token=visit.token,
            visitor="" if caller.is_owner else caller.name,
            signed_in=visit.secret is not None,
            can_sign_in=visit.secret is None and self._wants_keys(),
            theme=theme if theme in THEMES else "",
        )

    @cached_property
    def _templates(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("trilith.surfaces.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        environment.filters |= FILTERS
        return environment


def day(moment: datetime) -> str:
    """`3 Feb 2026`"""
    return f"{moment.day} {moment:%b %Y}"


def minute(moment: datetime) -> str:
    """`3 Feb 14:05`, in UTC."""
    return f"{moment.day} {moment.astimezone(UTC):%b %H:%M}"


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 note`, `1,200 notes`"""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


FILTERS: Mapping[str, Any] = {"day": day, "minute": minute, "count": count}
