"""The sandbox: walls around every program that is not ours, and no way out to the network.

A ladder, the highest rung that keeps its promises on this machine: bubblewrap, Landlock, a uid of its own; below that
nothing is run. A worker that is root gives every program a uid of its own first, on every rung.
"""

from __future__ import annotations

import json
import shutil
import socket
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.workspace.bubblewrap import (
    LINKS_INTO_USR,
    NO_SANDBOX_INSIDE,
    OF_ETC,
    OF_NETWORK,
    PEOPLE,
    SYSTEM,
    WALLS,
    bubblewrapped,
)
from webordinary.workspace.confined.landlock import landlock_version
from webordinary.workspace.confined.seccomp import is_known_machine
from webordinary.workspace.installation import find_installation, named_files
from webordinary.workspace.own_uid import hand_over, is_root, leave_a_way, uid_of
from webordinary.workspace.trial import SHARED, Promise, try_promises

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LAUNCHER = (sys.executable, "-I", "-m", "webordinary.workspace.confined")
_GIBIBYTE = 1024**3
_PORT_INSIDE = 8765
# One file, and what one process may have for itself; the limits of the whole process tree are watched from outside.
_MOST: Mapping[str, int] = {"fsize": 2 * _GIBIBYTE, "data": 8 * _GIBIBYTE, "core": 0}
# A rung that does not keep all of these runs nothing. About a model's port only agents are asked that have one; and a
# repository that was renamed is put right by the worker, which never looks at that name.
NEEDED = frozenset(Promise) - {Promise.MODEL, Promise.REPOSITORY}
_REMEDY = (
    "install bubblewrap and let users make namespaces (in Docker and on Ubuntu their profiles forbid it), use a newer "
    "kernel, or set the sandbox to none if you trust every agent and build."
)


class SandboxKind(StrEnum):
    """What keeps a program away from the rest of the machine, the best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    OWN_UID = "uid"
    NONE = "none"


LADDER = (SandboxKind.BUBBLEWRAP, SandboxKind.LANDLOCK, SandboxKind.OWN_UID)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a program is started so that it can reach only what it is given.

    Inside, everything has the path that it has outside. Start the result with a clean environment: bubblewrap
    itself stays as the first process inside, and the program can read what that was started with.
    """

    kind: SandboxKind
    walls: tuple[str, ...] = ()
    limits: Mapping[str, int] | None = None
    # Where our own folders begin; a program with a uid of its own finds all doors in there closed but one.
    data: Path | None = None
    # Whether root may change its own view of the files, so that no door has to be open for that uid.
    has_stage: bool = True
    # What an agent with a model could do here beyond asking its model.
    beyond_model: str = ""
    # No more than what kernels with this version of Landlock can do.
    landlock: int | None = None
    # Whether a program with a model leaves the machine's network behind, where it may.
    leaves_network: bool = True

    @property
    def name(self) -> str:
        return self.kind.value

    def port_for_model(self) -> int:
        """Return the port inside on which an agent finds its model; refused where that would open the whole network."""
        if self.kind is SandboxKind.OWN_UID or self.beyond_model:
            what = self.beyond_model or "reach its model only together with the whole network"
            raise Misconfigured(
                f"An agent with a model needs bubblewrap or Landlock, and a network of its own: with the sandbox "
                f"{self.name} it could {what} here."
            )
        # Where the loopback inside is ours too, another program may have that port already.
        return _PORT_INSIDE if self.kind is SandboxKind.BUBBLEWRAP else _free_port()

    def wrap(  # noqa: PLR0913 - a sandbox has this many doors; all but the first are named
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
        a program may make some at files, and where it shares those with the machine it could reach others there. Where
        we are root, what is writable belongs to a uid of the checkout's own from now on.
        """
        if is_root():
            hand_over((checkout, *writable))
            if not self.has_stage:
                leave_a_way((checkout, *writable), self.data)
        shown = (*readable, *find_installation(argv[0]), *named_files(argv))
        shown = (*shown, *(Path(name) for name in OF_NETWORK if network and Path(name).exists()))
        rules = self._rules(checkout, writable, shown) | {"network": network, "sockets": sockets}
        match self.kind:
            case SandboxKind.NONE | SandboxKind.BUBBLEWRAP:
                if self.kind is SandboxKind.BUBBLEWRAP:
                    argv = bubblewrapped(
                        (*self.walls, "--share-net") if network else self.walls,
                        argv,
                        checkout=checkout,
                        writable=writable,
                        readable=shown,
                        limits=self.limits or {},
                    )
                return (*_LAUNCHER, json.dumps(rules), *argv) if is_root() else tuple(argv)
            case SandboxKind.LANDLOCK | SandboxKind.OWN_UID:
                limits = {f"RLIMIT_{name.upper()}": most for name, most in (self.limits or {}).items()}
                rules |= {"limits": limits, "ports": [each for each in (port, own_port) if each is not None]}
                return (*_LAUNCHER, json.dumps(rules), *argv)

    def _rules(self, checkout: Path, writable: tuple[Path, ...], readable: tuple[Path, ...]) -> dict[str, object]:
        has_walls = self.kind in {SandboxKind.LANDLOCK, SandboxKind.OWN_UID}
        system = (*SYSTEM, *LINKS_INTO_USR, *OF_ETC, *PEOPLE, "/proc") if has_walls else map(str, PEOPLE.values())
        return {
            "uid": uid_of(checkout) if is_root() else None,
            # Bubblewrap has folders of its own for what all programs share.
            "stage": ([*SHARED] if has_walls else []) if self.has_stage else None,
            "walls": has_walls,
            "files": self.kind is SandboxKind.LANDLOCK,
            "landlock": self.landlock,
            "own_network": self.leaves_network,
            "readable": [*system, *map(str, readable)],
            "writable": [str(path) for path in (*writable, checkout)],
            "limits": {},
            "ports": [],
        }


def choose_sandbox(mode: str, data: Path | None = None) -> Sandbox:
    """Return the best sandbox that this machine has for an installation with its files in `data`."""
    return replace(_choose(mode), data=data)


@cache
def _choose(mode: str) -> Sandbox:
    """Try each rung once; refuse when it has none and none was not asked for."""
    if mode == SandboxKind.NONE:
        return next(
            (form for form in forms(SandboxKind.NONE) if not is_root() or _starts(form)), Sandbox(SandboxKind.NONE)
        )
    if mode != "auto" and mode not in set(LADDER):
        raise Misconfigured(f"There is no sandbox {mode!r}; set it to auto, bubblewrap, landlock, uid or none.")
    said = []
    for kind in LADDER if mode == "auto" else (SandboxKind(mode),):
        tried = try_rung(kind)
        if isinstance(tried, Sandbox):
            return tried
        said.append(f"{kind.value}: {tried}")
    raise Misconfigured(
        f"Programs that are not ours need a sandbox, and none works here ({'; '.join(said)}): {_REMEDY}"
    )


def try_rung(kind: SandboxKind, landlock: int | None = None) -> Sandbox | str:
    """Return the best form of this rung that keeps its promises here, or why there is none."""
    problem = _obstacle(kind)
    for sandbox in forms(kind, landlock) if not problem else ():
        found = try_promises(sandbox.wrap, is_hidden=sandbox.has_stage)
        if not found.problem and not found.broken & NEEDED:
            return replace(sandbox, beyond_model=_beyond_model(sandbox))
        problem = problem or found.problem or f"a program inside could {_listed(found.broken & NEEDED)}"
    return problem


def _beyond_model(sandbox: Sandbox) -> str:
    """Try what opens with a model's port, where that is a port of the machine's own."""
    if sandbox.kind is not SandboxKind.LANDLOCK:
        return ""
    found = try_promises(sandbox.wrap, is_hidden=sandbox.has_stage, port=_free_port())
    return found.problem or _listed(found.broken)


def _listed(broken: frozenset[Promise]) -> str:
    return " and ".join(promise.value for promise in Promise if promise in broken)


def _starts(sandbox: Sandbox) -> bool:
    return not try_promises(sandbox.wrap, is_hidden=sandbox.has_stage).problem


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def forms(kind: SandboxKind, landlock: int | None = None) -> Iterator[Sandbox]:
    """Return the ways to build a rung, the best first; with `landlock` no better than kernels of that version can."""
    for has_stage in (True, False) if is_root() else (True,):
        if kind is SandboxKind.BUBBLEWRAP:
            limits = _MOST if shutil.which("prlimit") else None
            for walls in ((*WALLS, NO_SANDBOX_INSIDE), WALLS):
                yield Sandbox(kind, walls, limits, has_stage=has_stage)
        else:
            limits = _MOST if kind is not SandboxKind.NONE else None
            yield Sandbox(kind, limits=limits, has_stage=has_stage, landlock=landlock)


def _obstacle(kind: SandboxKind) -> str:
    """Return why a rung cannot be tried here."""
    if kind is SandboxKind.BUBBLEWRAP:
        return "" if shutil.which("bwrap") else "it is not installed"
    if not is_known_machine():
        return "this kind of processor is not known"
    if kind is SandboxKind.LANDLOCK and not landlock_version():
        return "the kernel does not have it"
    if kind is SandboxKind.OWN_UID and not is_root():
        return "only root can start programs as somebody else"
    return ""
