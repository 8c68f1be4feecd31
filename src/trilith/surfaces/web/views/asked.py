"""What a visitor looks for, as the address of the search page says it. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from trilith.dialects.moments import moment
from trilith.dialects.native.requests import MAX_LIMIT, Narrowing
from trilith.errors import InvalidInput, InvalidMode

MODES = {
    "hybrid": ("Both", "by words and by meaning"),
    "fulltext": ("Words", "notes that say it"),
    "semantic": ("Meaning", "notes that mean it"),
    "graph": ("Links", "notes around one note"),
}
"""Each with its name and a word on it."""
AGES = {"day": 1, "week": 7, "month": 31, "year": 366}
"""Days."""
STEP = 12
LAST = datetime(9999, 12, 30, tzinfo=UTC)
"""A day after this one is the last of the calendar, or past it: every note is from before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything that the address may hold; "" for what is left out. `after` and `before` are days, both included."""

    q: str = ""
    mode: str = "hybrid"
    tags: tuple[str, ...] = ()
    folder: str = ""
    author: str = ""
    age: str = ""
    after: str = ""
    before: str = ""
    library: str = ""
    limit: int = STEP

    @property
    def query(self) -> str:
        return self.q.strip()

    @property
    def narrows(self) -> int:
        """How many filters are set."""
        texts = (self.folder, self.author, self.age, self.after, self.before, self.library)
        return len(self.tags) + sum(map(bool, texts))

    def address(self, **changes: object) -> str:
        """The address of the same search, but for what is to be changed; filters that say nothing are left out."""
        fields = asdict(replace(self, **changes))  # type: ignore[arg-type]
        given = {name: value for name, value in fields.items() if value != DEFAULTS[name]}
        return f"/?{urlencode(given, doseq=True)}" if given else "/"

    def narrowing(self, now: datetime) -> Narrowing:
        """Raises `InvalidInput` for what is no date."""
        after = moment("after", self.after or None)
        if self.age:
            youngest = now - timedelta(days=AGES[self.age])
            after = youngest if after is None else max(after, youngest)
        before = moment("before", self.before or None)
        return Narrowing(
            library=self.library or None,
            tags=self.tags,
            author=self.author.strip() or None,
            path_prefix=self.folder.strip() or None,
            modified_after=None if after is None else after.isoformat(),
            modified_before=None if before is None or before > LAST else (before + timedelta(days=1)).isoformat(),
        )


DEFAULTS = asdict(Asked())


def read(given: QueryParams) -> Asked:
    """Raises `InvalidInput` naming the field. Parameters that it does not know are left alone: addresses get passed around."""
    age, mode, limit = given.get("age", ""), given.get("mode", "hybrid"), given.get("limit", str(STEP))
    if mode not in MODES:
        raise InvalidMode(f"Unknown search mode '{mode[:80]}'. Valid modes: {', '.join(MODES)}.", field="mode")
    if age not in ("", *AGES):
        raise InvalidInput(f"'age' must be one of {', '.join(AGES)}, not '{age[:80]}'.", field="age")
    if not (limit.isdecimal() and limit.isascii() and int(limit[:9]) > 0):
        raise InvalidInput("'limit' must be a whole number from 1.", field="limit")
    return replace(typed(given), age=age, mode=mode, limit=min(int(limit[:9]), MAX_LIMIT))


def typed(given: QueryParams) -> Asked:
    """What somebody typed, right or wrong, so that a page can hold it again; what is only ever chosen is left out."""
    texts = {name: given.get(name, "") for name in ("q", "folder", "author", "after", "before", "library")}
    tags = tuple(dict.fromkeys(tag.strip().lstrip("#") for tag in given.getlist("tags") if tag.strip()))
    return Asked(tags=tags, limit=STEP, **texts)


def today(now: datetime) -> str:
    return now.astimezone(UTC).date().isoformat()
