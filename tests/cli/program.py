"""The program in a folder of its own, started as a person starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.child import kill_group
from webordinary.child.family import identity

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = [sys.executable, "-m", "webordinary.cli"]


@dataclass
class Started:
    """A program that runs, and what it has said so far."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def line_with(self, words: str) -> str:
        """Wait until it says a line with these words."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if words in line:
                return line
        raise AssertionError(f"it ended without saying {words!r}:\n" + "\n".join(self.lines))

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal, hear the rest and return the exit code."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        self.lines += [line.rstrip() for line in self.process.stdout]
        return self.process.wait()

    @property
    def said(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Program:
    """Runs commands in one folder, and nothing of them outlives the test."""

    folder: Path

    def run(self, *arguments: str, code: int = 0, stdin: bytes = b"") -> str:
        """Run a command to its end, check its exit code, and return what it said; errors follow the rest."""
        run = subprocess.run(
            [*COMMAND, *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            check=False,
            env=self._environment(),
        )
        said = (run.stdout + run.stderr).decode()
        assert "Traceback" not in said, said
        assert run.returncode == code, said
        return said

    def python(self, code: str) -> int:
        """Run a line of Python where the program would run, and return its exit code."""
        return subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=False).returncode

    def read(self, *arguments: str) -> Any:  # noqa: ANN401 - whatever JSON can be
        """Run a command with --json and return what it printed."""
        return json.loads(self.run(*arguments, "--json"))

    @contextmanager
    def start(self, *arguments: str, module: str = "webordinary.cli") -> Iterator[Started]:
        """Start a command that goes on until it is ended; its whole family is gone at the end of the block."""
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment(),
            start_new_session=True,
        )
        who = identity(process.pid)
        try:
            yield Started(process)
        finally:
            kill_group(who)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def processes(self) -> list[str]:
        """Return the command lines of all processes that name this folder."""
        return list(self._processes())

    def kill(self, words: str) -> None:
        """Kill the one process that names this folder and these words."""
        (pid,) = [pid for line, pid in self._processes().items() if words in line]
        os.kill(pid, signal.SIGKILL)

    def _processes(self) -> dict[str, int]:
        found = {}
        for entry in Path("/proc").iterdir():
            # A process that ends while we look has nothing to read.
            with suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if entry.name.isdecimal() and str(self.folder) in line:
                    found[line] = int(entry.name)
        return found

    def _environment(self) -> dict[str, str]:
        # An ordinary terminal's width must not decide what a test sees.
        return {**os.environ, "COLUMNS": "80", "TERM": "dumb"}
