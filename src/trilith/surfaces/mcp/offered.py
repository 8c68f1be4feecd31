"""The dialects there are, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from trilith.dialects.lithos import LITHOS
from trilith.dialects.loombrain import LOOMBRAIN
from trilith.dialects.mythos import MYTHOS
from trilith.dialects.tool import Dialect
from trilith.errors import InvalidInput

DIALECTS: Mapping[str, Dialect] = MappingProxyType({dialect.name: dialect for dialect in (LITHOS, LOOMBRAIN, MYTHOS)})


def dialects(names: Iterable[str]) -> tuple[Dialect, ...]:
    """The dialects of these names, in this order, each once. Raises `InvalidInput` for a name that is none."""
    chosen = dict.fromkeys(names)
    unknown = [name for name in chosen if name not in DIALECTS]
    if unknown or not chosen:
        wrong = f"Unknown dialect '{unknown[0]}'" if unknown else "No dialect is chosen"
        raise InvalidInput(f"{wrong}. Dialects: {', '.join(DIALECTS)}.", field="dialect")
    return tuple(DIALECTS[name] for name in chosen)
