"""A trial: what a sandbox promises is found out by trying it on this machine, and from no table of versions."""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import socket
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.child import run
from webordinary.errors import Misconfigured
from webordinary.workspace.confined import probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONGEST = timedelta(seconds=30)
_CREATE, _REMOVE, _FOR_ALL = 0o1000, 0, 0o666
# Where every program on a machine may write.
SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - they are looked at, nothing of ours is in there


class Promise(StrEnum):
    """What a sandbox has to keep; the value is what a program could do where it does not."""

    READ = "read files beside its checkout"
    WRITE = "write where other programs look"
    EMPTY = "empty files of others"
    CONNECT = "connect to the network"
    MODEL = "connect to more than its model"
    SIGNAL = "end the worker"
    LOOK = "look into the worker"
    MEMORY = "share memory with other programs"
    REPOSITORY = "rename the repository"
    IDENTITY = "act as root"


_BY_NAME = {promise.name.lower(): promise for promise in Promise}


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What came out of a trial: why nothing runs at all, or which promises are not kept."""

    problem: str = ""
    broken: frozenset[Promise] = field(default_factory=frozenset)


def try_promises(wrap: Callable[..., tuple[str, ...]], *, is_hidden: bool, port: int | None = None) -> TrialResult:
    """Attack this machine from inside a sandbox, without harm, and return what worked.

    `wrap` is the sandbox's own. With `port` that port is opened for it, as for an agent with a model, and only what it
    can reach then is asked about. With `is_hidden` the trial lies behind a closed door, as an installation's data does.
    """
    with (
        tempfile.TemporaryDirectory(prefix="trial-") as folder,
        tempfile.TemporaryDirectory(prefix="trial-", dir=_elsewhere()) as outside,
        _surroundings(Path(outside), port) as asked,
    ):
        Path(folder).chmod(0o700 if is_hidden else 0o711)
        checkout = Path(folder, "checkout")
        checkout.mkdir()
        (checkout / ".git").write_text("gitdir: elsewhere\n")
        try:
            said = _run(wrap, checkout, asked, port)
        except Misconfigured as missing:
            return TrialResult(problem=str(missing))
        if not said.startswith("["):
            return TrialResult(problem=said)
        worked = {_BY_NAME[name] for name in json.loads(said)} | _traces(checkout, asked)
    if port is not None:
        return TrialResult(broken=frozenset({Promise.MODEL}) if Promise.CONNECT in worked else frozenset())
    return TrialResult(broken=frozenset(worked))


def _run(wrap: Callable[..., tuple[str, ...]], checkout: Path, asked: dict[str, Any], port: int | None) -> str:
    program = (sys.executable, "-I", "-S", probe.__file__, json.dumps(asked))
    argv = wrap(program, checkout=checkout, readable=(Path(probe.__file__),), port=port)
    tried = run(argv, cwd=checkout, env={"PATH": os.environ.get("PATH", os.defpath)}, deadline=_LONGEST)
    if tried.succeeded:
        return tried.stdout.decode()
    lines = tried.stderr.decode(errors="replace").strip().splitlines()
    return (lines or [f"it ended with code {tried.code}"])[-1]


def _traces(checkout: Path, asked: dict[str, Any]) -> set[Promise]:
    """Look at what it left: files where others look, and whose its work is."""
    left = [place for place in (Path(folder, asked["mark"]) for folder in asked["shared"]) if place.exists()]
    for place in left:
        place.unlink()
    found = {Promise.WRITE} if left else set()
    return found | ({Promise.IDENTITY} if (checkout / "page").stat().st_uid == 0 else set())


def _elsewhere() -> str | None:
    """Return a folder that is not covered with a new one for anybody; else the usual one has to do."""
    return next((place for place in ("/run", "/var/lib") if os.access(place, os.W_OK)), None)


@contextmanager
def _surroundings(folder: Path, open_port: int | None) -> Iterator[dict[str, Any]]:
    """Lay out what must be out of reach, and say where it is."""
    folder.chmod(0o711)
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    for name in ("secret", "open_file"):
        (folder / name).write_text("a secret")
    (folder / "secret").chmod(0o600)
    (folder / "open_file").chmod(0o666)
    # A port that was opened may lead to the model: to nobody else who listens there on another address.
    places = [("127.0.0.1", 0), *([("127.0.0.2", open_port)] if open_port is not None else [])]
    with ExitStack() as servers, _segment() as key:
        listening = [servers.enter_context(socket.create_server(place)).getsockname() for place in places]
        yield {
            "secret": str(folder / "secret"),
            "open_file": str(folder / "open_file"),
            "shared": [str(folder / "open"), *SHARED],
            "listening": listening,
            "worker": os.getpid(),
            "memory": key,
            "mark": f"trial-{secrets.token_hex(8)}",
        }


@contextmanager
def _segment() -> Iterator[int]:
    """Give the number of a piece of memory that everybody may share."""
    libc = ctypes.CDLL(None)
    key = secrets.randbelow(2**30) + 1
    segment = libc.shmget(key, 4096, _CREATE | _FOR_ALL)
    try:
        yield key
    finally:
        if segment >= 0:
            libc.shmctl(segment, _REMOVE, None)
