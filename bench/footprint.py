"""How much is installed, and how long does Python take to load it?

usage: python bench/footprint.py [--rounds 7]

The size is that of the files of this package and of all that it needs to run, as they are recorded where they are installed.
Times are wall times of a process, from spawn to end, the kinds by turns: `import trilith`, `trilith --version`, and beside
them a Python that does nothing. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from statistics import median
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import trilith

COMMANDS = {
    "python": ["-c", "pass"],
    "import_trilith": ["-c", "import trilith"],
    "trilith_version": ["-m", "trilith", "--version"],
}


def needed(name: str, extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """What is installed of a distribution and of all that it needs here, by name."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(canonicalize_name(name), extras)]
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # named for another platform
        for text in found[name].requires or ():
            one = Requirement(text)
            if applies(one, extras):
                waiting.append((canonicalize_name(one.name), frozenset(one.extras)))
    return found


def applies(one: Requirement, extras: frozenset[str]) -> bool:
    return one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras or {""})


def size(installed: Distribution) -> int:
    """Bytes of its files, compiled ones that are not recorded left out."""
    places = [Path(str(file.locate())) for file in installed.files or ()]
    return sum(place.stat().st_size for place in places if place.is_file())


def own_size() -> int:
    """Bytes of this package, wherever it lies."""
    (folder,) = trilith.__path__
    return sum(
        place.stat().st_size
        for place in Path(folder).rglob("*")
        if place.is_file() and "__pycache__" not in place.parts
    )


def seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    sizes = {name: size(installed) for name, installed in needed("trilith").items() if name != "trilith"}
    own = own_size()
    times = [{name: seconds(command) for name, command in COMMANDS.items()} for _ in range(asked.rounds + 1)][1:]
    found: dict[str, Any] = {
        "install_mb": round((own + sum(sizes.values())) / 2**20, 1),
        "own_mb": round(own / 2**20, 1),
        "packages": len(sizes) + 1,
        "largest_mb": {name: round(sizes[name] / 2**20, 1) for name in sorted(sizes, key=lambda n: -sizes[n])[:5]},
        **{f"{name}_seconds": round(median(each[name] for each in times), 3) for name in COMMANDS},
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
