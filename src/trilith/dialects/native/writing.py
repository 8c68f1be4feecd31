"""What REST and the command line do to notes: JSON in, JSON out, one method for each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trilith.dialects.arguments import Arguments
from trilith.dialects.changing import expected_version, frontmatter, moved, part, written
from trilith.dialects.moments import iso
from trilith.dialects.native import bodies
from trilith.dialects.tool import Parameter
from trilith.errors import InvalidInput
from trilith.model.change import Draft, Revision
from trilith.model.ids import parse_id
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.ports.ledger import Trashed

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Writing:
    """The changes that one caller may ask for.

    Every method raises `ReadOnly` first where nothing may be written, then `InvalidInput` naming the field, `NotFound`,
    and what `Writer` and `Trash` raise. A note is named by its id or its exact path.
    """

    app: App
    caller: Principal

    def create(self, given: Mapping[str, Any]) -> Json:
        """A new note, of the fields `bodies.CREATE`; `status` tells `created` from `duplicate`."""
        arguments = self._read(given, bodies.CREATE)
        title, wait = arguments.required_text("title"), arguments.boolean("wait")
        fields = frontmatter(arguments, self.app.clock.now())
        del fields["title"]
        library = self.app.gate.writable(self.caller, arguments.text("library"))
        filter = self.app.gate.filter(self.caller, library.name)
        draft = Draft(
            title=title,
            body=arguments.text("content") or "",
            agent=self._agent(arguments),
            place=arguments.text("path") or "",
            fields=fields,
        )
        return written(self.app, filter, self.app.writer.create(library, filter, draft), wait=wait)

    def patch(self, reference: str, given: Mapping[str, Any]) -> Json:
        """Fields and body of a note, of `bodies.PATCH`; what is left out stays, an empty text or list takes away."""
        arguments = self._read(given, bodies.PATCH)
        wait, body = arguments.boolean("wait"), arguments.text("content")
        fields = frontmatter(arguments, self.app.clock.now())
        if body is None and not fields:
            raise InvalidInput("Nothing is to be changed: give 'content' or a field of the note.", field="content")
        revision = self._revision(arguments, body=body, fields=fields)
        filter, entry = self._find(reference, arguments)
        library = self.app.gate.writable(self.caller, entry.library)
        return written(self.app, filter, self.app.writer.revise(library, filter, entry, revision), wait=wait)

    def edit(self, reference: str, given: Mapping[str, Any]) -> Json:
        """A part of a note's body, of `bodies.EDIT`."""
        arguments = self._read(given, bodies.EDIT)
        change, wait = part(arguments), arguments.boolean("wait")
        revision = self._revision(arguments)
        filter, entry = self._find(reference, arguments)
        library = self.app.gate.writable(self.caller, entry.library)
        return written(self.app, filter, self.app.writer.edit(library, entry, change, revision), wait=wait)

    def move(self, reference: str, given: Mapping[str, Any]) -> Json:
        """A note elsewhere or under another name, with `bodies.MOVE`; the links to it follow."""
        arguments = self._read(given, bodies.MOVE)
        to, wait = arguments.required_text("to"), arguments.boolean("wait")
        revision = self._revision(arguments)
        filter, entry = self._find(reference, arguments)
        library = self.app.gate.writable(self.caller, entry.library)
        return moved(self.app, self.app.mover.move(library, filter, entry, to, revision), wait=wait)

    def delete(self, reference: str, given: Mapping[str, Any]) -> Json:
        """To the trash, with `bodies.DELETE`; `key` brings it back."""
        arguments = self._read(given, bodies.DELETE)
        revision = self._revision(arguments)
        _, entry = self._find(reference, arguments)
        library = self.app.gate.writable(self.caller, entry.library)
        return {"success": True, **_trashed(self.app.trash.delete(library, entry, revision))}

    def trash(self, library: str | None = None) -> Json:
        """What can be restored, newest first."""
        filter = self.app.gate.filter(self.caller, library)
        return {"items": [_trashed(trashed) for trashed in self.app.trash.kept(filter)]}

    def restore(self, key: str) -> Json:
        """A deleted note, back at its path with its id."""
        self.app.gate.check_writing(self.caller)
        trashed = self.app.trash.find(self.app.gate.filter(self.caller), key)
        library = self.app.gate.writable(self.caller, trashed.library)
        filter = self.app.gate.filter(self.caller, library.name)
        entry = self.app.trash.restore(library, filter, trashed)
        return {
            "status": "restored",
            "id": entry.id,
            "path": entry.path,
            "version": entry.metadata.version,
            "library": entry.library,
        }

    def _read(self, given: Mapping[str, Any], body: tuple[Parameter, ...]) -> Arguments:
        self.app.gate.check_writing(self.caller)
        return bodies.read(given, body)

    def _agent(self, arguments: Arguments) -> str:
        return (arguments.text("agent") or "").strip() or self.caller.name

    def _revision(self, arguments: Arguments, **changes: Any) -> Revision:
        return Revision(
            agent=self._agent(arguments),
            expected_version=expected_version(arguments),
            expected_checksum=arguments.text("expected_hash"),
            **changes,
        )

    def _find(self, reference: str, arguments: Arguments) -> tuple[Filter, Entry]:
        """Never a title, alias or part of a path: what is changed must be what was meant."""
        filter = self.app.gate.filter(self.caller, arguments.text("library"))
        exact = {"note_id" if parse_id(reference) else "path": reference}
        return filter, self.app.reader.find_to_change(filter, **exact)


def _trashed(trashed: Trashed) -> Json:
    return {
        "key": trashed.key,
        "id": trashed.id,
        "title": trashed.title,
        "path": trashed.path,
        "library": trashed.library,
        "deleted_at": iso(trashed.deleted_at),
        "deleted_by": trashed.deleted_by,
    }
