"""Files of a vault as answers: shown where they are pictures, downloaded where they could be anything. Pure."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

from trilith.surfaces.web.security import FILE_POLICY

SHOWN = {
    "avif": "image/avif",
    "bmp": "image/bmp",
    "gif": "image/gif",
    "ico": "image/x-icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
}
"""What a browser shows by itself, and never runs."""
SVG = "svg"
"""Shown as a picture in a page, where nothing in it runs; by its own address it is downloaded."""


def served(path: str, data: bytes) -> Response:
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower()
    kind = "image/svg+xml" if ending == SVG else SHOWN.get(ending, "application/octet-stream")
    way = "inline" if ending in SHOWN else "attachment"
    return Response(
        data,
        media_type=kind,
        headers={
            "Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='')}",
            "Content-Security-Policy": FILE_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-cache",
        },
    )
