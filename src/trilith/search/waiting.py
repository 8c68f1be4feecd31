"""How much of what a caller may see has no vector yet?"""

from __future__ import annotations

from collections.abc import Callable

from trilith.model.query import Filter
from trilith.ports.catalog import Catalog


def pending(catalog: Catalog, model_of: Callable[[str], str], filter: Filter) -> int:
    """Chunks without a vector of their library's embedder, in the libraries of a filter, as far as its caller may see them.

    The cheap count comes first, for there is seldom anything to wait for.
    """
    waiting = {name: catalog.pending_count(name, model_of(name)) for name in filter.libraries}
    if not any(waiting.values()):
        return 0
    whole = sum(waiting[scope.library] for scope in filter.scopes if scope.is_whole)
    parts = tuple(scope for scope in filter.scopes if not scope.is_whole and waiting[scope.library])
    return whole + (catalog.pending_within(Filter(scopes=parts)) if parts else 0)
