"""`.trilithignore`: gitignore rules, in the root and in any folder below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class _Rules:
    base: str
    """The folder of the file, with a `/` at its end; empty for the root."""
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Ignored:
    """The rules that hold in a folder: its own and those from above."""

    rules: tuple[_Rules, ...] = ()

    def below(self, folder: str, text: str) -> tuple[Ignored, list[str]]:
        """With the rules of a folder's own file added, and what is wrong with lines of it.

        `folder` is relative, empty for the root.
        """
        # Loaded here: most vaults have no such file.
        from pathspec import GitIgnoreSpec

        lines, wrong = [], []
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            try:
                GitIgnoreSpec.from_lines([line])
            except ValueError:
                wrong.append(f"line {number} is not a rule: {line.strip()}")
            else:
                lines.append(line)
        added = _Rules(f"{folder}/" if folder else "", GitIgnoreSpec.from_lines(lines))
        return Ignored((*self.rules, added)), wrong

    def covers(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is left out. The deepest file with a rule for it decides, by its last such rule."""
        for rules in reversed(self.rules):
            below = path.removeprefix(rules.base)
            verdict = rules.spec.check_file(f"{below}/" if is_folder else below).include
            if verdict is not None:
                return verdict
        return False
