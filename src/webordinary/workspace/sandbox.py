"""The sandbox: walls around every program that is not ours, and no way out to the network.

A ladder, the highest rung that this machine has: bubblewrap, Landlock, a uid of its own; below that nothing is run.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import Misconfigured
from webordinary.workspace.bubblewrap import (
    LINKS_INTO_USR,
    NO_SANDBOX_INSIDE,
    OF_ETC,
    OF_NETWORK,
    SYSTEM,
    WALLS,
    bubblewrapped,
)
from webordinary.workspace.confined.landlock import OLDEST, landlock_version
from webordinary.workspace.confined.seccomp import is_known_machine
from webordinary.workspace.installation import find_installation
from webordinary.workspace.own_uid import hand_over, uid_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LAUNCHER = (sys.executable, "-I", "-m", "webordinary.workspace.confined")
_TRIAL = timedelta(seconds=20)
_GIBIBYTE = 1024**3
_PORT_INSIDE = 8765
# One file, and what one process may have for itself; the appetite of the whole family is watched from outside.
_MOST: Mapping[str, int] = {"fsize": 2 * _GIBIBYTE, "data": 8 * _GIBIBYTE, "core": 0}


class Kind(StrEnum):
    """What keeps a program away from the rest of the machine, the best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    OWN_UID = "uid"
    NONE = "none"


LADDER = (Kind.BUBBLEWRAP, Kind.LANDLOCK, Kind.OWN_UID)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a program is started so that it can reach only what it is given.

    Inside, everything has the path that it has outside. Start the result with a clean environment: bubblewrap
    itself stays as the first process inside, and the program can read what that was started with.
    """

    kind: Kind
    walls: tuple[str, ...] = ()
    limits: Mapping[str, int] | None = None
    # Where our own folders begin; a program with a uid of its own finds all doors in there closed but one.
    data: Path | None = None

    @property
    def name(self) -> str:
        return self.kind.value

    def port_for_model(self) -> int:
        """Return the port inside on which an agent finds its model; refused where that would open the whole network."""
        if self.kind is Kind.OWN_UID:
            raise Misconfigured(
                "An agent with a model needs bubblewrap or Landlock here: with a uid of its own alone it could reach "
                "its model only together with the whole network."
            )
        # Where the loopback inside is ours too, another program may have that port already.
        return _PORT_INSIDE if self.kind is Kind.BUBBLEWRAP else _free_port()

    def wrap(  # noqa: PLR0913 - walls have this many sides; all but the first are named
        self,
        argv: Sequence[str],
        *,
        checkout: Path,
        writable: tuple[Path, ...] = (),
        readable: tuple[Path, ...] = (),
        port: int | None = None,
        own_port: int | None = None,
        network: bool = False,
        sockets: bool = False,
    ) -> tuple[str, ...]:
        """Return the whole command; the checkout is writable too. With `port` TCP to that port is possible.

        On `own_port` the program may listen, for itself: some talk to their own other half that way.

        With `network` everything can be reached: only for programs that run nothing of what they fetch. With `sockets`
        a program may make some at files, and where it shares those with the machine it could reach others there.
        """
        most = self.limits or {}
        readable = (*readable, *(Path(name) for name in OF_NETWORK if network and Path(name).exists()))
        match self.kind:
            case Kind.NONE:
                return tuple(argv)
            case Kind.BUBBLEWRAP:
                given = {"checkout": checkout, "writable": writable, "readable": readable}
                walls = (*self.walls, "--share-net") if network else self.walls
                return bubblewrapped(walls, argv, **given, limits=most)  # type: ignore[arg-type]  # one dictionary, three types
            case Kind.LANDLOCK | Kind.OWN_UID:
                if self.kind is Kind.OWN_UID:
                    hand_over((checkout, *writable), self.data)
                ports = [each for each in (port, own_port) if each is not None]
                rules = self._rules(argv, checkout, writable, readable, ports)
                rules |= {"network": network, "sockets": sockets}
                return (*_LAUNCHER, json.dumps(rules), *argv)

    def _rules(
        self,
        argv: Sequence[str],
        checkout: Path,
        writable: tuple[Path, ...],
        readable: tuple[Path, ...],
        ports: list[int],
    ) -> dict[str, object]:
        shown = (*SYSTEM, *LINKS_INTO_USR, *OF_ETC, "/proc", *map(str, (*readable, *find_installation(argv[0]))))
        return {
            "uid": uid_of(checkout) if self.kind is Kind.OWN_UID else None,
            "files": self.kind is Kind.LANDLOCK,
            "readable": shown,
            "writable": [str(path) for path in (*writable, checkout)],
            "ports": ports,
            "limits": {f"RLIMIT_{name.upper()}": most for name, most in (self.limits or {}).items()},
        }


def choose_sandbox(mode: str, data: Path | None = None) -> Sandbox:
    """Return the best sandbox that this machine has for an installation with its files in `data`."""
    return replace(_choose(mode), data=data)


@cache
def _choose(mode: str) -> Sandbox:
    """Try each rung once; refuse when it has none and none was not asked for."""
    if mode == Kind.NONE:
        return Sandbox(Kind.NONE)
    if mode != "auto" and mode not in set(LADDER):
        raise Misconfigured(f"There is no sandbox {mode!r}; set it to auto, bubblewrap, landlock, uid or none.")
    said = []
    for kind in LADDER if mode == "auto" else (Kind(mode),):
        for sandbox in _forms(kind):
            problem = _obstacle(kind) or _try(sandbox)
            if not problem:
                return sandbox
            said.append(f"{kind.value}: {problem}")
    raise Misconfigured(
        f"Programs that are not ours need a sandbox, and none works here ({'; '.join(dict.fromkeys(said))}): install "
        "bubblewrap, or set the sandbox to none if you trust every agent and build."
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _forms(kind: Kind) -> tuple[Sandbox, ...]:
    if kind is not Kind.BUBBLEWRAP:
        return (Sandbox(kind, limits=_MOST),)
    limits = _MOST if shutil.which("prlimit") else None
    return tuple(Sandbox(kind, walls, limits) for walls in ((*WALLS, NO_SANDBOX_INSIDE), WALLS))


def _obstacle(kind: Kind) -> str:
    """Return why a rung cannot hold here, without trying it."""
    if kind is Kind.BUBBLEWRAP:
        return "" if shutil.which("bwrap") else "it is not installed"
    if not is_known_machine():
        return "this kind of processor is not known"
    if kind is Kind.LANDLOCK and landlock_version() < OLDEST:
        return "the kernel does not have it"
    if kind is Kind.OWN_UID and os.geteuid() != 0:
        return "only root can start programs as somebody else"
    return ""


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
