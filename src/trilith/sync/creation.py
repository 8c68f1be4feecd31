"""When was a note made that does not say so? At the earliest time that its file ever had.

A file that is replaced, by Trilith's own writes or by an editor that saves beside and renames, is a new file to the system.
The ledger therefore remembers the earliest time by the note's id; a rebuild of the index asks it again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trilith.ports.catalog import Recorded
from trilith.ports.ledger import Ledger


def dated(ledger: Ledger, library: str, notes: Sequence[Recorded]) -> tuple[Recorded, ...]:
    """The same notes; of those that name no date of creation, each with the earliest time known, which is remembered."""
    times = {note.id: note.created_at for note in notes if note.note.metadata.created_at is None}
    known = ledger.first_times(library, list(times)) if times else {}
    earlier = {note_id: at for note_id, at in times.items() if note_id not in known or at < known[note_id]}
    ledger.set_first_times(library, earlier)
    first = known | earlier
    return tuple(dataclasses.replace(note, created_at=first[note.id]) if note.id in times else note for note in notes)
