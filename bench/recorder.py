"""Which programs and copies a job consists of, and how long the same ones take without us."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary import child
from webordinary.site.release import build, release
from webordinary.site.targets import folder as folder_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.workspace.sandbox import Sandbox

# With the same moment in every commit the same commands make the same commits again.
_ONE_MOMENT = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}


class Differs(AssertionError):
    """A command ended otherwise than in the job, so its time means nothing."""


@dataclass(frozen=True, slots=True)
class Command:
    """One program as it was started, and its exit code."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    stdin: bytes
    started: child.Child

    @property
    def is_git(self) -> bool:
        return self.argv[0] == "git"


@dataclass
class Recording:
    """Everything that was started between two moments, in order; and how often a whole site was copied."""

    commands: list[Command] = field(default_factory=list)
    copies: int = 0

    @property
    def sandboxes(self) -> int:
        return sum(not command.is_git for command in self.commands)


@contextmanager
def recorded(sandbox: Sandbox) -> Iterator[Recording]:
    """Write down what is started and copied inside the block, in every thread.

    The scripted agent is our own and has no walls around it; here it gets them, as every other agent has.
    """
    recording = Recording()
    begin, copy = child.Child.__init__, release.copy_whole

    def noted(self: child.Child, argv: Any, *, env: Any, cwd: Path, stdin: bytes = b"", **rest: Any) -> None:  # noqa: ANN401 - whatever it takes
        if argv[0] == "git":
            env = {**env, **_ONE_MOMENT}
        else:
            argv = sandbox.wrap(argv, checkout=cwd, readable=_ours())
        begin(self, argv, env=env, cwd=cwd, stdin=stdin, **rest)
        recording.commands.append(Command(tuple(argv), cwd, dict(env), stdin, self))

    def counted(*arguments: Any, **rest: Any) -> int:  # noqa: ANN401 - the same
        recording.copies += 1
        return copy(*arguments, **rest)

    _set(noted, counted)
    try:
        yield recording
    finally:
        _set(begin, copy)


def _ours() -> tuple[Path, ...]:
    """Return where our own modules lie."""
    return tuple(path for path in map(Path, sys.path) if path.is_dir() and not path.is_relative_to("/usr"))


def _set(begin: Any, copy: Any) -> None:  # noqa: ANN401 - functions of others
    child.Child.__init__ = begin  # type: ignore[method-assign]  # a benchmark looks inside
    folder_target.copy_whole = copy  # type: ignore[attr-defined]  # the same
    build.copy_whole = copy  # type: ignore[attr-defined]  # the same


@dataclass(frozen=True, slots=True)
class Bare:
    """The same work without us: where it happens, what the agent did, and the site that was copied."""

    edited: Mapping[Path, bytes]
    site: Path
    sandbox: Sandbox
    scratch: Path

    def replay(self, recording: Recording) -> float:
        """Return the seconds of the same git commands, as many copies and a sandbox around nothing for each start."""
        return sum(self._run(command) for command in recording.commands) + sum(
            self._copy() for _ in range(recording.copies)
        )

    def _run(self, command: Command) -> float:
        if command.is_git:
            _make_way(command)
            return _timed(command.argv, command)
        # A folder of its own: where we are root it is given to somebody else.
        inside = self.scratch / "inside"
        inside.mkdir(exist_ok=True)
        took = _timed(self.sandbox.wrap(("true",), checkout=inside), None, inside)
        for path, content in self.edited.items():
            path.write_bytes(content)
        return took

    def _copy(self) -> float:
        into = self.scratch / "copy"
        began = time.perf_counter()
        shutil.copytree(self.site, into)
        took = time.perf_counter() - began
        shutil.rmtree(into)
        return took


def _make_way(command: Command) -> None:
    """Make the folders that we would have made."""
    prefixes = [word.removeprefix("--prefix=") for word in command.argv if word.startswith("--prefix=")]
    index = command.env.get("GIT_INDEX_FILE")
    for folder in (command.cwd, *map(Path, prefixes), *([Path(index).parent] if index else [])):
        folder.mkdir(parents=True, exist_ok=True)


def _timed(argv: tuple[str, ...], command: Command | None, folder: Path | None = None) -> float:
    env = dict(command.env) if command else {"PATH": os.environ.get("PATH", os.defpath)}
    cwd, stdin = (command.cwd, command.stdin) if command else (folder, b"")
    began = time.perf_counter()
    ended = subprocess.run(argv, cwd=cwd, env=env, input=stdin, capture_output=True, check=False)  # noqa: S603 - as recorded
    took = time.perf_counter() - began
    if command is not None and ended.returncode != command.started.wait().code:
        raise Differs(f"{' '.join(argv)[:200]} ended with {ended.returncode}: {ended.stderr.decode()[:200]}")
    return took
