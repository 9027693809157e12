"""A person at a real terminal in front of the program: what is typed goes through its line, Ctrl+C too."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.child import kill_group
from webordinary.child.family import identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.inside import InsideProgram

# A question's key with what Enter means, a secret, or a sentence to agree to.
_WAITS = re.compile(r"(?:^|\n)(?:  [a-z_]+(?: \[[^\n]*\])?: |  \(not shown\): |[^\n]*\[yes\] )\Z")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Typist:
    """One program at one terminal; everything that stood on the screen is kept."""

    process: subprocess.Popen[bytes]
    line: int
    screen: str = ""
    _read: int = 0

    def hears(self, words: str) -> str:
        """Wait until these words stand on the screen, behind what was heard before; return all up to them."""
        while (found := self.screen.find(words, self._read)) < 0:
            assert self._look(), f"it ended without saying {words!r}:\n{self.screen}"
        before, self._read = self._read, found + len(words)
        return self.screen[before : self._read]

    def types(self, *lines: str) -> None:
        """Type lines, each when a question waits for it."""
        for line in lines:
            self.waits()
            self._read = len(self.screen)
            self.sends(f"{line}\r")

    def waits(self) -> None:
        """Wait until a question waits at the end of the screen."""
        while not _WAITS.search(self.screen, self._read):
            assert self._look(), f"it ended without a question:\n{self.screen}"

    def sends(self, keys: str) -> None:
        os.write(self.line, keys.encode())

    def interrupts(self) -> int:
        """Press Ctrl+C and return how it ended."""
        self.sends("\x03")
        return self.ends()

    def ends(self) -> int:
        while self._look():
            pass
        return self.process.wait()

    def _look(self) -> bool:
        """Read what is new; whether there can be more."""
        assert select.select([self.line], [], [], 45)[0], f"it says nothing any more:\n{self.screen}"
        try:
            new = os.read(self.line, 65_536)
        except OSError:
            # Nobody holds the other end.
            return False
        self.screen += _COLOURS.sub("", new.decode(errors="replace")).replace("\r\n", "\n")
        return bool(new)


@contextmanager
def at_a_terminal(program: InsideProgram, *words: str, module: str = "webordinary.cli") -> Iterator[Typist]:
    """Start the program at a terminal of its own; its whole family is gone at the end of the block."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=program.folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **program.environment, "TERM": "dumb", "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        preexec_fn=_take_the_terminal,  # noqa: PLW1509 - one call of the system, and no lock is taken
    )
    os.close(theirs)
    who = identity(process.pid)
    try:
        yield Typist(process, ours)
    finally:
        kill_group(who)
        process.wait()
        os.close(ours)


def _take_the_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
