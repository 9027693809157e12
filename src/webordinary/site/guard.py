"""What a change may touch: everything outside is not for an owner's mail to decide."""

from __future__ import annotations

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


def find_overreach(changes: Sequence[Change], rules: Rules, *, brought: frozenset[str] = frozenset()) -> str | None:
    """Return in plain words why the change goes beyond what the project allows, or None.

    Files that the owner sent along are not counted: they are what was asked for, and a photo is several.
    """
    counted = sum(change.path not in brought for change in changes)
    if counted > rules.max_files:
        return f"it touches {counted} files, more than the {rules.max_files} that are allowed at once"
    deleted = sum(change.deleted_lines for change in changes)
    if deleted > rules.max_deleted_lines:
        return f"it removes {deleted} lines, more than the {rules.max_deleted_lines} that are allowed at once"
    outside = next((change.path for change in changes if not _is_allowed(change, rules)), None)
    return f"it touches {outside}, which is not for mails to change" if outside else None


def _is_allowed(change: Change, rules: Rules) -> bool:
    if change.is_link or change.is_executable:
        return False
    if rules.allowed_paths:
        return any(fnmatchcase(change.path, pattern) for pattern in rules.allowed_paths)
    parts = change.path.split("/")
    if any(part.startswith(".") for part in parts):
        return False
    return parts[-1] not in _PROTECTED_NAMES and not parts[-1].lower().endswith(_PROTECTED_ENDINGS)
