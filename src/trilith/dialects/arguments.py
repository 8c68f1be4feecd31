"""Arguments as agents send them, read with the leniency that the tools promise and not a bit more."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from trilith.errors import InvalidInput

_DIGITS = re.compile(r"\s*[+-]?[0-9]{1,1000}\s*")


MOST_ITEMS = 100
"""Of a list in one call."""
MOST_OFFSET = 10**9


class Arguments:
    """Named values of one call. A null counts as omitted, everywhere.

    Every method raises `InvalidInput` naming the field and what was expected.
    """

    def __init__(self, given: Mapping[str, Any], known: frozenset[str]) -> None:
        unknown = sorted(set(given) - known)
        if unknown:
            raise InvalidInput(f"Unknown argument '{unknown[0]}'. Known: {', '.join(sorted(known))}.", field=unknown[0])
        self._given = {name: value for name, value in given.items() if value is not None}

    def has(self, name: str) -> bool:
        return name in self._given

    def text(self, name: str) -> str | None:
        value = self._given.get(name)
        if value is not None and not isinstance(value, str):
            raise _wrong(name, "a string", value)
        return value

    def required_text(self, name: str) -> str:
        value = self.text(name)
        if value is None or not value.strip():
            raise InvalidInput(f"'{name}' is required and must not be blank.", field=name)
        return value

    def integer(self, name: str, *, default: int, least: int = 1, most: int | None = None) -> int:
        """A whole number, or its digits in a string. Below `least` is an error, above `most` is cut to it."""
        value = _whole(name, self._given.get(name, default), f"a whole number from {least}")
        if value < least:
            raise _wrong(name, f"a whole number from {least}", value)
        return value if most is None else min(value, most)

    def optional_integer(self, name: str, *, least: int) -> int | None:
        return self.integer(name, default=least, least=least) if self.has(name) else None

    def number(self, name: str, *, least: float, most: float | None = None) -> float:
        """A number, or its digits in a string, within the bounds."""
        expected = f"a number from {least:g}" + ("" if most is None else f" to {most:g}")
        value = self._given.get(name)
        if isinstance(value, str):
            value = _parsed(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise _wrong(name, expected, self._given.get(name))
        if value < least or (most is not None and value > most):
            raise _wrong(name, expected, value)
        return float(value)

    def boolean(self, name: str, *, default: bool = False) -> bool:
        value = self._given.get(name, default)
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        if not isinstance(value, bool):
            raise _wrong(name, "true or false", value)
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; JSON text of one counts as that object."""
        value = self._given.get(name, {})
        if isinstance(value, str):
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
        if not isinstance(value, Mapping):
            raise _wrong(name, "an object", value)
        if len(value) > MOST_ITEMS:
            raise InvalidInput(f"'{name}' may have {MOST_ITEMS} fields, not {len(value)}.", field=name)
        return dict(value)

    def strings(self, name: str, *, commas: bool = True) -> tuple[str, ...]:
        """A list of strings; JSON text of one, or a comma list, counts as that list. Without `commas` any other text is
        one string, for values that have commas of their own."""
        value = self._given.get(name, ())
        if isinstance(value, str):
            value = _listed(value, commas=commas)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            raise _wrong(name, "a list of strings", value)
        if len(value) > MOST_ITEMS:
            raise InvalidInput(f"'{name}' may have {MOST_ITEMS} items, not {len(value)}.", field=name)
        return tuple(item.strip() for item in value if item.strip())


def _parsed(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _listed(text: str, *, commas: bool) -> list[Any]:
    if text.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):
            parsed = json.loads(text)
            return parsed if isinstance(parsed, list) else [parsed]
    return text.split(",") if commas else [text]


def _whole(name: str, value: Any, expected: str) -> int:
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON does not tell 5.0 from 5
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(name, expected, value)
    return value


def _wrong(name: str, expected: str, value: Any) -> InvalidInput:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return InvalidInput(f"'{name}' must be {expected}, not {shown[:80]}.", field=name)
