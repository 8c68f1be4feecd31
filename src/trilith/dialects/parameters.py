"""Parameters that tools of every dialect have."""

from __future__ import annotations

from trilith.dialects.tool import Parameter

LIBRARY = Parameter(
    name="library", type="string", description="Name of a library, where several are served. Default: all."
)
WRITTEN_LIBRARY = Parameter(
    name="library", type="string", description="Library to write to; needed where several can be written."
)
