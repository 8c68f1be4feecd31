"""The OpenAPI document: what the framework makes of the routes of REST, and what it cannot say of them."""

from __future__ import annotations

from trilith.dialects.mythos.searching import MOST_SEMANTIC, SEARCH, SEMANTIC_LIMIT
from trilith.dialects.native import limits
from trilith.dialects.schema import BOOLEAN, INTEGER, STRING, Json, record
from trilith.surfaces.http.asked import QUERY
from trilith.surfaces.http.callers import MYTHOS_HEADER, MYTHOS_PATH
from trilith.surfaces.http.described import body, failed

KEYS: dict[str, Json] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A key, once there are any."},
    "memos": {"type": "apiKey", "in": "header", "name": MYTHOS_HEADER, "description": "A key, as MythOS sends it."},
}

MEMOS_FAILURE = record({"success": BOOLEAN, "error": STRING, "status": INTEGER}, {"fallback": STRING, "setup": STRING})


def completed(document: Json, *, root: str, memos: bool, named: bool) -> Json:
    """`document` with the ways to authenticate, and with parameters that are JSON text.

    Args:
        root: the prefix of a proxy before all paths; empty without one.
        memos: whether there is the endpoint of MythOS.
        named: whether a new note must name its library.
    """
    paths = {path: {method: _told(each) for method, each in item.items()} for path, item in document["paths"].items()}
    for operation in (item["post"] for path, item in paths.items() if named and path.endswith("/notes")):
        operation["requestBody"] = body(limits.CREATE_NAMED)["requestBody"]
    return {
        **document,
        **({"servers": [{"url": root}]} if root else {}),
        "paths": paths | ({MYTHOS_PATH: {"get": _memos()}} if memos else {}),
        "components": {**document.get("components", {}), "securitySchemes": KEYS},
        "security": [{}, *({name: []} for name in KEYS)],
    }


def _told(operation: Json) -> Json:
    parameters = [_as_text(each) for each in operation.get("parameters", ())]
    return {**operation, **({"parameters": parameters} if parameters else {})}


def _as_text(parameter: Json) -> Json:
    """An object in an address is JSON text."""
    if parameter["schema"].get("type") != "object":
        return parameter
    rest = {name: value for name, value in parameter.items() if name != "schema"}
    return {**rest, "content": {"application/json": {"schema": parameter["schema"]}}}


def _memos() -> Json:
    failures = {str(status): failed(status, MEMOS_FAILURE) for status in (400, 403, 404, 429, 503)}
    return {
        "summary": "Search memos",
        "description": "Search memos by meaning, as the pages of MythOS do.",
        "operationId": "search_memos",
        "parameters": [
            _query("q", "What to look for.", QUERY, required=True),
            _query("username", "User name or library that is meant. Default: your own.", STRING),
            _query(
                "topK",
                f"Most memos; above {MOST_SEMANTIC} counts as {MOST_SEMANTIC}.",
                {**INTEGER, "minimum": 1, "default": SEMANTIC_LIMIT},
            ),
            _query("tags", "Only memos with all of these tags, as a comma list.", STRING),
        ],
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {"schema": SEARCH.output}}},
            **failures,
            "422": {**failed(400, MEMOS_FAILURE), "description": "There is nothing to search by meaning."},
            "default": {**failed(400, MEMOS_FAILURE), "description": "Any other failure."},
        },
    }


def _query(name: str, description: str, schema: Json, *, required: bool = False) -> Json:
    return {"name": name, "in": "query", "required": required, "description": description, "schema": schema}
