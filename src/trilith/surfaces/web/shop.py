"""What every page needs to answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trilith.surfaces.opening import Opening
from trilith.surfaces.web.frame import Pages
from trilith.surfaces.web.views.wholegraph import Whole

if TYPE_CHECKING:
    from trilith.app import App

Speeds = Callable[[], Mapping[str, Mapping[float, int]]]


@dataclass(frozen=True, slots=True)
class Shop:
    """The use cases, as soon as they are open, and the templates. `speeds` tells how long searches took, by mode: how many
    within each step of seconds."""

    opening: Opening
    pages: Pages
    speeds: Speeds
    graphs: dict[Hashable, Whole] = field(default_factory=dict)
    """The last few that were drawn, by what they were made of."""

    @property
    def app(self) -> App:
        """Waits while it is being opened. Raises `StartFailure`, `Unavailable`."""
        return self.opening.app()

    def is_open(self) -> bool:
        """Raises `StartFailure`."""
        return self.opening.ready() is not None
