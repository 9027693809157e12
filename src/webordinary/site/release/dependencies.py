"""What a build needs from elsewhere: installed from the lock of what is live, without running any of it, and kept."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from webordinary.child import Child, ResourceLimits, run
from webordinary.errors import Interrupted, Misconfigured, TryAgain
from webordinary.site.release.build import BuildBroke, last_lines
from webordinary.workspace.installation import find_installation, private_places
from webordinary.workspace.leaving import take_powers
from webordinary.workspace.lock import take_lock
from webordinary.workspace.own_uid import OPEN_TO_ALL, take_back

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.child import Finished
    from webordinary.workspace.sandbox import Sandbox


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


_UNUSED_FOR = timedelta(days=30)
_GIBIBYTE = 1024**3
# Where packages come from and how to get there; an address with a password in it is not handed on.
_HANDED_ON = (
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
    *("NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "PIP_CERT", "PIP_DEFAULT_TIMEOUT"),
)
_AWAY = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|NewConnectionError|ReadTimeout"
    r"|Temporary failure in name resolution|E50[0234]|HTTP error 5",
)


@dataclass(frozen=True, slots=True)
class Installed:
    """The packages of one lock; nobody changes them any more."""

    folder: Path
    kind: LockKind

    @property
    def shown(self) -> tuple[Path, ...]:
        """What a build has to be able to read: them, and the program that runs them."""
        return (self.folder, *find_installation(self.kind.runtime))

    def lay_into(self, checkout: Path) -> None:
        """Let the build find them where it looks, in a folder of its own in which it may put more."""
        if self.kind.looks_in is None:
            return
        place = checkout / self.kind.looks_in
        # Whatever the repository itself has there stays; a link that an agent left would lead us anywhere.
        if os.path.lexists(place):
            return
        place.mkdir()
        for entry in (self.folder / self.kind.looks_in).iterdir():
            (place / entry.name).symlink_to(entry)

    def surroundings(self, path: str) -> dict[str, str]:
        """Return what the build's environment says about them."""
        return self.kind.environment(self.folder, path)


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Installs and keeps them, one folder for each lock; those of a change are not asked for before it is approved."""

    folder: Path
    sandbox: Callable[[], Sandbox]

    def installed(
        self, read: Callable[[str], bytes | None], *, deadline: timedelta, watch: Callable[[Child], None]
    ) -> Installed | None:
        """Return what the lock asks for that `read` finds among the files of a commit; None when there is no lock."""
        for kind in KINDS:
            files = {name: content for name in kind.files if (content := read(name)) is not None}
            if files.keys() >= set(kind.files[:2]) and not kind.problem(files[kind.lock]):
                return self._installed(kind, files, deadline, watch)
        return None

    def _installed(
        self, kind: LockKind, files: Mapping[str, bytes], deadline: timedelta, watch: Callable[[Child], None]
    ) -> Installed:
        place = self.folder / f"{kind.name}-{_key(kind, files)}"
        if not place.is_dir():
            self._make_once(place, kind, files, deadline, watch)
        os.utime(place)
        return Installed(place, kind)

    def _make_once(
        self,
        place: Path,
        kind: LockKind,
        files: Mapping[str, bytes],
        deadline: timedelta,
        watch: Callable[[Child], None],
    ) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        lock = take_lock(self.folder / f"{place.name}.lock", patience=deadline)
        if lock is None:
            raise TryAgain("Another build still installs the same packages; it will be tried again.")
        with lock:
            if not place.is_dir():
                self._remove_unused()
                with tempfile.TemporaryDirectory(prefix=".installing-", dir=self.folder) as draft:
                    self._install(Path(draft), kind, files, deadline, watch)
                    (Path(draft) / "packages").rename(place)

    def _install(
        self,
        draft: Path,
        kind: LockKind,
        files: Mapping[str, bytes],
        deadline: timedelta,
        watch: Callable[[Child], None],
    ) -> None:
        packages, home = draft / "packages", draft / "home"
        draft.chmod(0o755)
        packages.mkdir()
        home.mkdir()
        for name, content in files.items():
            (packages / name).write_bytes(content)
        for argv in kind.commands:
            finished = self._run(argv, packages, home, deadline, watch)
            if finished.succeeded:
                break
        _judge(finished, kind)
        take_back(packages)
        take_powers(packages)
        kind.check(packages, files[kind.lock])

    def _run(
        self, argv: tuple[str, ...], packages: Path, home: Path, deadline: timedelta, watch: Callable[[Child], None]
    ) -> Finished:
        env = {"PATH": os.environ.get("PATH", os.defpath), **private_places(home), "LANG": "C.UTF-8", "CI": "1"}
        wrapped = self.sandbox().wrap(argv, checkout=packages, writable=(home,), network=True)
        resource_limits = ResourceLimits(packages, disk=4 * _GIBIBYTE)
        try:
            child = Child(wrapped, cwd=packages, env=env | _handed_on(), resource_limits=resource_limits)
        except Misconfigured as missing:
            raise BuildBroke(f"{argv[0]} is needed to install the site's packages, and is not there") from missing
        with child:
            watch(child)
            return child.wait(deadline)

    def _remove_unused(self) -> None:
        for place in self.folder.iterdir():
            unused = time.time() - place.lstat().st_mtime > _UNUSED_FOR.total_seconds()
            if unused and place.is_dir() and not place.is_symlink():
                shutil.rmtree(place, ignore_errors=True)


def dependencies_in(data: Path, sandbox: Callable[[], Sandbox]) -> Dependencies:
    """Return those of an installation, which has its files in `data`."""
    return Dependencies(data / OPEN_TO_ALL, sandbox)


def _key(kind: LockKind, files: Mapping[str, bytes]) -> str:
    """Name everything that decides what is installed."""
    digest = hashlib.sha256(f"{platform.machine()} {kind.version()}".encode())
    for name in sorted(files):
        digest.update(f"\0{name}\0{len(files[name])}\0".encode() + files[name])
    return digest.hexdigest()[:32]


def _judge(finished: Finished, kind: LockKind) -> None:
    details = last_lines(finished)
    if finished.stopped:
        raise Interrupted("the installation of packages was stopped")
    if finished.succeeded:
        return
    if _AWAY.search(details):
        raise TryAgain(f"The packages in {kind.lock} cannot be fetched now; it will be tried again.")
    why = finished.exceeded or ("it did not end in time" if finished.timed_out else f"code {finished.code}")
    raise BuildBroke(f"the packages in {kind.lock} could not be installed ({why})", details)


def _handed_on() -> dict[str, str]:
    given = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    return {name: value for name, value in given.items() if "@" not in urlsplit(value).netloc}
