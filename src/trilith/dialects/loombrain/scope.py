"""Which notes are nodes for a caller, and which of them are of a PARA item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trilith.model.ids import parse_id
from trilith.model.para import ItemStatus, ParaItem
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App


def nodes(app: App, caller: Principal, library: str | None, **narrower: Any) -> Filter:
    """The filter of a request. Notes that are PARA items are no nodes. Raises what `Gate.filter` does."""
    filter = app.gate.filter(caller, library, **narrower)
    return replace(filter, without=tuple(entry.num for entry in app.para.notes(filter)))


def members(filter: Filter, item: ParaItem | None) -> Filter:
    """Narrowed to the members of an item; to nothing where there is none, or an archived one."""
    if item is None or item.status is ItemStatus.ARCHIVED:
        return replace(filter, scopes=())
    scopes = tuple(scope for scope in filter.scopes if scope.library == item.library)
    return replace(filter, scopes=scopes, para=item.members)


def item_of_id(items: Iterable[ParaItem], text: str) -> ParaItem | None:
    wanted = parse_id(text.strip())
    return next((item for item in items if item.id == wanted), None)
