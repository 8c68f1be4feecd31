"""The tools of the MythOS dialect."""

from __future__ import annotations

from trilith.dialects.mythos.reading import DELTA, INDEX, READ, TAGS
from trilith.dialects.mythos.searching import SEARCH
from trilith.dialects.mythos.writing import CREATE, DELETE, UPDATE
from trilith.dialects.tool import Tool

TOOLS: tuple[Tool, ...] = (SEARCH, READ, TAGS, INDEX, DELTA, CREATE, UPDATE, DELETE)
