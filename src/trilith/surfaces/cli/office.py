"""`trilith user`, `grant`, `key` and `audit`: who may come in, what for, and what they did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from trilith.errors import InvalidInput
from trilith.model.principal import OWNER, Right, Role
from trilith.surfaces.cli import options
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json, harmless

if TYPE_CHECKING:
    from trilith.access.office import Office
    from trilith.model.principal import Key

Json = dict[str, Any]
Kind = TypeVar("Kind", Role, Right)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the user.")]
User = Annotated[str, typer.Argument(metavar="USER", help="Name of the user.")]
OfLibrary = Annotated[str, typer.Argument(metavar="LIBRARY", help="Name of the library.")]
RoleOption = Annotated[str, typer.Option("--role", metavar="ROLE", help="reader or writer.")]
KeyUser = Annotated[str, typer.Option("--user", metavar="NAME", help="Whose key it is.")]
Rights = Annotated[
    list[str] | None,
    typer.Option("--right", metavar="RIGHT", help="read, write or admin; repeat it. Default: read and write."),
]
Libraries = Annotated[
    list[str] | None,
    typer.Option("--library", metavar="NAME", help="Library that it is good for; repeat it. Default: all."),
]
Expires = Annotated[
    str | None, typer.Option("--expires", metavar="WHEN", help="ISO 8601 date or time, or days from now: 90d.")
]
OfUser = Annotated[str | None, typer.Option("--user", metavar="NAME", help="Only what this user did.")]
KeyId = Annotated[str, typer.Argument(metavar="ID", help="Id of the key, as `trilith key list` shows it.")]


@contextmanager
def opened(home: Path | None) -> Iterator[Office]:
    """The books of a home; nothing of the index is opened."""
    scope = choose(home, None, None)
    from trilith.access.office import Office
    from trilith.clock import SystemClock
    from trilith.home.accounts import SqliteAccounts
    from trilith.home.layout import Home
    from trilith.home.ledger import SqliteLedger
    from trilith.home.ledgerfile import LedgerFile

    place = Home(scope.settings.home)
    file = LedgerFile(place.ledger, place.fault())
    try:
        yield Office(SqliteLedger(file), SqliteAccounts(file), SystemClock())
    finally:
        file.close()


def add_user(name: Name, *, home: options.Home = None, json: options.AsJson = False) -> None:
    """Make a user, who can then own libraries, be granted some, and have keys."""
    with opened(home) as office:
        office.add_user(name)
    _tell({"name": name}, f"User '{name}' is there now.", as_json=json)


def list_users(*, home: options.Home = None, json: options.AsJson = False) -> None:
    """List the users."""
    with opened(home) as office:
        names = list(office.accounts.users())
    _tell({"users": [{"name": name} for name in names]}, "\n".join(names), as_json=json)


def add_grant(
    library: OfLibrary,
    user: User,
    *,
    role: RoleOption = Role.READER.value,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Let a user read a library, or write to it too."""
    with opened(home) as office:
        granted = office.grant(library, user, _one_of(Role, role, "role"))
    body = {"library": granted.library, "user": granted.user, "role": granted.role.value}
    _tell(body, f"'{user}' is a {granted.role.value} of '{library}' now.", as_json=json)


def list_grants(*, home: options.Home = None, json: options.AsJson = False) -> None:
    """List who was granted which library."""
    with opened(home) as office:
        grants = office.accounts.grants()
    body = {"grants": [{"library": each.library, "user": each.user, "role": each.role.value} for each in grants]}
    lines = [f"{each.library}  {each.user}  {each.role.value}" for each in grants]
    _tell(body, "\n".join(lines) or "Nothing is granted.", as_json=json)


def remove_grant(library: OfLibrary, user: User, *, home: options.Home = None, json: options.AsJson = False) -> None:
    """Take back what a user was granted of a library."""
    with opened(home) as office:
        office.take_back(library, user)
    _tell({"library": library, "user": user}, f"'{user}' has no part in '{library}' any more.", as_json=json)


def create_key(
    *,
    user: KeyUser = OWNER,
    right: Rights = None,
    library: Libraries = None,
    expires: Expires = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Make a key and show it, once. From the first key on every HTTP request needs one."""
    rights = [_one_of(Right, each, "right") for each in right or ()] or [Right.READ, Right.WRITE]
    with opened(home) as office:
        first = not office.accounts.keys()
        secret, key = office.create_key(user, rights, library or [], _moment(office, expires))
    if json:
        answer_json({"key": secret, **_shown(key), "first": first})
        return
    answer(secret)
    answer(f"This is shown only now. Send it as 'Authorization: Bearer {secret[:8]}...'. Id: {key.id}.")
    if first:
        answer("It is the first key: from now on every HTTP request needs one, on this machine too. stdio does not.")


def list_keys(*, home: options.Home = None, json: options.AsJson = False) -> None:
    """List the keys, without their secrets."""
    with opened(home) as office:
        keys = office.accounts.keys()
    lines = ["  ".join(f"{name} {value}" for name, value in _shown(key).items() if value) for key in keys]
    _tell({"keys": [_shown(key) for key in keys]}, "\n".join(lines) or "There is no key.", as_json=json)


def revoke_key(key_id: KeyId, *, home: options.Home = None, json: options.AsJson = False) -> None:
    """Make a key worthless, from the next request on."""
    with opened(home) as office:
        last = office.revoke_key(key_id)
    shut = (
        " It was the last: every HTTP request is refused now, on this machine too, until you make another"
        if last
        else ""
    )
    advice = " (`trilith key create`). The command line and stdio need none." if last else ""
    _tell({"id": key_id, "last": last}, f"Key {key_id} holds no more.{shut}{advice}", as_json=json)


def audit(
    *,
    user: OfUser = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Most acts to show.")] = 50,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Show who read, searched and wrote what over MCP and REST, newest first."""
    scope = choose(home, None, None)
    from trilith.home.audit import SqliteAudit
    from trilith.home.layout import Home

    acts = SqliteAudit(Home(scope.settings.home).audit).recent(limit, user)
    shown = [{**asdict(act), "at": act.at.isoformat(timespec="seconds")} for act in acts]
    lines = ["  ".join(harmless(str(value)) for value in act.values() if value) for act in shown]
    _tell({"acts": shown}, "\n".join(lines) or "Nothing has been asked yet.", as_json=json)


def _shown(key: Key) -> Json:
    return {
        "id": key.id,
        "user": key.user,
        "rights": ",".join(sorted(key.rights)),
        "libraries": None if key.libraries is None else ",".join(sorted(key.libraries)),
        "created": key.created_at.isoformat(timespec="seconds"),
        "expires": key.expires_at and key.expires_at.isoformat(timespec="seconds"),
        "revoked": key.revoked_at and key.revoked_at.isoformat(timespec="seconds"),
    }


def _tell(body: Json, text: str, *, as_json: bool) -> None:
    if as_json:
        answer_json(body)
    else:
        answer(text)


def _moment(office: Office, text: str | None) -> Any:
    """Raises `InvalidInput`."""
    if text is None:
        return None
    from trilith.markdown.dates import parse_date

    if text.endswith("d") and text[:-1].isdecimal() and len(text) <= len("36500d"):
        return office.clock.now() + timedelta(days=int(text[:-1]))
    moment = parse_date(text)
    if moment is None:
        raise InvalidInput(f"'{text}' is neither an ISO 8601 date or time nor days like 90d.", field="expires")
    return moment


def _one_of(kind: type[Kind], text: str, field: str) -> Kind:
    """Raises `InvalidInput`."""
    try:
        return kind(text.strip().lower())
    except ValueError:
        raise InvalidInput(f"'{text}' is none of {', '.join(kind)}.", field=field) from None
