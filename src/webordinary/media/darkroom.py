"""The darkroom: a process of its own for all files of a mail, so that a broken decoder costs one file only."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.child import Child, Finished
from webordinary.errors import TryAgain
from webordinary.jobs.job import Fate, Problem
from webordinary.media.recognise import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.media.limits import MediaLimits

_START_TAKES_AT_MOST = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Negative:
    """A file that is to be looked at."""

    name: str
    declared: str
    content: bytes
    in_signature: bool = False


@dataclass(frozen=True, slots=True)
class Print:
    """One version that was made of it."""

    content_type: str
    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Developed:
    """What became of it."""

    fate: Fate
    content_type: str = UNKNOWN
    prints: tuple[Print, ...] = ()
    problem: Problem = Problem.NONE
    limit: str = ""


def develop_all(negatives: Sequence[Negative], limits: MediaLimits) -> list[Developed]:
    """Look at all files in their order; the one at which the process died is refused, and the rest goes on."""
    developed: list[Developed] = []
    ends_at = time.monotonic() + limits.deadline_together.total_seconds()
    while len(developed) < len(negatives):
        left = ends_at - time.monotonic()
        if left <= 0:
            late = Developed(Fate.REFUSED, problem=Problem.TOOK_TOO_LONG)
            return [*developed, *[late] * (len(negatives) - len(developed))]
        rest = negatives[len(developed) :]
        with tempfile.TemporaryDirectory() as folder:
            found, finished = _run(rest, limits, Path(folder), timedelta(seconds=left))
        developed += found
        if len(found) < len(rest):
            developed.append(_broken(finished))
    return developed


def _run(
    negatives: Sequence[Negative], limits: MediaLimits, folder: Path, deadline: timedelta
) -> tuple[list[Developed], Finished]:
    """Return what the process told before it ended, however it ended."""
    for number, negative in enumerate(negatives):
        (folder / str(number)).write_bytes(negative.content)
    lines: list[dict[str, Any]] = []
    child = Child(
        [sys.executable, "-P", "-s", "-m", "webordinary.media"],
        cwd=folder,
        env=_environment(folder),
        stdin=json.dumps(_asked(negatives, limits)).encode(),
        on_line=lambda line: lines.append(json.loads(line)),
    )
    with child:
        finished = child.wait(deadline + _START_TAKES_AT_MOST)
    if not lines:
        said = finished.stderr.decode(errors="replace").strip().splitlines()
        raise TryAgain(f"the attached files cannot be looked at: {said[-1] if said else f'code {finished.code}'}")
    return [_developed_safely(line, folder) for line in lines[1:]], finished


def _asked(negatives: Sequence[Negative], limits: MediaLimits) -> dict[str, Any]:
    files = [
        {"file": str(number), "name": each.name, "declared": each.declared, "in_signature": each.in_signature}
        for number, each in enumerate(negatives)
    ]
    numbers = asdict(limits) | {"deadline": limits.deadline.total_seconds()}
    return {"files": files, "limits": {name: value for name, value in numbers.items() if name != "deadline_together"}}


def _environment(folder: Path) -> dict[str, str]:
    """Give it what it needs to find our modules, and nothing that anybody could take away from it."""
    ours = os.pathsep.join(place for place in sys.path if place)
    return {
        "PATH": os.defpath,
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": ours,
        "PYTHONDONTWRITEBYTECODE": "1",
        # Each thread would reserve an arena of its own, which counts as memory.
        "MALLOC_ARENA_MAX": "2",
    }


def _developed_safely(line: dict[str, Any], folder: Path) -> Developed:
    try:
        return _developed(line, folder)
    except OSError:
        return Developed(Fate.REFUSED, problem=Problem.UNREADABLE)


def _developed(line: dict[str, Any], folder: Path) -> Developed:
    prints = tuple(
        Print(each["content_type"], _read(folder, str(each["file"])), each["width"], each["height"])
        for each in line["versions"]
    )
    return Developed(Fate(line["fate"]), line["content_type"], prints, Problem(line["problem"]), line["limit"])


def _read(folder: Path, name: str) -> bytes:
    """Read what it has laid beside the file; a decoder that was taken over may have told any name and made any link."""
    opened = os.open(folder / Path(name).name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(opened, "rb") as file:
        return file.read()


def _broken(finished: Finished) -> Developed:
    is_late = finished.timed_out or finished.code == -signal.SIGALRM
    return Developed(Fate.REFUSED, problem=Problem.TOOK_TOO_LONG if is_late else Problem.UNREADABLE)
