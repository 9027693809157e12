"""The build: the project's own command in the sandbox, and a clean copy of what it produced."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import Child, ResourceLimits
from webordinary.clock import say_duration
from webordinary.errors import BuildFailed, Interrupted, Misconfigured
from webordinary.routing.project import Size
from webordinary.site.release.release import copy_whole, told_plainly
from webordinary.workspace.extent import Bound, find_excess
from webordinary.workspace.installation import private_places
from webordinary.workspace.leaving import fresh_folder, take_powers

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from webordinary.child import Finished
    from webordinary.site.release.dependencies import Installed
    from webordinary.site.release.release import KnownRelease
    from webordinary.workspace.extent import Excess
    from webordinary.workspace.sandbox import Sandbox

_NOTES = frozenset({"WEBORDINARY.md", "CLAUDE.md"})
# The one hidden folder that browsers and certificate authorities ask for.
_WELL_KNOWN = ".well-known"
_LAST_LINES, _LONGEST_LAST_LINES = 40, 8_000
MOST_MEMORY = 4 * 1024**3
_USUAL_SIZE = Size()
_CONFIGURED = frozenset({Bound.FILES, Bound.BYTES, Bound.LARGEST})
_NO_SUCH_PROGRAM = 127


class BuildBroke(BuildFailed):
    """The site's build ended with an error; `details` is for the operator and never for an owner."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class SiteBroken(BuildBroke):
    """The build ran and could not make a site of these files: what an edit has broken another one can mend."""


class TooMuch(BuildBroke):
    """The built site is larger than the project allows, or has names that nobody could be told."""

    def __init__(self, excess: Excess, details: str = "") -> None:
        hint = "; what a site may have stands in [project.size]" if excess.bound in _CONFIGURED else ""
        super().__init__(f"the built site cannot be published: {excess}{hint}", details)
        self.excess = excess


def build_site(  # noqa: PLR0913 - a build has this many sides; all but the first three are named
    checkout: Path,
    command: tuple[str, ...],
    output: str,
    *,
    deadline: timedelta,
    sandbox: Callable[[], Sandbox],
    into: Path,
    watch: Callable[[Child], None],
    keep_open: tuple[int, ...] = (),
    installed: Installed | None = None,
    memory: int = MOST_MEMORY,
    size: Size = _USUAL_SIZE,
    like: KnownRelease | None = None,
    digests: dict[str, str] | None = None,
    hear: Callable[[bytes], None] = lambda _: None,
) -> Path:
    """Build the site and return a copy of the result that the checkout can no longer change.

    What `like` has already is shared with it, and the digests of all files are noted for the caller. However the
    command ends, `hear` is told the end of what it said. The command
    keeps the descriptors in `keep_open`: with the lane's lock nobody else enters while it runs.
    """
    with told_plainly(into.parent):
        details = ""
        if command:
            into.parent.mkdir(parents=True, exist_ok=True)
            with fresh_folder(into.parent, "build-") as home:
                if installed is not None:
                    installed.lay_into(checkout)
                resource_limits = ResourceLimits(checkout, memory=memory)
                surroundings = _Surroundings(home, sandbox(), resource_limits, keep_open, installed, hear)
                details = _run(checkout, command, deadline, surroundings, watch)
        built = _find_output(checkout, output, details)
        is_source = not command or built == checkout.resolve()
        leaves_out = _leaves_out_of_source if is_source else _leaves_out
        if (excess := find_excess(built, size, leaves_out=leaves_out)) is not None:
            raise TooMuch(excess, details)
        if copy_whole(built, into, BuildBroke, leaves_out=leaves_out, like=like, digests=digests) == 0:
            raise SiteBroken(f"the built site is empty: there is not one file in {output!r}", details)
    return into


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a build command is put into."""

    home: Path
    sandbox: Sandbox
    resource_limits: ResourceLimits
    keep_open: tuple[int, ...]
    installed: Installed | None
    hear: Callable[[bytes], None]

    def environment(self) -> dict[str, str]:
        """Hand on nothing of our own environment: it may hold the keys of the agent."""
        path = os.environ.get("PATH", os.defpath)
        env = {"PATH": path, **private_places(self.home), "LANG": "C.UTF-8", "CI": "1"}
        return env | (self.installed.surroundings(path) if self.installed else {})

    @property
    def readable(self) -> tuple[Path, ...]:
        return self.installed.shown if self.installed else ()


def _run(
    checkout: Path,
    command: tuple[str, ...],
    deadline: timedelta,
    around: _Surroundings,
    watch: Callable[[Child], None],
) -> str:
    """Run the command to its end and return the last lines it wrote."""
    environment = around.environment()
    argv = around.sandbox.wrap(command, checkout=checkout, writable=(around.home,), readable=around.readable)
    try:
        child = Child(
            argv, cwd=checkout, env=environment, keep_open=around.keep_open, resource_limits=around.resource_limits
        )
    except Misconfigured as missing:
        raise _no_such_program(command, str(missing)) from missing
    try:
        with child:
            watch(child)
            finished = child.wait(deadline)
    finally:
        take_powers(checkout)
    around.hear(_said(finished))
    return _judge(finished, command, deadline)


def _judge(finished: Finished, command: tuple[str, ...], deadline: timedelta) -> str:
    details = last_lines(finished)
    if finished.stopped:
        raise Interrupted("the build was stopped")
    if finished.exceeded:
        raise BuildBroke(f"the build was ended because {finished.exceeded}", details)
    if finished.timed_out:
        raise BuildBroke(f"the build did not come to an end in {say_duration(deadline)}", details)
    if finished.code == _NO_SUCH_PROGRAM or (finished.code and f"execvp {command[0]}:" in details):
        raise _no_such_program(command, details)
    if finished.code:
        raise SiteBroken(f"the site's build ended with an error (code {finished.code})", details)
    return details


def _no_such_program(command: tuple[str, ...], details: str) -> BuildBroke:
    return BuildBroke(
        f"the build command {' '.join(command)!r} needs a program that does not exist on this machine", details
    )


def last_lines(finished: Finished) -> str:
    """Return the end of what a program has said."""
    text = _said(finished).decode(errors="replace")
    # A line of its own may be as long as everything.
    return "\n".join(text.splitlines()[-_LAST_LINES:])[-_LONGEST_LAST_LINES:].strip()


def _said(finished: Finished) -> bytes:
    return (finished.stdout + b"\n" + finished.stderr).strip()


def _find_output(checkout: Path, output: str, details: str) -> Path:
    """Return the folder of the built site, which a link must not lead out of the checkout."""
    root = checkout.resolve()
    built = Path(os.path.realpath(root / output))
    if not built.is_relative_to(root) or ".git" in built.relative_to(root).parts:
        raise BuildBroke(f"the built site {output!r} lies outside of the project", details)
    if not built.is_dir():
        raise SiteBroken(f"the build made no folder {output!r}", details)
    return built


def _leaves_out(name: str) -> bool:
    return name in _NOTES or (name.startswith(".") and name != _WELL_KNOWN)


def _leaves_out_of_source(name: str) -> bool:
    return name == "node_modules" or _leaves_out(name)
