"""The tools of the LoomBrain dialect."""

from __future__ import annotations

from trilith.dialects.loombrain.searching import SEARCH
from trilith.dialects.tool import Tool

TOOLS: tuple[Tool, ...] = (SEARCH,)
