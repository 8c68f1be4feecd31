"""What answers to a key, fetched for many keys at once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.names import folded, folder_of
from trilith.index.catalog.resolution import Place, World


def world(connection: Connection, lib: int, keys: Iterable[str]) -> World:
    """The notes and files of a library that answer to these keys."""
    asked = set(keys)
    return World(notes=notes(connection, lib, asked), files=files(connection, lib, asked))


def notes(connection: Connection, lib: int, keys: Iterable[str]) -> dict[str, dict[int, list[Place]]]:
    rows = connection.execute(
        "SELECT a.key, a.kind, a.num, n.path, n.path_key FROM json_each(?) k"
        " CROSS JOIN names a ON a.lib = ? AND a.key = k.value CROSS JOIN notes n ON n.num = a.num",
        (json.dumps(list(keys)), lib),
    )
    found: dict[str, dict[int, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for key, kind, num, path, path_key in rows:
        found[key][kind].append(Place(path.count("/") + 1, path, folder_of(path_key), num))
    for kinds in found.values():
        for places in kinds.values():
            places.sort()
    return found


def files(connection: Connection, lib: int, keys: Iterable[str]) -> dict[str, list[Place]]:
    rows = connection.execute(
        "SELECT a.key, a.path FROM json_each(?) k CROSS JOIN attachments a ON a.lib = ? AND a.key = k.value",
        (json.dumps(list(keys)), lib),
    )
    found: dict[str, list[Place]] = defaultdict(list)
    for key, path in rows:
        whole = folded(path)
        found[key].append(Place(path.count("/") + 1, path, folder_of(whole), whole=whole == key))
    for places in found.values():
        places.sort()
    return found
