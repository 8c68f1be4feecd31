"""The tools of the Lithos dialect."""

from __future__ import annotations

from trilith.dialects.lithos.browsing import LIST, STATS, TAGS
from trilith.dialects.lithos.caching import LOOKUP
from trilith.dialects.lithos.reading import READ, RELATED
from trilith.dialects.lithos.searching import SEARCH
from trilith.dialects.lithos.writing import DELETE, EDIT, MOVE, WRITE
from trilith.dialects.tool import Tool

TOOLS: tuple[Tool, ...] = (SEARCH, READ, LIST, TAGS, RELATED, STATS, LOOKUP, WRITE, EDIT, MOVE, DELETE)
