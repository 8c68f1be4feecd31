"""A small knowledge base with one note for each thing that the Lithos pages show."""

from __future__ import annotations

from pathlib import Path

GATHER = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
LOOP = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a01"
PATTERNS = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a02"
RUNNING = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a03"
BACKOFF = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a04"
MISTAKES = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a05"
ONBOARDING = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a06"
QUOTA = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a07"

FILLERS = 60
"""Notes below `fillers/`, all about the same."""

NOTES = {
    "python-asyncio-gather-patterns.md": f"""---
id: {GATHER}
title: Python asyncio.gather patterns
author: research-agent
contributors: [synthesis-agent]
tags: [python, asyncio, patterns]
confidence: 0.95
created_at: 2026-03-18T12:00:00Z
updated_at: 2026-03-18T14:30:00Z
version: 2
---
With `asyncio.gather()` several tasks run at the same time without blocking each other. It gives back what each task
returned, in the order in which they were passed.

With return_exceptions=True a task that fails does not hide the results of the others. See [[python-event-loop-internals]].
""",
    "python-event-loop-internals.md": f"""---
id: {LOOP}
title: Python event loop internals
author: research-agent
tags: [python]
source_url: https://docs.example/event-loop
derived_from_ids: [{GATHER}]
updated_at: 2026-03-17T08:00:00Z
---
The loop keeps a queue of callbacks that are ready, and a heap of those that are due later. [[asyncio-patterns]] builds on it.
""",
    "asyncio-patterns.md": f"""---
id: {PATTERNS}
title: asyncio patterns
tags: [python, asyncio]
updated_at: 2026-03-16T08:00:00Z
---
Cancel with care, shield what must finish, bound what runs at once with a semaphore.
""",
    "errors/loop-is-running.md": f"""---
id: {RUNNING}
title: Notebook trouble
updated_at: 2026-03-15T08:00:00Z
---
Calling asyncio.run in a notebook ends in `RuntimeError: This event loop is already running`. Await the coroutine instead.
""",
    "rate-limiting.md": f"""---
id: {BACKOFF}
title: Rate limiting with exponential backoff
author: ops
tags: [http]
team: {{name: loom}}
updated_at: 2026-03-14T08:00:00Z
---
Wait twice as long after each refusal, and add jitter so that clients do not come back together.
""",
    "mistakes.md": f"""---
id: {MISTAKES}
title: Common mistakes with default arguments
tags: [python, antipattern]
updated_at: 2026-03-13T08:00:00Z
---
A mutable default is made once and shared by every call.
""",
    "procedures/onboarding.md": f"""---
id: {ONBOARDING}
title: Onboarding
tags: [people]
updated_at: 2026-03-12T08:00:00Z
---
The onboarding steps: an account, a key, a desk, and somebody to have lunch with.
""",
    "github-quota.md": f"""---
id: {QUOTA}
title: GitHub API quota
updated_at: 2026-01-01T08:00:00Z
expires_at: 2026-02-01
---
The github api rate limits are counted by the hour and by token.
""",
}


def write(root: Path) -> Path:
    notes = dict(NOTES)
    for number in range(FILLERS):
        notes[f"fillers/filler-{number:02}.md"] = f"# Filler {number}\n\nNothing but filler in this one.\n"
    for path, text in notes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root
