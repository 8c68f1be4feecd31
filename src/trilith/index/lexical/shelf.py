"""Where do the indexes lie, and are they fit for use? One folder per library and format, opened once, reloaded when it
has changed.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import tantivy

from trilith.errors import SearchBackendError
from trilith.index.lexical.batch import Batch
from trilith.index.lexical.damage import META, Files, is_damaged
from trilith.index.lexical.schema import FORMAT, register_analysers
from trilith.index.lexical.state import State
from trilith.index.lexical.writers import Writers

FULL = re.compile("StorageFull|QuotaExceeded|No space left")
"""What the engine's error says on a full disk."""

DESCRIPTORS = 96
"""Files of indexes that are held open: those of the few libraries that are opened first. A process has no thousand to spare."""

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Open:
    index: tantivy.Index
    state: State
    stamp: Stamp
    place: TemporaryDirectory[str] | None
    """Where the index was opened through links."""
    files: Files
    """Those that are mapped."""


log = logging.getLogger(__name__)


class Shelf:
    """The indexes below one folder. Several processes may read; who writes holds the writers' lock of the home. With
    `read_only` nothing can be written there."""

    def __init__(self, folder: Path, schema: tantivy.Schema, *, read_only: bool = False) -> None:
        self.schema = schema
        self._read_only = read_only
        self._writers = Writers(schema)
        self._folder = folder
        self._paths: dict[str, Path] = {}
        self._open: dict[str, _Open] = {}
        self._suspects: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def reading(self, library: str) -> Iterator[State | None]:
        """The last committed state of a library's index; None when there is none. Raises `SearchBackendError`."""
        with self._failing_as(library):
            held = self._current(library)
            if held is not None:
                held.files.check()
            yield None if held is None else held.state

    def sequence(self, library: str) -> int:
        """How far the last committed state has been fed; 0 when there is none. Raises `SearchBackendError`."""
        with self._failing_as(library):
            held = self._current(library)
            return 0 if held is None else held.state.sequence

    @contextmanager
    def writing(self, library: str) -> Iterator[Batch]:
        """A batch that is committed at the end, or nothing of it. Raises `SearchBackendError`."""
        folder = self._path(library)
        with self._failing_as(library):
            if _stamp(folder) is None:
                self._writers.release(folder)
                shutil.rmtree(folder.parent, ignore_errors=True)
                folder.mkdir(parents=True)
            with self._writers.lent(folder) as batch:
                yield batch

    def set_aside_if_damaged(self, library: str, *, thorough: bool = False) -> bool:
        """Moves an index that cannot be trusted out of the way, in place of one moved before; whether there was one."""
        folder = self._path(library)
        if self._read_only:
            return False
        try:
            with self.reading(library) as state:
                opens = True
                if state is None:
                    return False
        except SearchBackendError:
            opens = False
        try:
            damaged = not opens or is_damaged(folder, thorough=thorough or library in self._suspects)
            self._suspects.discard(library)
            if damaged:
                self._writers.release(folder)
                aside = folder.with_name(f"{folder.name}.damaged")
                shutil.rmtree(aside, ignore_errors=True)
                folder.rename(aside)
        except FileNotFoundError:
            return False  # replaced or cleared meanwhile
        return damaged

    def clear(self, library: str) -> None:
        with self._lock:
            self._open.pop(library, None)
            self._suspects.discard(library)
        folder = self._path(library)
        if _stamp(folder) is not None:
            # A writer that another process keeps open would go on merging into the index that takes this one's place.
            with suppress(SearchBackendError), self._failing_as(library):
                self._writers.opened(folder).wait_merging_threads()
        shutil.rmtree(folder.parent, ignore_errors=True)

    def close(self) -> None:
        """Wait for all merging."""
        self._writers.close()

    @contextmanager
    def _failing_as(self, library: str) -> Iterator[None]:
        """What tantivy raises becomes `SearchBackendError`; the index is looked at thoroughly before it is fed again."""
        try:
            yield
        except BaseException as error:
            # Some damage makes the engine panic: an exception that has no name to be imported by.
            if not isinstance(error, ValueError | OSError) and type(error).__name__ != "PanicException":
                raise
            self._suspects.add(library)
            log.warning("the full-text index of %s cannot be used: %s", library, error)
            # The engine's own words name paths of home.
            reason = "there is no space left on its disk." if FULL.search(str(error)) else "the log says why."
            raise SearchBackendError(f"The full-text index of '{library}' cannot be used: {reason}") from error

    def _current(self, library: str) -> _Open | None:
        folder = self._path(library)
        with self._lock:
            stamp = _stamp(folder)
            if stamp is None:
                self._open.pop(library, None)
                return None
            held = self._open.get(library)
            if held is None or held.stamp[0] != stamp[0]:
                held = self._opened(folder, stamp)
            elif held.stamp != stamp:
                held.index.reload()
                held = self._held(held.index, folder, stamp, held.place)
            self._open[library] = held
            return held

    def _opened(self, folder: Path, stamp: Stamp) -> _Open:
        if not self._read_only:
            return self._held(self._reader(folder), folder, stamp)
        # The engine cannot even read where it may not make its lock file: it gets the files linked elsewhere.
        place = TemporaryDirectory(prefix="trilith-")
        for file in folder.iterdir():
            if file.suffix != ".lock":
                (Path(place.name) / file.name).symlink_to(file.absolute())
        return self._held(self._reader(Path(place.name)), folder, stamp, place)

    def _held(
        self, index: tantivy.Index, folder: Path, stamp: Stamp, place: TemporaryDirectory[str] | None = None
    ) -> _Open:
        taken = sum(each.files.descriptors for each in self._open.values() if each.stamp[0] != stamp[0])
        files = Files(folder, max(0, DESCRIPTORS - taken))
        return _Open(index, State(self.schema, index.searcher()), stamp, place, files)

    def _reader(self, folder: Path) -> tantivy.Index:
        index = tantivy.Index(self.schema, str(folder))
        index.config_reader("manual")
        register_analysers(index)
        return index

    def _path(self, library: str) -> Path:
        found = self._paths.get(library)
        if found is None:
            found = self._folder / quote(library, safe=" ").replace(".", "%2E") / f"v{FORMAT}"
            self._paths[library] = found
        return found


def _stamp(folder: Path) -> Stamp | None:
    """Another one whenever the index has changed; None when there is none. Each commit replaces `meta.json`."""
    try:
        place, meta = os.stat(folder), os.stat(f"{folder}/{META}")  # noqa: PTH116 - every search pays for it
    except FileNotFoundError:
        return None
    return place.st_ino, meta.st_mtime_ns, meta.st_ino
