"""Nodes of a YAML tree as plain values."""

from __future__ import annotations

import math
import re
from typing import Any

from trilith.markdown.yamltree import Mapping, Node, Scalar

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,16}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def to_json(node: Node) -> Any:
    """The node as JSON would hold it, for keys whose meaning is the user's.

    A plain `true` or `false` is a boolean, a plain number a number, nothing or `null` None; all else is text as written
    (`2026-03-01`, `yes`). A number that would not print as it was written (`1.10`, `007`, `1e3`) stays text too: it is
    more likely a version or a code, and nothing shown should differ from the file. A quoted `"0"` is text, `0` is not.
    """
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Mapping):
        return {key: to_json(value) for key, value in node.items.items()}
    return [to_json(item) for item in node.items]


def _scalar(node: Scalar) -> Any:
    text = node.text
    if not node.plain:
        return text
    if node.is_null:
        return None
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text) and text != "-0":
        return int(text)
    if _DECIMAL.fullmatch(text) and repr(float(text)) == text:
        return float(text)
    return text


def text_of(node: Node) -> str | None:
    """A scalar's text as written, stripped; None for a collection and for nothing."""
    if not isinstance(node, Scalar) or node.is_null:
        return None
    return node.text.strip()


def texts_of(node: Node) -> tuple[str, ...] | None:
    """The texts of a list of scalars, or of a single scalar; empty ones left out. None for anything else."""
    if isinstance(node, Scalar):
        text = text_of(node)
        return (text,) if text else ()
    if isinstance(node, Mapping) or not all(isinstance(item, Scalar) for item in node.items):
        return None
    return tuple(text for text in map(text_of, node.items) if text)


def number_of(node: Node) -> float | None:
    """A finite number, quoted or not; None for anything else."""
    text = text_of(node)
    if text is None or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None
