"""Reads attached files in one process for all files of a mail, so that a broken decoder costs one file only."""

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
from webordinary.jobs.job import FileKind, FileProblem
from webordinary.media.recognise import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.media.limits import MediaLimits

_START_TAKES_AT_MOST = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that is to be looked at."""

    name: str
    declared: str
    content: bytes
    in_signature: bool = False


@dataclass(frozen=True, slots=True)
class MadeVersion:
    """One version that was made of it."""

    content_type: str
    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What became of it."""

    fate: FileKind
    content_type: str = UNKNOWN
    versions: tuple[MadeVersion, ...] = ()
    problem: FileProblem = FileProblem.NONE
    limit: str = ""


def read_files(files: Sequence[UnreadFile], limits: MediaLimits) -> list[ReadFile]:
    """Look at all files in their order; the one at which the process died is refused, and the rest goes on."""
    done: list[ReadFile] = []
    ends_at = time.monotonic() + limits.deadline_together.total_seconds()
    while len(done) < len(files):
        left = ends_at - time.monotonic()
        if left <= 0:
            late = ReadFile(FileKind.REFUSED, problem=FileProblem.TOOK_TOO_LONG)
            return [*done, *[late] * (len(files) - len(done))]
        rest = files[len(done) :]
        with tempfile.TemporaryDirectory() as folder:
            found, finished = _run(rest, limits, Path(folder), timedelta(seconds=left))
        done += found
        if len(found) < len(rest):
            done.append(_broken(finished))
    return done


def _run(
    files: Sequence[UnreadFile], limits: MediaLimits, folder: Path, deadline: timedelta
) -> tuple[list[ReadFile], Finished]:
    """Return what the process told before it ended, however it ended."""
    for number, file in enumerate(files):
        (folder / str(number)).write_bytes(file.content)
    lines: list[dict[str, Any]] = []
    child = Child(
        [sys.executable, "-P", "-s", "-m", "webordinary.media"],
        cwd=folder,
        env=_environment(folder),
        stdin=json.dumps(_asked(files, limits)).encode(),
        on_line=lambda line: lines.append(json.loads(line)),
    )
    with child:
        finished = child.wait(deadline + _START_TAKES_AT_MOST)
    if not lines:
        said = finished.stderr.decode(errors="replace").strip().splitlines()
        raise TryAgain(f"the attached files cannot be looked at: {said[-1] if said else f'code {finished.code}'}")
    return [_result_or_refusal(line, folder) for line in lines[1:]], finished


def _asked(files: Sequence[UnreadFile], limits: MediaLimits) -> dict[str, Any]:
    asked = [
        {"file": str(number), "name": each.name, "declared": each.declared, "in_signature": each.in_signature}
        for number, each in enumerate(files)
    ]
    numbers = asdict(limits) | {"deadline": limits.deadline.total_seconds()}
    return {"files": asked, "limits": {name: value for name, value in numbers.items() if name != "deadline_together"}}


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


def _result_or_refusal(line: dict[str, Any], folder: Path) -> ReadFile:
    try:
        return _result(line, folder)
    except OSError:
        return ReadFile(FileKind.REFUSED, problem=FileProblem.UNREADABLE)


def _result(line: dict[str, Any], folder: Path) -> ReadFile:
    versions = tuple(
        MadeVersion(each["content_type"], _read(folder, str(each["file"])), each["width"], each["height"])
        for each in line["versions"]
    )
    return ReadFile(FileKind(line["fate"]), line["content_type"], versions, FileProblem(line["problem"]), line["limit"])


def _read(folder: Path, name: str) -> bytes:
    """Read what it has laid beside the file; a decoder that was taken over may have told any name and made any link."""
    opened = os.open(folder / Path(name).name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(opened, "rb") as file:
        return file.read()


def _broken(finished: Finished) -> ReadFile:
    is_late = finished.timed_out or finished.code == -signal.SIGALRM
    return ReadFile(FileKind.REFUSED, problem=FileProblem.TOOK_TOO_LONG if is_late else FileProblem.UNREADABLE)
