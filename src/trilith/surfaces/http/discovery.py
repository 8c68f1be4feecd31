"""How a client finds out how to authenticate: OAuth 2.0 Protected Resource Metadata (RFC 9728), which MCP's clients look
for. There is no authorization server: keys are made on the machine, and sent as bearer tokens (RFC 6750)."""

from __future__ import annotations

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

METADATA = "/.well-known/oauth-protected-resource"
"""The path of the resource follows."""


def challenge(scope: Scope) -> str:
    """The value of `WWW-Authenticate` for a request that shows no key that holds."""
    path = scope["path"].rstrip("/")
    return f'Bearer realm="trilith", resource_metadata="{_base(scope)}{METADATA}{path}"'


async def metadata(request: Request) -> Response:
    path = request.path_params.get("path", "")
    return JSONResponse(
        {
            "resource": f"{_base(request.scope)}/{path}".rstrip("/"),
            "resource_name": "Trilith",
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["read", "write", "admin"],
        }
    )


def _base(scope: Scope) -> str:
    """Where this server is, as the client sees it."""
    url = URL(scope={**scope, "path": "", "query_string": b""})
    return f"{url.scheme}://{url.netloc}{scope.get('root_path', '').rstrip('/')}"
