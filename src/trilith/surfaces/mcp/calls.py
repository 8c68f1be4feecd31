"""One tool call: the dialect answers on a thread, and whatever it says becomes a result."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from trilith.dialects.tool import Dialect, Json, Tool
from trilith.errors import TrilithError
from trilith.model.audit import Act
from trilith.model.principal import Principal
from trilith.surfaces.opening import Opening

if TYPE_CHECKING:
    from trilith.app import App

log = logging.getLogger(__name__)

Count = Callable[[TrilithError | None], None]
"""Told of every call: what it failed with, or None."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who calls, and the one library that the address names; None: all there are."""

    caller: Principal
    library: str | None = None

    def of(self, app: App) -> App:
        """The app as far as this visit goes. Raises `NotFound` for a library of which the caller can see nothing."""
        if self.library is None:
            return app
        app.gate.filter(self.caller, self.library)
        return app.within(self.library)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said, as the protocol wants it: structured, and as the text of the same JSON for clients that read only
    that. A failure `is_error`."""

    body: Json
    text: str
    is_error: bool


SUBJECTS = ("id", "memoId", "source_node_id", "path", "query", "q", "topic", "title", "label")
"""Arguments that tell what a call is about, the most telling first."""
UNEXPECTED = "Something went wrong inside Trilith; its log on stderr says what."


@dataclass(frozen=True, slots=True)
class Call:
    """A tool of a dialect, ready to be called. `run` blocks: call it off the event loop."""

    dialect: Dialect
    tool: Tool
    opening: Opening
    count: Count

    def run(self, visit: Visit, arguments: Mapping[str, Any]) -> Answer:
        """The dialect's answer, or its words for what went wrong; raises nothing."""
        try:
            app = self.opening.app()
            answer = _told(app, self._act(visit, arguments), lambda: self._answer(app, visit, arguments))
        except TrilithError as failure:
            return self._failed(failure)
        except Exception:  # what nobody foresaw stays in the log: its text may name paths or quote notes
            log.exception("%s failed", self.tool.name)
            return self._failed(TrilithError(UNEXPECTED))
        self.count(None)
        return _said(answer, is_error=False)

    def _answer(self, app: App, visit: Visit, arguments: Mapping[str, Any]) -> Json:
        return self.dialect.call(visit.of(app), visit.caller, self.tool, arguments)

    def _act(self, visit: Visit, arguments: Mapping[str, Any]) -> Act:
        return Act(
            at=datetime.now(UTC),
            user=visit.caller.name,
            key=visit.caller.key,
            door="mcp",
            action=self.tool.name,
            library=visit.library or _text(arguments, ("library",)) or None,
            subject=_text(arguments, SUBJECTS),
        )

    def _failed(self, failure: TrilithError) -> Answer:
        self.count(failure)
        return _said(self.dialect.render_error(failure), is_error=True)


def _told(app: App, act: Act, ask: Callable[[], Json]) -> Json:
    """What `ask` answers; that it was asked, and how it went, is in the audit log."""
    try:
        with app.foreground.working():
            answer = ask()
    except TrilithError as failure:
        app.audit.record(replace(act, outcome=failure.code))
        raise
    app.audit.record(act)
    return answer


def _text(arguments: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of these arguments that is a text."""
    return next((arguments[name] for name in names if isinstance(arguments.get(name), str)), "")


def _said(body: Json, *, is_error: bool) -> Answer:
    return Answer(body, json.dumps(body, ensure_ascii=False, separators=(",", ":")), is_error)
