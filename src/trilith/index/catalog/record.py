"""Takes over a batch of notes, in one transaction: all that depends on them is right again at its end."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trilith.index.catalog import links, texts
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import to_microseconds
from trilith.index.catalog.libraries import Counters, counters
from trilith.index.catalog.metadata import decode, dump, encode
from trilith.index.catalog.names import Name, folder_of, names_of, path_key, storable
from trilith.index.catalog.terms import Term, terms_of
from trilith.language.normal import fold
from trilith.markdown.text import LINE_END
from trilith.model.ids import NoteId, Num
from trilith.model.note import Metadata, Note, Status
from trilith.model.shortid import digest_of
from trilith.ports.catalog import CatalogBatch, Recorded
from trilith.ports.vault import Stamp

DIGEST_KEPT = 16
"""Characters of an id's digest that are kept: with so many no two notes of a million have the same."""


_RESTAMP = (
    "UPDATE notes SET path = ?, path_key = ?, id = ?, size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? WHERE num = ?"
)
_CONTENTS = (
    "INSERT INTO contents VALUES (?, ?, ?, ?, ?) ON CONFLICT (num) DO UPDATE SET metadata = excluded.metadata,"
    " headings = excluded.headings, body_line = excluded.body_line, body = excluded.body"
)


@dataclass(frozen=True, slots=True)
class Former:
    """A note as it was before the batch."""

    num: int
    id: NoteId
    path: str
    live: bool
    metadata: Metadata

    @property
    def names(self) -> frozenset[Name]:
        return names_of(self.path, self.id, self.metadata) if self.live else frozenset()


def record(connection: Connection, library: str, batch: CatalogBatch) -> dict[str, Num]:
    """Take over a batch; the numbers of `put`, by path.

    A note that stands in the way at a path of the batch, and is not itself in it, is dropped: its file is gone. Raises
    `ValueError` when two notes would have one id, or one path.
    """
    recording = _Recording(connection, counters(connection, library))
    former = recording.former(batch)
    moved = [(num, path, stamp) for num, path, stamp in batch.restamp if num in former]
    kept = {note.num for note in batch.put} | {num for num, _, _ in moved}
    try:
        recording.drop([note for num, note in former.items() if num not in kept])
        recording.make_room([former[num] for num in kept if num in former])
        nums = recording.put(batch.put, former)
        recording.restamp(moved, former)
    except connection.IntegrityError as failure:
        raise ValueError(f"two notes of library '{library}' with one id or one path: {failure}") from failure
    recording.finish()
    return nums


class _Recording:
    """One transaction's work, and what it has to look at again at its end."""

    def __init__(self, connection: Connection, row: Counters) -> None:
        self._connection = connection
        self._row = row
        self._keys: set[str] = set()
        self._unsettled: list[int] = []
        self._texts: dict[int, int] = {}
        self._later: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        """Statements with their rows, to be run together: each row is of one note alone, so that it is enough to keep the
        order of the statements."""

    def former(self, batch: CatalogBatch) -> dict[int, Former]:
        """The notes of the batch that the library holds, and those that stand in their way."""
        nums = [*batch.drop, *(num for num, _, _ in batch.restamp), *(n.num for n in batch.put if n.num is not None)]
        paths = [*(note.path for note in batch.put), *(path for _, path, _ in batch.restamp)]
        columns = "SELECT n.num, n.id, n.path, n.live, c.metadata FROM json_each(?) {} CROSS JOIN"
        contents = "CROSS JOIN contents c ON c.num = n.num"
        rows = self._connection.execute(
            f"{columns.format('j')} notes n ON n.num = j.value AND +n.lib = ? {contents}",
            (json.dumps(nums), self._row.lib),
        ).fetchall()
        rows += self._connection.execute(
            f"{columns.format('q')} notes n ON n.lib = ? AND n.path_key = json_extract(q.value, '$[0]')"
            f" AND n.path = json_extract(q.value, '$[1]') {contents}",
            (dump([(path_key(path), path) for path in paths]), self._row.lib),
        ).fetchall()
        return {row[0]: Former(row[0], row[1], row[2], bool(row[3]), decode(row[4])) for row in rows}

    def drop(self, notes: Sequence[Former]) -> None:
        nums = [note.num for note in notes]
        texts.remove(self._connection, self._row, nums)
        for note in notes:
            self._rename(note.num, note.names, frozenset())
            self._reclassify(note.num, terms_of(note.metadata), frozenset())
        self._run()
        self._many("DELETE FROM notes WHERE num = ?", [(num,) for num in nums])
        self._many(
            "INSERT INTO tombstones VALUES (?, ?, ?, ?, ?, ?)",
            [(self._row.lib, self._row.next_seq(), self._row.next_vseq(), n.num, n.id, n.path) for n in notes],
        )
        self._row.notes -= len(notes)
        self._row.live -= sum(note.live for note in notes)

    def make_room(self, notes: Iterable[Former]) -> None:
        """Lift the notes of the batch off their paths and ids, so that they may change places."""
        # No path begins with a slash, and no id has one.
        self._many("UPDATE notes SET path = '/' || num, id = '/' || num WHERE num = ?", [(note.num,) for note in notes])

    def put(self, notes: Sequence[Recorded], former: dict[int, Former]) -> dict[str, Num]:
        nums: dict[str, Num] = {}
        known = [note.num for note in notes if note.num in former]
        texts.remove(self._connection, self._row, known)
        for table in ("links", "problems"):
            self._many(f"DELETE FROM {table} WHERE num = ?", [(num,) for num in known])
        free = self._connection.take_nums(sum(note.num not in former for note in notes))
        for note in notes:
            before = former.get(note.num) if note.num is not None else None
            num, free = (before.num, free) if before else (free, free + 1)
            self._put(num, note, before)
            nums[note.path] = Num(num)
        self._run()
        return nums

    def restamp(self, moved: Sequence[tuple[Num, str, Stamp]], former: dict[int, Former]) -> None:
        """New stamps, and new paths where they differ."""
        elsewhere = []
        for num, path, stamp in moved:
            note = former[num]
            self._later[_RESTAMP].append((path, path_key(path), note.id, *_stamp(stamp), num))
            if path != note.path:
                names = names_of(path, note.id, note.metadata) if note.live else frozenset()
                self._rename(num, note.names, names, moved=True)
                self._later["UPDATE notes SET seq = ? WHERE num = ?"].append((self._row.next_seq(), num))
                self._row.next_vseq()
                elsewhere.append(num)
        self._run()
        links.move(self._connection, elsewhere)
        self._unsettled += elsewhere

    def finish(self) -> None:
        links.settle(self._connection, self._row.lib, self._unsettled, self._keys)
        texts.want(self._connection, self._row, self._texts)
        self._row.keep(self._connection)

    def _put(self, num: int, note: Recorded, before: Former | None) -> None:
        metadata = note.note.metadata
        live = metadata.status is not Status.DISMISSED
        key = path_key(note.path)
        names = names_of(note.path, note.id, metadata) if live else frozenset()
        seq = self._row.next_seq()
        self._write_row(num, note, live, key, seq)
        moved = before is None or before.path != note.path
        self._rename(num, before.names if before else frozenset(), names, moved=moved)
        self._reclassify(num, terms_of(before.metadata) if before else frozenset(), terms_of(metadata))
        digests = [texts.digest(text) for text in note.embed_texts]
        self._texts.update(dict.fromkeys(digests, seq))
        self._later[texts.WRITE] += texts.rows(num, note, digests)
        self._later[links.WRITE] += links.rows(self._row.lib, num, folder_of(key), note.note)
        self._later["INSERT INTO problems VALUES (?, ?, ?, ?, ?)"] += [
            (num, ord, p.code, storable(p.message), p.line) for ord, p in enumerate(note.note.problems)
        ]
        self._unsettled.append(num)
        self._row.notes += before is None
        self._row.live += live - (before.live if before else False)

    def _write_row(self, num: int, note: Recorded, live: bool, key: str, seq: int) -> None:
        metadata = note.note.metadata
        values = {
            "num": num,
            "lib": self._row.lib,
            "live": live,
            "seq": seq,
            "vseq": self._row.next_vseq(),
            "created": to_microseconds(note.created_at),
            "updated": to_microseconds(note.updated_at),
            "expires": None if metadata.expires_at is None else to_microseconds(metadata.expires_at),
            "visibility": metadata.visibility.value,
            "chunks": len(note.note.chunks),
            "links": len(note.note.links),
            **dict(zip(("size", "mtime_ns", "ctime_ns", "inode"), _stamp(note.stamp), strict=True)),
            "id": note.id,
            "id_digest": digest_of(note.id)[:DIGEST_KEPT],
            "path": note.path,
            "path_key": key,
            "title_key": storable(fold(metadata.title)),
            "checksum": note.checksum,
        }
        updates = ", ".join(f"{name} = excluded.{name}" for name in values if name != "num")
        sql = (
            f"INSERT INTO notes ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})"
            f" ON CONFLICT (num) DO UPDATE SET {updates}"
        )
        self._later[sql].append(tuple(values.values()))
        headings = dump([heading.text for heading in note.note.headings])
        self._later[_CONTENTS].append(
            (num, encode(metadata), headings, _body_line(note.note), storable(note.note.body))
        )

    def _rename(self, num: int, before: frozenset[Name], now: frozenset[Name], *, moved: bool = False) -> None:
        """What a note answers to. A note that moved may be preferred to others otherwise than before."""
        lib = self._row.lib
        self._later["DELETE FROM names WHERE lib = ? AND key = ? AND kind = ? AND num = ?"] += [
            (lib, *name, num) for name in before - now
        ]
        self._later["INSERT INTO names VALUES (?, ?, ?, ?)"] += [(lib, *name, num) for name in now - before]
        self._keys.update(name.key for name in (before | now if moved else before ^ now))

    def _reclassify(self, num: int, before: frozenset[Term], now: frozenset[Term]) -> None:
        lib = self._row.lib
        self._later["DELETE FROM terms WHERE lib = ? AND field = ? AND value = ? AND num = ?"] += [
            (lib, *term, num) for term in before - now
        ]
        self._later["INSERT INTO terms VALUES (?, ?, ?, ?)"] += [(lib, *term, num) for term in now - before]

    def _run(self) -> None:
        for sql, rows in self._later.items():
            self._many(sql, rows)
        self._later.clear()

    def _many(self, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            self._connection.executemany(sql, rows)


def _body_line(note: Note) -> int | None:
    """The line of the file that the body begins at; only headings tell."""
    if not note.headings:
        return None
    first = note.headings[0]
    return first.line - sum(1 for _ in LINE_END.finditer(note.body, 0, first.start))


def _stamp(stamp: Stamp) -> tuple[int, int, int, int | str]:
    inode = stamp.inode if stamp.inode < 1 << 63 else str(stamp.inode)
    return stamp.size, stamp.mtime_ns, stamp.ctime_ns, inode
