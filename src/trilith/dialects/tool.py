"""A dialect and its tools, as data. Doors list and call them without knowing what any of them does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trilith.dialects.arguments import Arguments
from trilith.errors import InvalidInput, TrilithError

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.model.principal import Principal

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool. Limits and values stand in `description`, so that a wrong value gets the dialect's own
    error and not a client's."""

    name: str
    type: str
    """`string`, `integer`, `number`, `boolean`, `strings` (a list of strings) or `object`."""
    description: str
    required: bool = False

    def schema(self) -> Json:
        if self.type == "strings":
            return {"type": "array", "items": {"type": "string"}, "description": self.description}
        return {"type": self.type, "description": self.description}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool of a dialect.

    `run` takes the app, the caller and the parsed arguments, and gives the structured answer; it raises `TrilithError`.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    output: Json
    """JSON schema of a successful answer."""
    run: Callable[[App, Principal, Arguments], Json]
    writes: bool = False
    destructive: bool = False

    def input_schema(self) -> Json:
        return {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.required],
        }

    def arguments(self, given: Mapping[str, Any]) -> Arguments:
        return Arguments(given, frozenset(parameter.name for parameter in self.parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A set of tools that speak alike. `render_error` gives the body of a failure."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    render_error: Callable[[TrilithError], Json]

    def tool(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise InvalidInput(
            f"Unknown tool '{name}'. Tools: {', '.join(tool.name for tool in self.tools)}.", field="name"
        )

    def call(self, app: App, caller: Principal, tool: Tool, given: Mapping[str, Any]) -> Json:
        """Run a tool. Raises `TrilithError`, to be rendered with `render_error`."""
        if tool.writes:
            app.gate.check_writing(caller)
        return tool.run(app, caller, tool.arguments(given))
