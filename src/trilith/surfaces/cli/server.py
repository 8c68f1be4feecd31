"""A running `trilith serve` of the same home, asked over loopback HTTP: its model and indexes are open already."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from trilith import __version__
from trilith.errors import TrilithError, Unavailable
from trilith.model.ids import parse_id
from trilith.surfaces.cli.scope import Scope, registered
from trilith.surfaces.http.presence import Presence, running

if TYPE_CHECKING:
    from trilith.dialects.native.requests import Narrowing

Json = dict[str, Any]

ANSWER_SECONDS = 75.0
"""Longer than the server itself waits for anything."""
API = "/api/v1"


@dataclass(frozen=True, slots=True)
class ServerAnswers:
    """The questions and changes of the native dialect, answered by a server. `library` narrows them when it serves more
    than is meant. Every method raises what the server refuses with, and `Unavailable` when it does not answer."""

    presence: Presence
    library: str | None = None

    @property
    def url(self) -> str:
        return url(self.presence)

    def search(
        self, query: str, mode: str, limit: int, narrowing: Narrowing, sort: str = "relevance", *, explain: bool = False
    ) -> Json:
        more = {"explain": "true"} if explain else {}
        return self._ask("/search", q=query, mode=mode, limit=limit, sort=sort, **more, **self._narrowed(narrowing))

    def read(self, reference: str, max_length: int | None, library: str | None = None) -> Json:
        asked = {"max_length": max_length, "library": library or self.library}
        if parse_id(reference) is not None:
            return self._ask(f"/notes/{quote(reference, safe='')}", **asked)
        return self._ask("/notes", path=reference, **asked)

    def page(self, listing: Narrowing, limit: int, offset: int, sort: str = "updated") -> Json:
        return self._ask("/notes", limit=limit, offset=offset, sort=sort, **self._narrowed(listing))

    def related(self, reference: str, library: str | None = None) -> Json:
        return self._ask(f"/related/{quote(reference, safe='')}", library=library or self.library)

    def status(self) -> Json:
        return self._ask("/status")

    def create(self, given: Mapping[str, Any]) -> Json:
        return self._send("POST", "/notes", self._of_library(given))

    def patch(self, reference: str, given: Mapping[str, Any]) -> Json:
        return self._send("PATCH", f"/notes/{quote(reference, safe='')}", self._of_library(given))

    def edit(self, reference: str, given: Mapping[str, Any]) -> Json:
        return self._send("POST", f"/notes/{quote(reference, safe='')}/edit", self._of_library(given))

    def move(self, reference: str, given: Mapping[str, Any]) -> Json:
        return self._send("POST", f"/notes/{quote(reference, safe='')}/move", self._of_library(given))

    def delete(self, reference: str, given: Mapping[str, Any]) -> Json:
        return self._send("DELETE", _target(f"/notes/{quote(reference, safe='')}", self._of_library(given)))

    def trash(self, library: str | None = None) -> Json:
        return self._ask("/trash", library=library or self.library)

    def restore(self, key: str) -> Json:
        return self._send("POST", f"/trash/{quote(key, safe='')}/restore")

    def _of_library(self, given: Mapping[str, Any]) -> Json:
        return {**given, "library": given.get("library") or self.library}

    def _narrowed(self, narrowing: Narrowing) -> Json:
        return {**asdict(narrowing), "library": narrowing.library or self.library}

    def _ask(self, resource: str, /, **parameters: Any) -> Json:
        return self._send("GET", _target(resource, parameters))

    def _send(self, method: str, resource: str, body: Mapping[str, Any] | None = None) -> Json:
        connection = http.client.HTTPConnection(self.presence.host, self.presence.port, timeout=ANSWER_SECONDS)
        sent = None if body is None else json.dumps(body).encode()
        try:
            kind = {"Content-Type": "application/json"} if sent else {}
            connection.request(method, f"{API}{resource}", sent, {**self.presence.headers, **kind})
            response = connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise Unavailable(f"The server at {self.url} does not answer ({failure}); try again.") from None
        finally:
            connection.close()
        if response.status >= http.client.BAD_REQUEST:
            raise refusal(answer)
        assert isinstance(answer, dict)
        return answer


def find(scope: Scope, *, whole: bool = False) -> ServerAnswers | None:
    """The server that answers for what `scope` means, if one does; with `whole`, only if it serves nothing else."""
    presence = running(scope.settings.home)
    if presence is None or presence.version != __version__:
        return None
    served = {library["name"]: library["root"] for library in ServerAnswers(presence).status()["libraries"]}
    meant = _meant(scope, served)
    if not meant or not meant <= served.keys():
        return None
    if meant == served.keys():
        return ServerAnswers(presence)
    return None if whole or len(meant) > 1 else ServerAnswers(presence, next(iter(meant)))


def _target(resource: str, parameters: Mapping[str, Any]) -> str:
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"{resource}?{urlencode(given, doseq=True)}"


def url(presence: Presence) -> str:
    """`http://127.0.0.1:8765`"""
    host = f"[{presence.host}]" if ":" in presence.host else presence.host
    return f"http://{host}:{presence.port}"


def refusal(body: Mapping[str, Any]) -> TrilithError:
    """The error that a body `{status, code, message, ...}` stands for."""
    details = {name: value for name, value in body.items() if name not in ("status", "code", "message")}
    kinds = {kind.code: kind for kind in _kinds(TrilithError)}
    return kinds.get(str(body.get("code")), TrilithError)(str(body.get("message")), **details)


def _kinds(kind: type[TrilithError]) -> Iterator[type[TrilithError]]:
    for below in kind.__subclasses__():
        yield from _kinds(below)
    yield kind


def _meant(scope: Scope, served: Mapping[str, str]) -> set[str]:
    """The names of the libraries that `scope` means; none for a folder that the server does not know."""
    if scope.library is not None:
        return {scope.library}
    if scope.vaults:
        roots = {str(vault) for vault in scope.vaults}
        return {name for name, root in served.items() if root in roots}
    return set(registered(scope))
