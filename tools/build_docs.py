"""Writes the reference pages of `docs/` that follow from the code: tools, command line, settings, errors.

usage: python tools/build_docs.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from trilith import errors
from trilith.dialects.tool import Dialect, Tool
from trilith.settings import Settings
from trilith.settings.models import RerankerSettings, ServerSettings
from trilith.surfaces.cli.main import build
from trilith.surfaces.mcp.offered import DIALECTS

DOCS = Path(__file__).parent.parent / "docs"
MADE = "<!-- Made by `python tools/build_docs.py`; change the code, not this page. -->"

Json = dict[str, Any]


def pages() -> dict[str, str]:
    """File name -> text of each page."""
    return {
        "tools.md": _page(_tools()),
        "cli.md": _page(_commands()),
        "settings.md": _page(_settings()),
        "errors.md": _page(_errors()),
    }


def _page(lines: Iterator[str]) -> str:
    return "\n".join([MADE, "", *lines]).rstrip() + "\n"


# --- tools -----------------------------------------------------------------------------------------------------------


def _tools() -> Iterator[str]:
    yield "# Tools"
    yield ""
    yield "What agents can call over MCP, by dialect. A dialect can be offered alone: `/mcp/lithos`, or"
    yield "`trilith mcp --dialect lithos`. A null counts as omitted, a whole number may come as a string of digits, and a list"
    yield "as JSON text or as a comma list."
    for dialect in DIALECTS.values():
        yield from _dialect(dialect)


def _dialect(dialect: Dialect) -> Iterator[str]:
    yield ""
    yield f"## {dialect.name}"
    yield ""
    yield dialect.instructions
    yield ""
    yield "A failure is marked as an error and has this body, as structured content and as JSON text:"
    yield ""
    yield "```json"
    yield from _error_example(dialect)
    yield "```"
    for tool in dialect.tools:
        yield from _tool(tool)


def _error_example(dialect: Dialect) -> Iterator[str]:
    import json

    failure = errors.NotFound("No document found with id 'f47ac10b-58cc-4372-a567-0e02b2c3d479'")
    yield from json.dumps(dialect.render_error(failure), indent=2).splitlines()


def _tool(tool: Tool) -> Iterator[str]:
    yield ""
    yield f"### {tool.name}"
    yield ""
    yield f"{tool.description} ({_nature(tool)})"
    yield ""
    yield "| parameter | type | required | description |"
    yield "|---|---|---|---|"
    for parameter in tool.parameters:
        kind = "list of strings" if parameter.type == "strings" else parameter.type
        yield _row(f"`{parameter.name}`", kind, "yes" if parameter.required else "", parameter.description)
    yield ""
    yield "| answer | type | always | description |"
    yield "|---|---|---|---|"
    yield from _fields(tool.output, "")


def _nature(tool: Tool) -> str:
    if not tool.writes:
        return "Reads only."
    return "May change or delete what is there." if tool.destructive else "Adds only."


def _fields(schema: Json, prefix: str, *, always: bool = True) -> Iterator[str]:
    """A row for each field of an object, those of nested objects after their parent."""
    for name, field in schema.get("properties", {}).items():
        there = always and name in schema.get("required", ())
        inner, path = field, f"{prefix}{name}"
        if field.get("type") == "array" and field["items"].get("type") == "object":
            inner, path = field["items"], f"{path}[]"
        yield _row(f"`{path}`", _kind(field), "yes" if there else "", field.get("description", ""))
        yield from _fields(inner, f"{path}.", always=there)


def _kind(field: Json) -> str:
    if "type" not in field:
        return "string or null"
    if field["type"] != "array":
        return str(field["type"])
    item = field["items"].get("type", "string")
    return "list of objects" if item == "object" else f"list of {item}s"


# --- commands --------------------------------------------------------------------------------------------------------


def _commands() -> Iterator[str]:
    yield "# Command line"
    yield ""
    yield "Exit status: 0 when the question was answered (no match is an answer too), 1 when something was not found or"
    yield "failed, 2 when the command was not understood. Answers go to stdout, everything said about them to stderr, errors as"
    yield "`error: message`. With `--json`, stdout has the answer as JSON, or the error body described in [errors](errors.md)."
    yield "Colours appear on a terminal only, and not while `NO_COLOR` is set."
    yield ""
    yield "`search`, `read`, `list`, `related` and `status`, and the commands that change notes, ask a running `trilith serve`"
    yield "of the same home when it serves the notes that are meant, and say so on stderr (`via http://127.0.0.1:8765`)."
    yield "Otherwise they bring the index level with the files and do it themselves. Both may go on side by side."
    yield from _command(get_command(build()), "trilith")


def _command(command: Any, path: str) -> Iterator[str]:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    yield ""
    yield f"## {path}"
    yield ""
    yield f"`{' '.join([path, *(_placeholder(argument) for argument in arguments)])}`"
    yield ""
    yield " ".join(command.help.split())
    if command.params:
        yield ""
        yield "| argument or option | default | meaning |"
        yield "|---|---|---|"
        for parameter in command.params:
            default = "" if parameter.default in (None, False) else f"`{parameter.default}`"
            yield _row(f"`{_written(parameter)}`", default, parameter.help)
    for name, below in getattr(command, "commands", {}).items():
        yield from _command(below, f"{path} {name}")


def _placeholder(argument: Any) -> str:
    repeated = f"{argument.metavar}..." if argument.nargs == -1 else argument.metavar
    return repeated if argument.required else f"[{repeated}]"


def _written(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar)
    return " ".join(part for part in (parameter.opts[0], parameter.metavar) if part)


# --- settings --------------------------------------------------------------------------------------------------------


def _settings() -> Iterator[str]:
    yield "# Settings"
    yield ""
    yield "Flags win over `TRILITH_*` environment variables, those win over `trilith.toml` in home. A setting that is wrong or"
    yield "unknown ends the command with a message that names it."
    yield ""
    yield "| `trilith.toml` | environment | default | meaning |"
    yield "|---|---|---|---|"
    for name, field in Settings.model_fields.items():
        toml = "" if field.is_required() else f"`{name}`"
        default = "the user's data folder" if field.is_required() else f"`{_default(field.default)}`"
        yield _row(toml, f"`TRILITH_{name.upper()}`", default, field.description or "")
    yield ""
    yield "A running server reads the file again when it has changed: `read_only`, `anonymous` and `rate_limit` hold at once (but for"
    yield "the list of tools), the rest from its next start, of which `trilith doctor` reminds. Libraries, keys, grants and rules for"
    yield "folders are no settings; a change of theirs always holds at once."
    yield ""
    yield "An example:"
    yield ""
    yield "```toml"
    yield "port = 9000"
    yield 'semantic = "off"'
    yield "```"
    yield ""
    yield "A library can have an embedder of its own: for notes in other languages than English a folder with an ONNX model, or the"
    yield 'extra `trilith[multilingual]` (`kind = "multilingual"`), see [languages](languages.md); or a server that speaks the OpenAI'
    yield "embeddings API."
    yield ""
    yield "```toml"
    yield "[library.notes.embedder]"
    yield 'kind = "folder"'
    yield 'path = "models/multilingual-e5-small"   # below home, where it is not absolute'
    yield 'file = "onnx/model_quantized.onnx"      # only where there are several networks'
    yield "```"
    yield ""
    yield "With a server, the texts of the library's notes and"
    yield "what is asked of it are sent there. The key is in an environment variable (`key_env`) or in a file in home (`key_file`)."
    yield "Give `width` for a model whose vectors Trilith does not know, or to have shorter ones."
    yield ""
    yield "```toml"
    yield "[library.notes.embedder]"
    yield 'kind = "openai"'
    for name, field in ServerSettings.model_fields.items():
        if isinstance(field.default, str) and name != "kind":
            yield f'{name} = "{field.default}"'
    yield "```"
    yield from _reranker()


def _reranker() -> Iterator[str]:
    yield ""
    yield "A cross-encoder in a folder can put the best notes of a hybrid answer into a better order: see"
    yield "[languages](languages.md#a-reranker)."
    yield ""
    yield "```toml"
    yield "[reranker]"
    yield 'path = "models/mmarco-minilm"   # below home, where it is not absolute'
    for name, field in RerankerSettings.model_fields.items():
        if isinstance(field.default, int):
            yield f"{name} = {field.default}"
    yield "```"


def _default(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str("none" if value is None or value == {} else value)


# --- errors ----------------------------------------------------------------------------------------------------------


def _errors() -> Iterator[str]:
    yield "# Errors"
    yield ""
    yield "Every anticipated failure has a code, which is the same on every door, a status over HTTP, and an exit status of the"
    yield 'command line. The body is `{"status": "error", "code": ..., "message": ...}` with the details named here beside them.'
    yield ""
    yield "| code | HTTP status | exit status | meaning |"
    yield "|---|---|---|---|"
    for kind in _tree(errors.TrilithError):
        yield _row(f"`{kind.code}`", str(kind.status), str(kind.exit_status), _meaning(kind))


def _tree(kind: type[errors.TrilithError]) -> Iterator[type[errors.TrilithError]]:
    """A class, then those below it, in the order in which they are written; a code that is inherited is not repeated."""
    if "code" in vars(kind):
        yield kind
    for below in kind.__subclasses__():
        yield from _tree(below)


def _meaning(kind: type[errors.TrilithError]) -> str:
    return MEANINGS[kind.code]


MEANINGS = {
    "internal": "A failure that nobody foresaw; the log on stderr says what.",
    "invalid_input": "An argument is missing, of the wrong type or out of range. Detail `field` names it. Over HTTP 409 where a"
    " note does not have the text or section that is to be replaced.",
    "invalid_mode": "There is no such search mode; the message lists those that there are.",
    "content_too_large": "The content is above the limit.",
    "doc_not_found": "There is no such note or library, or it is not for this caller's eyes.",
    "ambiguous": "Several notes answer to that name. Detail `candidates` lists them: `id`, `path`, `title`.",
    "no_embeddings": "MythOS: nothing to search by meaning. Detail `fallback` names the mode that works all the same.",
    "key_rejected": "The server that makes the embeddings has rejected the owner's key.",
    "no_vector_index": "MythOS: the owner has switched the vector index off. Detail `setup` says how to have one.",
    "refused": "Understood, and not done.",
    "path_forbidden": "The path leaves the vault, or lies where nothing may be read or written.",
    "not_utf8": "The file is not valid UTF-8, so it is not edited.",
    "read_only": "Nothing may be written there: the library, the folder or the whole process is read-only.",
    "version_conflict": "The note has changed since it was read. Details `current_version` and `current_checksum`.",
    "slug_collision": "Another note is in the way. Detail `existing`: `id`, `path`, `version`.",
    "unauthorized": "No valid key.",
    "forbidden": "A valid key that lacks the right.",
    "rate_limited": "Too many requests; `Retry-After` says when to try again.",
    "unavailable": "A part is down or not ready yet; the message says which.",
    "search_backend_error": "The search engine cannot answer.",
    "start_failure": "The process cannot begin its work; the message says what to do.",
}


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/{name}\n")


if __name__ == "__main__":
    main()
