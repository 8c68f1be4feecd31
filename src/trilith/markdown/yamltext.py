"""Values as YAML text, which readers of YAML 1.1 and 1.2 alike take for what they are. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Fields
from collections.abc import Sequence as Items

from trilith.model.change import FieldValue

_PLAIN = re.compile(r"[A-Za-z_À-ɏ](?:[\w .,/()+-]*[\w.)/+-])?")
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What YAML 1.2, section 5.1, does not allow unescaped, of what JSON does."""
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UUID_OR_DATE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z")


def inline(value: FieldValue) -> str:
    """A value on one line: `a`, `[a, b]`, `{next: [a]}`; empty lists in a map are left out."""
    if isinstance(value, Fields):
        entries = (f"{scalar(key, nested=True)}: {inline(items)}" for key, items in value.items() if items)
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, Items) and not isinstance(value, str):
        return "[" + ", ".join(scalar(item, nested=True) for item in value) + "]"
    return scalar(value)


def scalar(value: str | float, *, nested: bool = False) -> str:
    """A text, number or truth value; `nested` between brackets, where a comma parts what is not quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    plain = _PLAIN.fullmatch(value) is not None and not (nested and "," in value)
    if _UUID_OR_DATE.fullmatch(value) or (plain and value.lower() not in _RESERVED):
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """Any text, in double quotes."""
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
