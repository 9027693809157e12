"""What a change may touch: everything outside is not for an owner's mail to decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Rules
    from webordinary.workspace.checkout import Change

_PROTECTED_NAMES = frozenset({
    "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "pyproject.toml", "uv.lock",
    "poetry.lock", "requirements.txt", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock", "go.mod", "go.sum",
    "Cargo.toml", "Cargo.lock", "Makefile", "Dockerfile", "Jenkinsfile", "netlify.toml", "vercel.json", "wrangler.toml",
    "mkdocs.yml", "pelicanconf.py", "_config.yml", "tsconfig.json", "WEBORDINARY.md", "CLAUDE.md",
})  # fmt: skip
_PROTECTED_ENDINGS = (".sh", ".py", ".rb", ".php", ".exe", ".bat", ".cmd", ".ps1", ".pl", ".cgi", ".config.js",
                      ".config.mjs", ".config.ts", ".config.cjs")  # fmt: skip


class Limit(StrEnum):
    """What a project limits; the words for it stand with the words of all mails."""

    FILES = "too_many_files"
    LINES = "too_many_lines"
    PLACE = "protected_place"


_FOR_THE_TRAIL = {
    Limit.FILES: "it touches {} files, more than the {} that are allowed at once",
    Limit.LINES: "it removes {} lines, more than the {} that are allowed at once",
    Limit.PLACE: "it touches {}, which is not for mails to change",
}


@dataclass(frozen=True, slots=True)
class Overreach:
    """Which limit a change breaks, and with what."""

    limit: Limit
    about: tuple[str, ...]

    @property
    def reason(self) -> str:
        """The fact for the answer, which tells it in the person's language."""
        return "\t".join((self.limit.value, *self.about))

    def __str__(self) -> str:
        """Say it to whoever reads the trail."""
        return _FOR_THE_TRAIL[self.limit].format(*self.about)


def find_overreach(
    changes: Sequence[Change], rules: Rules, *, brought: frozenset[str] = frozenset()
) -> Overreach | None:
    """Return how the change goes beyond what the project allows, or None.

    Files that the owner sent along are not counted: they are what was asked for, and a photo is several.
    """
    counted = sum(change.path not in brought for change in changes)
    if counted > rules.max_files:
        return Overreach(Limit.FILES, (str(counted), str(rules.max_files)))
    deleted = sum(change.deleted_lines for change in changes)
    if deleted > rules.max_deleted_lines:
        return Overreach(Limit.LINES, (str(deleted), str(rules.max_deleted_lines)))
    outside = next((change.path for change in changes if not _is_allowed(change, rules)), None)
    return Overreach(Limit.PLACE, (outside,)) if outside else None


def _is_allowed(change: Change, rules: Rules) -> bool:
    if change.is_link or change.is_executable:
        return False
    if rules.allowed_paths:
        return any(fnmatchcase(change.path, pattern) for pattern in rules.allowed_paths)
    parts = change.path.split("/")
    if any(part.startswith(".") for part in parts):
        return False
    return parts[-1] not in _PROTECTED_NAMES and not parts[-1].lower().endswith(_PROTECTED_ENDINGS)
