"""Who asks? Every request shows a key that holds, once there are keys; until then this machine is its owner's."""

from __future__ import annotations

import hmac
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trilith.access.keys import LOOKS_LIKE_ONE, bearer_of, digest, holder_of
from trilith.access.rates import Bucket, take
from trilith.dialects.mythos.errors import render_error
from trilith.errors import Forbidden, InvalidInput, RateLimited, TrilithError, Unauthorized
from trilith.model.principal import Key, Principal, Right
from trilith.surfaces.caller import CALLER
from trilith.surfaces.http.discovery import METADATA, challenge
from trilith.surfaces.http.envelope import refused

if TYPE_CHECKING:
    from trilith.ports.surroundings import Clock

BEARER = re.compile(r"Bearer ([^\s,]+)")
MYTHOS_HEADER = "x-mythos-key"
MYTHOS_PATH = "/api/internal/memos/semantic-search"
"""The one path on which nobody is asked to authenticate: a key that is missing or wrong is forbidden there."""
ANYBODY = Principal("", is_owner=False, rights=frozenset({Right.READ}))
FORMER = 10_000
"""Buckets kept; a full one is as good as none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doorkeeper:
    """What decides who comes in.

    Args:
        keys: all keys that were ever made, asked anew for each request.
        own: the secret by which the owner's own programs on this machine know this server.
        open_without_keys: whether everybody who reaches the server is its owner for as long as there is no key.
        anonymous: whether whoever shows no key may read what is public, as the owner has it now.
        per_minute: requests that each key may make, likewise; 0 for any number.
    """

    keys: Callable[[], tuple[Key, ...]]
    own: str
    open_without_keys: bool
    anonymous: Callable[[], bool]
    per_minute: Callable[[], int]
    clock: Clock
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def admit(self, headers: Headers, address: str) -> Principal:
        """Raises `Unauthorized`, `RateLimited`, and `InvalidInput` for a key in the address, where logs would keep it."""
        _check_address(address)
        return self._counted(self._caller(shown(headers), self.keys()))

    def sign_in(self, secret: str) -> Principal:
        """Who shows a key to the web page. Raises `Unauthorized`, `RateLimited`."""
        return self._counted(bearer_of(secret, self.keys(), self.now()))

    def again(self, key: str, address: str) -> Principal:
        """Who has signed in with the key of this id before. Raises as `admit`."""
        _check_address(address)
        return self._counted(holder_of(key, self.keys(), self.now()))

    def wants_keys(self) -> bool:
        """Whether there is anything to sign in for."""
        return bool(self.keys()) or not self.open_without_keys

    def _caller(self, secrets: list[str | None], keys: tuple[Key, ...]) -> Principal:
        if len(secrets) == 1 and secrets[0] and hmac.compare_digest(digest(secrets[0]), digest(self.own)):
            return Principal()
        if not keys and self.open_without_keys:
            return Principal()
        if not secrets and self.anonymous():
            return ANYBODY
        if not secrets:
            raise Unauthorized("This server wants a key: 'Authorization: Bearer tri_...'.")
        if len(secrets) > 1 or secrets[0] is None:
            raise Unauthorized("Send one key, in one header: 'Authorization: Bearer tri_...'.")
        return bearer_of(secrets[0], keys, self.now())

    def now(self) -> datetime:
        return self.clock.now()

    def _counted(self, caller: Principal) -> Principal:
        per_minute = self.per_minute()
        if caller.is_owner or not per_minute:
            return caller
        name = caller.key or ""
        bucket, wait = take(self.buckets.pop(name, None), self.clock.monotonic(), per_minute)
        self.buckets[name] = bucket
        while len(self.buckets) > FORMER:
            del self.buckets[next(iter(self.buckets))]
        if wait:
            seconds = math.ceil(wait)
            raise RateLimited(
                f"More than {per_minute} requests a minute; try again in {seconds} s.", retry_after=seconds
            )
        return caller


def _check_address(address: str) -> None:
    if LOOKS_LIKE_ONE.search(unquote(address)):
        raise InvalidInput("A key never belongs into an address; send it as a header.", field="authorization")


def shown(headers: Headers) -> list[str | None]:
    """Every key that a request shows; None for a header that holds none in the right form."""
    bearers = [BEARER.fullmatch(value) for value in headers.getlist("authorization")]
    plain = [value or None for value in headers.getlist(MYTHOS_HEADER)]
    return [match and match[1] for match in bearers] + plain


class Callers:
    """Puts the caller into the scope of each request, or answers that nobody is let in."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper) -> None:
        self._app = app
        self._doorkeeper = doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(METADATA):
            await self._app(scope, receive, send)
            return
        try:
            caller = self._doorkeeper.admit(
                Headers(scope=scope), f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
            )
        except TrilithError as failure:
            await turned_away(failure, scope)(scope, receive, send)
            return
        await self._app({**scope, CALLER: caller}, receive, send)


def turned_away(failure: TrilithError, scope: Scope) -> Response:
    """The answer to a caller who is not let in: with the way to authenticate, or the time to wait."""
    if scope["path"] == MYTHOS_PATH:
        answer: Response = memos_refused(failure)
    else:
        answer = refused(failure)
    if isinstance(failure, Unauthorized) and answer.status_code == failure.status:
        answer.headers["WWW-Authenticate"] = challenge(scope)
    if isinstance(failure, RateLimited):
        answer.headers["Retry-After"] = str(failure.details["retry_after"])
    return answer


def memos_refused(failure: TrilithError) -> JSONResponse:
    """The answer of the MythOS endpoint to an anticipated failure."""
    body = render_error(failure)
    if isinstance(failure, Unauthorized):
        body["status"] = Forbidden.status
    return JSONResponse(body, body["status"])
