"""A small library with memos for what the MythOS pages show."""

from __future__ import annotations

from pathlib import Path

NOTES = {
    "tea.md": """---
id: 5b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9b01
title: Brewing green tea
tags: [tea, kitchen/kettle]
visibility: public
created_at: 2026-03-01T08:00:00Z
updated_at: 2026-03-18T12:00:00Z
collaborator_notes: Ask Ada about the saffron blend before this is shared.
---
Green tea wants water below the boil: eighty degrees keeps it sweet.

## Leaves

Use a heaped spoon of leaves for each cup, and take them out after two minutes.
""",
    "bread.md": """---
id: 5b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9b02
title: Sourdough
tags: [baking]
created_at: 2026-03-02T08:00:00Z
updated_at: 2026-03-17T12:00:00Z
---
Flour, water, salt and a lively starter. A Café crème goes well with it.
""",
    "loops.md": """---
id: 5b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9b03
title: The event loop
tags: [python]
visibility: unlisted
created_at: 2026-03-03T08:00:00Z
updated_at: 2026-03-16T12:00:00Z
---
One loop runs every coroutine; `asyncio.gather` waits for several of them at once.
""",
    "empty.md": """---
id: 5b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9b04
title: Nothing yet
updated_at: 2026-03-15T12:00:00Z
---
""",
}
TEA, BREAD, LOOPS, EMPTY = (text.partition("id: ")[2][:36] for text in NOTES.values())


def write(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for path, text in NOTES.items():
        (root / path).write_text(text, encoding="utf-8")
    return root
