"""The camera: a process of its own behind walls, so that whatever a page does to a browser costs pictures only."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.child import Child, ResourceLimits
from webordinary.errors import Misconfigured
from webordinary.site.screenshots.shot import PictureLimits, Screen, Shot, Side
from webordinary.workspace.sandbox import SandboxKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import timedelta

    from webordinary.child import Finished
    from webordinary.site.screenshots.shot import View
    from webordinary.workspace.sandbox import Sandbox

_PROGRAM = "webordinary.site.screenshots"
_GIBIBYTE = 1024**3
# Debian's start script reads them.
_OF_BROWSER = (Path("/etc/chromium.d"), Path("/etc/chromium"))
_MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}
_WIDEST = 2000
_PACKAGES = ("site-packages", "dist-packages")


class _Line(msgspec.Struct, frozen=True):
    """What the process tells about one picture, or why there is none."""

    problem: str = ""
    number: int = 0
    screen: Screen = Screen.COMPUTER
    side: Side = Side.AFTER
    file: str = ""
    subtype: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class PicturesTaken:
    """The pictures that there are, and in one sentence why there are not more of them."""

    shots: tuple[Shot, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes pictures with a browser that sees two builds and nothing else."""

    browser: Path
    sandbox: Callable[[], Sandbox]
    scratch: Path
    limits: PictureLimits

    def take(
        self,
        builds: Mapping[Side, Path],
        views: Sequence[View],
        watch: Callable[[Child], None],
        deadline: timedelta | None = None,
    ) -> PicturesTaken:
        """Return what was seen until the deadline; a browser that hangs is ended then, with all that it started."""
        deadline = self.limits.deadline if deadline is None else deadline
        with tempfile.TemporaryDirectory(prefix="pictures-", dir=self.scratch) as folder:
            lines: list[_Line] = []
            try:
                finished = self._run(Path(folder), builds, views, watch, deadline, lines)
            except (Misconfigured, msgspec.MsgspecError) as problem:
                return PicturesTaken(problem=str(problem))
            shots = self._read(Path(folder), lines, views)
        problems = [line.problem for line in lines if line.problem]
        return PicturesTaken(shots, _why(finished, deadline) or next(iter(problems), ""))

    def _run(
        self,
        folder: Path,
        builds: Mapping[Side, Path],
        views: Sequence[View],
        watch: Callable[[Child], None],
        deadline: timedelta,
        lines: list[_Line],
    ) -> Finished:
        sandbox = self.sandbox()
        if sandbox.kind is SandboxKind.OWN_UID:
            raise Misconfigured("a browser needs bubblewrap or Landlock: with a uid of its own alone it sees no site")
        # A browser outside of the system's folders has its files around it.
        shown = (*_ours(), *_OF_BROWSER, self.browser.resolve().parent, *builds.values())
        asked = self._asked(builds, views, deadline, has_walls=sandbox.kind is not SandboxKind.NONE)
        with _short_folder(sandbox) as short:
            argv = sandbox.wrap(
                (sys.executable, "-P", "-s", "-m", _PROGRAM),
                checkout=folder,
                writable=() if sandbox.kind is SandboxKind.BUBBLEWRAP else (short,),
                readable=tuple(path for path in shown if path.exists()),
                # In its own profile it makes one.
                sockets=True,
            )
            child = Child(
                argv,
                cwd=folder,
                env=_environment(short),
                stdin=json.dumps(asked).encode(),
                on_line=lambda line: lines.append(msgspec.json.decode(line, type=_Line)),
                # The folder itself is gone a moment too early for a program that still looks at its disk.
                resource_limits=ResourceLimits(self.scratch, memory=3 * _GIBIBYTE, disk=_GIBIBYTE),
            )
            with child:
                watch(child)
                return child.wait(deadline)

    def _asked(
        self, builds: Mapping[Side, Path], views: Sequence[View], deadline: timedelta, *, has_walls: bool
    ) -> dict[str, Any]:
        return {
            "browser": str(self.browser),
            # As root there are no walls of its own that would hold.
            "has_walls": has_walls or os.geteuid() == 0,
            "builds": {side.value: str(path) for side, path in builds.items()},
            "views": [{"path": view.path, "sides": [side.value for side in view.sides]} for view in views],
            # One page that never comes to rest must not take the time of all others.
            "patience": deadline.total_seconds() / 4,
            "deadline": deadline.total_seconds(),
            "bytes_each": self.limits.bytes_each,
        }

    def _read(self, folder: Path, lines: Sequence[_Line], views: Sequence[View]) -> tuple[Shot, ...]:
        """Read what was told of; a browser that was taken over may have told anything."""
        shots: list[Shot] = []
        left = self.limits.bytes_together
        for line in lines:
            content = _content(folder, line, min(left, self.limits.bytes_each))
            if content is not None and 0 <= line.number < len(views):
                path = views[line.number].path
                shots.append(Shot(path, line.screen, line.side, line.subtype, line.width, line.height, content))
                left -= len(content)
        return tuple(shots)


def _content(folder: Path, line: _Line, most: int) -> bytes | None:
    is_size = 0 < line.width <= _WIDEST and 0 < line.height <= _WIDEST
    if not is_size or line.subtype not in _MAGIC or Path(line.file).name != line.file:
        return None
    try:
        opened = os.open(folder / line.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as file:
            content = file.read(most + 1)
    except OSError:
        return None
    return content if len(content) <= most and content.startswith(_MAGIC[line.subtype]) else None


def _ours() -> list[Path]:
    """Return where our modules and those of the extra lie, and nothing else of what Python would look through.

    A worker that was started in the folder of an installation has that on its list too, with all secrets in it.
    """
    places = dict.fromkeys(Path(place) for place in sys.path if place)
    return [place for place in places if place.name in _PACKAGES or (place / "webordinary" / "__init__.py").is_file()]


@contextmanager
def _short_folder(sandbox: Sandbox) -> Iterator[Path]:
    """Return a place for the browser's profile: it puts a socket there, whose path must not be long."""
    if sandbox.kind is SandboxKind.BUBBLEWRAP:
        # A new one inside, which ends with it.
        yield Path("/tmp")  # noqa: S108 - the same
        return
    with tempfile.TemporaryDirectory(prefix="wo-") as folder:
        yield Path(folder)


def _environment(folder: Path) -> dict[str, str]:
    """Give it what it needs to find our modules, and nothing that anybody could take away from it."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, _ours())),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _why(finished: Finished, deadline: timedelta) -> str:
    if finished.stopped:
        return "they were stopped"
    if finished.timed_out:
        return f"they were not finished in {deadline.total_seconds():g} seconds"
    if finished.exceeded:
        return f"the browser was ended because {finished.exceeded}"
    if finished.code:
        said = finished.stderr.decode(errors="replace").strip().splitlines()
        return f"the browser broke: {said[-1][:200] if said else f'code {finished.code}'}"
    return ""
