"""The sandbox: walls around every program that is not ours, and no way out to the network."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import Misconfigured
from webordinary.workspace.installation import find_installation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NOBODY = "1000"
_WALLS = (
    *("--unshare-all", "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
)
# Bubblewrap before 0.8 does not know this one; without it a program inside could build a sandbox of its own.
_NO_SANDBOX_INSIDE = "--disable-userns"
_SYSTEM = ("/usr", "/nix/store", "/gnu/store")
_LINKS_INTO_USR = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_OF_ETC = (
    *("alternatives", "ca-certificates", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
    *("mime.types", "nsswitch.conf", "pki", "ssl"),
)
_TRIAL = timedelta(seconds=20)


class Kind(StrEnum):
    """What keeps a program away from the rest of the machine."""

    BUBBLEWRAP = "bubblewrap"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a program is started so that it can reach only what it is given.

    Inside, everything has the path that it has outside. Start the result with a clean environment: bubblewrap
    itself stays as the first process inside, and the program can read what that was started with.
    """

    kind: Kind
    walls: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.kind.value

    def wrap(
        self,
        argv: Sequence[str],
        *,
        checkout: Path,
        writable: tuple[Path, ...] = (),
        readable: tuple[Path, ...] = (),
    ) -> tuple[str, ...]:
        """Return the whole command; the checkout is writable too, but never the repository in it."""
        if self.kind is Kind.NONE:
            return tuple(argv)
        program = (*readable, *find_installation(argv[0]))
        return (
            *("bwrap", *self.walls, *_system()),
            *(word for path in program for word in ("--ro-bind", str(path), str(path))),
            *(word for path in (*writable, checkout) for word in ("--bind", str(path), str(path))),
            *_repository(checkout),
            *("--chdir", str(checkout), "--", *argv),
        )


@cache
def choose_sandbox(mode: str) -> Sandbox:
    """Return the sandbox that this machine has, tried once; refuse when it has none and none was not asked for."""
    if mode == Kind.NONE:
        return Sandbox(Kind.NONE)
    if mode not in {"auto", Kind.BUBBLEWRAP}:
        raise Misconfigured(f"There is no sandbox {mode!r}; set it to auto, bubblewrap or none.")
    said = ""
    for walls in ((*_WALLS, _NO_SANDBOX_INSIDE), _WALLS):
        sandbox = Sandbox(Kind.BUBBLEWRAP, walls)
        said = _try(sandbox)
        if not said:
            return sandbox
    raise Misconfigured(
        f"Programs that are not ours need bubblewrap, which does not work here ({said}); "
        "install it, or set the sandbox to none if you trust every agent and build."
    )


def _try(sandbox: Sandbox) -> str:
    """Do nothing inside, and return what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder)
        try:
            tried = run(
                sandbox.wrap(("true",), checkout=checkout),
                cwd=checkout,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                deadline=_TRIAL,
            )
        except Misconfigured as missing:
            return str(missing)
    lines = tried.stderr.decode(errors="replace").strip().splitlines()
    return "" if tried.succeeded else (lines or [f"it ended with code {tried.code}"])[-1]


def _system() -> Iterator[str]:
    """Show the machine's programs and nothing that belongs to anybody."""
    yield from ("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp", "--tmpfs", "/run")  # noqa: S108 - a new one inside
    for place in (*_SYSTEM, *(f"/etc/{name}" for name in _OF_ETC)):
        yield from ("--ro-bind-try", place, place)
    for place in _LINKS_INTO_USR:
        if os.path.islink(place):  # noqa: PTH114 - the same word for both
            yield from ("--symlink", os.readlink(place), place)  # noqa: PTH115 - the same
        else:
            yield from ("--ro-bind-try", place, place)


def _repository(checkout: Path) -> tuple[str, ...]:
    """Keep the repository as it is: a folder, or in a linked working tree a file that names one."""
    repository = checkout / ".git"
    if repository.is_symlink() or not repository.exists():
        return ()
    return ("--ro-bind", str(repository), str(repository))
