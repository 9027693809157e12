"""Child processes: started without a shell, read without blocking, ended with all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import IO, TYPE_CHECKING, Self

from webordinary.child.family import (
    await_namespace,
    find_family,
    freeze,
    holders_of,
    identity,
    is_alive,
    is_stopped,
    kill,
    kill_group,
    thaw,
)
from webordinary.child.pump import Finished, Pump, Tail
from webordinary.child.resource_limits import LimitWatch, ResourceLimits
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "Child",
    "Finished",
    "ResourceLimits",
    "holders_of",
    "identity",
    "is_alive",
    "is_stopped",
    "kill_group",
    "run",
]

_MEBIBYTE = 1024 * 1024
_GRACE = timedelta(seconds=2)
_SANDBOX = "bwrap"


class Child:
    """One running program in a session of its own, which any thread may stop.

    After `stop`, `wait` returns a `Finished` with `stopped` set. `on_line` gets each line of the standard
    output in the reading thread, `on_bytes` each piece and an empty one at the end; if one of them raises, the child
    is killed and `wait` raises the same. Where the
    kernel ends a child with its parent (the sandbox asks for that), the parent is the *thread* that made it.
    """

    def __init__(  # noqa: PLR0913 - a process has this many sides; all but the first are named
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stdin: bytes = b"",
        hold_input: bool = False,
        keep_open: tuple[int, ...] = (),
        limit: int = _MEBIBYTE,
        on_line: Callable[[str], None] | None = None,
        on_bytes: Callable[[bytes], None] | None = None,
        resource_limits: ResourceLimits | None = None,
        ask_to_stop: Callable[[], bytes] | None = None,
        stays_in_group: bool = False,
    ) -> None:
        self._process = _start(argv, cwd, env, keep_open)
        self.pid = self._process.pid
        self.identity = identity(self.pid)
        self._ask_to_stop = ask_to_stop
        self._stays_in_group = stays_in_group
        self._folder, self._in_sandbox = cwd, _SANDBOX in argv
        self._reaping = threading.Lock()
        self._reaped = self._stopped = self._timed_out = False
        self._pump = Pump(self.pid, _pipes(self._process), (Tail(limit, on_line, on_bytes), Tail(limit)), self._bury)
        self.send(stdin)
        if not hold_input:
            self.end_input()
        self._pump.start()
        self._limit_watch = (
            LimitWatch(self.identity, resource_limits, lambda: self._end(timedelta(0))) if resource_limits else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(timedelta(0))

    def send(self, data: bytes) -> None:
        """Queue bytes for the standard input; never blocks, and says nothing if nobody listens."""
        self._pump.send(data)

    def end_input(self) -> None:
        self._pump.end_input()

    def wait(self, deadline: timedelta | None = None) -> Finished:
        """Wait for the end; a child that still runs after the deadline is ended with its family."""
        if not self._pump.ended.wait(None if deadline is None else deadline.total_seconds()):
            self._timed_out = True
            self._end(_GRACE)
        exceeded = self._end_limit_watch()
        if self._pump.failure is not None:
            raise self._pump.failure
        timed_out = self._timed_out and not self._stopped
        return replace(self._pump.finished(), stopped=self._stopped, timed_out=timed_out, exceeded=exceeded)

    def stop(self, grace: timedelta) -> None:
        """Ask the whole group to end, wait for the grace time, kill what is left and see it dead."""
        self._end_limit_watch()
        if not self._pump.ended.is_set():
            self._stopped = True
            if not self._leaves_when_asked(grace):
                self._end(grace)

    def _leaves_when_asked(self, grace: timedelta) -> bool:
        """Ask on its own input first where it understands that: it can still put its things in order then."""
        if self._ask_to_stop is None or not grace:
            return False
        self.send(self._ask_to_stop())
        if self._pump.ended.wait(grace.total_seconds()):
            return True
        self._interrupt_inner()
        return self._pump.ended.wait(grace.total_seconds())

    def _interrupt_inner(self) -> None:
        """Send Ctrl-C to the program itself: a sandbox around it would just end and take it along."""
        for entry in find_family(self.identity):
            if entry.name != _SANDBOX:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(entry.pid, signal.SIGINT)

    def _end_limit_watch(self) -> str:
        if self._limit_watch is None:
            return ""
        self._limit_watch.close()
        return self._limit_watch.problem

    def _end(self, grace: timedelta) -> None:
        # Looked up now: once the leader is dead nobody can tell whose children the others were.
        family = freeze(self.identity)
        if grace:
            self._signal_group(signal.SIGTERM)
            thaw(family)
            self._pump.ended.wait(grace.total_seconds())
            family = freeze(self.identity, *(entry.identity for entry in family))
        self._signal_group(signal.SIGKILL)
        kill(family)
        self._pump.ended.wait()

    def _signal_group(self, signum: signal.Signals) -> None:
        with self._reaping, suppress(ProcessLookupError, PermissionError):
            # A reaped leader's number may already name somebody else's group.
            if not self._reaped:
                os.killpg(self.pid, signum)

    def _bury(self) -> int:
        """Leave nothing of a child behind that has left: it could go on writing into a checkout."""
        self._signal_group(signal.SIGKILL)
        if not self._stays_in_group:
            # Looks through all processes of the machine, which takes longer than most git commands.
            kill_group(self.identity)
        if self._in_sandbox:
            await_namespace(self._folder)
        with self._reaping:
            self._reaped = True
            return self._process.wait()


def run(  # noqa: PLR0913 - as many sides as a process has; all but the first are named
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    deadline: timedelta | None = None,
    keep_open: tuple[int, ...] = (),
    limit: int = _MEBIBYTE,
    stays_in_group: bool = False,
) -> Finished:
    """Start a program, wait for it and return how it ended.

    With `stays_in_group` it is known to start nothing that leaves its group, so that nobody is searched for elsewhere.
    """
    with Child(
        argv, cwd=cwd, env=env, stdin=stdin, keep_open=keep_open, limit=limit, stays_in_group=stays_in_group
    ) as child:
        return child.wait(deadline)


def _start(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], keep_open: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - an argument list, never a shell
            list(argv),
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            pass_fds=keep_open,
        )
    except OSError as problem:
        if not cwd.is_dir():
            message = f"The folder {cwd} does not exist, so {argv[0]!r} cannot run in it."
        else:
            message = f"The program {argv[0]!r} cannot be started ({problem.strerror}); install or correct it."
        raise Misconfigured(message) from problem


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    if stdin is None or stdout is None or stderr is None:
        raise AssertionError("all three streams were asked for")
    return stdin, stdout, stderr
