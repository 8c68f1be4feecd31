"""The tools of some dialects, ready to be called on threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from trilith.dialects.tool import Dialect
from trilith.errors import TrilithError
from trilith.model.principal import Principal
from trilith.surfaces.mcp.calls import Answer, Call, Count, Visit
from trilith.surfaces.opening import Opening

AT_ONCE = 16
"""Calls that run side by side; more wait. Most wait for an engine or a model, which use all cores by themselves."""

Visitor = Callable[[Any], Visit]
"""From the HTTP request that carries a call (None where there is none) to who is calling."""

Shaped = TypeVar("Shaped")


def uncounted(failure: TrilithError | None) -> None:
    """For a door that counts nothing."""
    del failure


def as_owner(_request: object) -> Visit:
    """For a door that the owner's own programs alone come through."""
    return Visit(Principal())


@dataclass(frozen=True, slots=True)
class Toolbox:
    dialects: Sequence[Dialect]
    calls: Mapping[str, Call]
    """By the name of the tool."""
    visit: Visitor
    limiter: anyio.CapacityLimiter

    async def call(
        self, name: str, arguments: Mapping[str, Any], request: object, shaped: Callable[[Answer], Shaped]
    ) -> Shaped:
        """What the tool of this name says, as `shaped` makes it, on the same thread. Waits until the app is open."""
        call, visit = self.calls[name], self.visit(request)

        def work() -> Shaped:
            return shaped(call.run(visit, arguments))

        return await anyio.to_thread.run_sync(work, limiter=self.limiter, abandon_on_cancel=True)


def toolbox(
    dialects: Sequence[Dialect], opening: Opening, visit: Visitor = as_owner, count: Count = uncounted
) -> Toolbox:
    """All tools of `dialects`, asked of the app that `opening` opens."""
    calls = {tool.name: Call(dialect, tool, opening, count) for dialect in dialects for tool in dialect.tools}
    return Toolbox(dialects, calls, visit, anyio.CapacityLimiter(AT_ONCE))
