"""Scripts and styles: files of the package, under an address that changes with them, so that browsers may keep them for good."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from trilith.surfaces.web.paths import STATIC

FOR_GOOD = "public, max-age=31536000, immutable"
KINDS = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class Assets:
    """Everything in `static/`, read once."""

    @cached_property
    def held(self) -> dict[str, bytes]:
        folder = files("trilith.surfaces.web") / "static"
        return {file.name: file.read_bytes() for file in sorted(folder.iterdir(), key=_name) if _kind(file.name)}

    @cached_property
    def version(self) -> str:
        """Twelve hexadecimal digits of a digest of all of them: scripts load each other by relative addresses."""
        whole = hashlib.sha256()
        for name, data in self.held.items():
            whole.update(f"{name}\0{len(data)}\0".encode() + data)
        return whole.hexdigest()[:12]

    @property
    def base(self) -> str:
        return f"{STATIC}/{self.version}"

    async def answer(self, request: Request) -> Response:
        """One file; of the present version, whichever is asked for."""
        name, version = request.path_params["name"], request.path_params["version"]
        if name not in self.held:
            raise HTTPException(404)
        tag = f'"{self.version}"'
        headers = {"ETag": tag, "Cache-Control": FOR_GOOD if version == self.version else "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(self.held[name], headers=headers, media_type=KINDS[_kind(name)])


def _name(file: Traversable) -> str:
    return file.name


def _kind(name: str) -> str:
    ending = name.rpartition(".")[2]
    return ending if ending in KINDS else ""
