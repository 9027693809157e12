"""The kinds of locks that say what a build needs, to the last byte: npm's, and pip's with hashes."""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from webordinary.child import run
from webordinary.errors import Misconfigured
from webordinary.site.release.build import BuildBroke

if TYPE_CHECKING:
    from collections.abc import Mapping

_QUIETLY = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
_PYTHON = "python3"
_HASHED = re.compile(r"[A-Za-z0-9._-]+(?:\[[^\]]*\])?==[^\s;]+(?:\s*;[^#]*?)?(?:\s+--hash=sha256:[0-9a-f]{64})+")


class LockKind(Protocol):
    """How packages of one world are locked, installed without running anything of theirs, and found by a build."""

    name: str
    lock: str
    # The program that runs them.
    runtime: str
    # All that decides what is installed; the first two have to be there.
    files: tuple[str, ...]
    # Tried one after the other until one succeeds.
    commands: tuple[tuple[str, ...], ...]
    # Where in the checkout a build looks for them.
    looks_in: str | None

    def problem(self, lock: bytes) -> str:
        """Say why the lock does not fix every byte; empty when it does."""

    def version(self) -> str:
        """Name what else decides which packages fit."""

    def environment(self, folder: Path, path: str) -> dict[str, str]: ...

    def check(self, folder: Path, lock: bytes) -> None:
        """Refuse what was installed if it is not what the lock says."""


class NpmLock:
    """`package-lock.json`, installed by npm."""

    name: str = "npm"
    lock: str = "package-lock.json"
    runtime: str = "node"
    files: tuple[str, ...] = ("package.json", "package-lock.json", ".npmrc")
    # The second one serves registries that do not have what other kinds of machines would need.
    commands: tuple[tuple[str, ...], ...] = (("npm", "ci", *_QUIETLY), ("npm", "install", *_QUIETLY))
    looks_in: str | None = "node_modules"

    def problem(self, lock: bytes) -> str:
        try:
            packages = _packages(lock)
        except (ValueError, KeyError, TypeError):
            return "it is not a lock of npm 7 or newer"
        loose = next((path for path, each in packages.items() if path and "integrity" not in each), None)
        return f"{loose} has no checksum" if loose else ""

    def version(self) -> str:
        return ""

    def environment(self, folder: Path, path: str) -> dict[str, str]:
        return {"PATH": f"{folder / 'node_modules' / '.bin'}{os.pathsep}{path}"}

    def check(self, folder: Path, lock: bytes) -> None:
        locked = _packages(lock)
        for path, each in _packages((folder / "node_modules" / ".package-lock.json").read_bytes()).items():
            if locked.get(path, {}).get("integrity") != each.get("integrity"):
                raise BuildBroke(
                    f"package-lock.json does not fit to package.json ({path}): run `npm install` and commit both"
                )


class PipLock:
    """`requirements.txt` in which every line has its hashes, installed by pip from wheels alone."""

    name: str = "pip"
    lock: str = "requirements.txt"
    runtime: str = _PYTHON
    files: tuple[str, ...] = ("requirements.txt",)
    commands: tuple[tuple[str, ...], ...] = (
        (
            *(_PYTHON, "-m", "pip", "install", "--require-hashes", "--no-deps", "--only-binary=:all:", "--no-input"),
            *("--disable-pip-version-check", "--no-cache-dir", "--target=python", "--requirement=requirements.txt"),
        ),
    )
    looks_in: str | None = None

    def problem(self, lock: bytes) -> str:
        text = lock.decode(errors="replace").replace("\\\n", " ")
        lines = [line for line in (each.partition(" #")[0].strip() for each in text.splitlines()) if line]
        wanted = [line for line in lines if not line.startswith("#")]
        loose = next((line for line in wanted if not _HASHED.fullmatch(line)), None)
        return "it names nothing" if not wanted else f"{loose[:60]!r} has no hash" if loose else ""

    def version(self) -> str:
        return _version_of(shutil.which(_PYTHON) or _PYTHON)

    def environment(self, folder: Path, path: str) -> dict[str, str]:
        place = folder / "python"
        return {"PYTHONPATH": str(place), "PATH": f"{place / 'bin'}{os.pathsep}{path}"}

    def check(self, folder: Path, lock: bytes) -> None:
        """Pip has checked every hash itself."""


KINDS: tuple[LockKind, ...] = (NpmLock(), PipLock())


def _packages(lock: bytes) -> Mapping[str, Mapping[str, str]]:
    packages: Mapping[str, Mapping[str, str]] = json.loads(lock)["packages"]
    return packages


@cache
def _version_of(program: str) -> str:
    try:
        said = run([program, "--version"], cwd=Path("/"), env={"PATH": os.defpath})
    except Misconfigured:
        return "none"
    return said.stdout.decode(errors="replace").strip()
