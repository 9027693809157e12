"""A server of somebody else's, kept for as long as this process lives: `python -m tests.rigs.kept PROGRAM …`."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.tree import ROOT
from webordinary.child import Child

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOST = "127.0.0.1"
_STARTING_SECONDS = 60.0
_LOOK_AGAIN_SECONDS = 0.05


class Kept:
    """A server on a port of its own; it ends with us, also when we are killed, because then its input ends."""

    def __init__(self, program: Sequence[str], port: int, environment: Mapping[str, str]) -> None:
        self._child = Child(
            [sys.executable, "-m", "tests.rigs.kept", *program], cwd=ROOT, env=environment, hold_input=True
        )
        self.endpoint = f"http://{HOST}:{port}"
        self.pid = self._child.pid
        try:
            self._await(port)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._child.stop(timedelta(seconds=2))

    def _await(self, port: int) -> None:
        pause = threading.Event()
        for _ in range(int(_STARTING_SECONDS / _LOOK_AGAIN_SECONDS)):
            with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
                return
            pause.wait(_LOOK_AGAIN_SECONDS)
        self.close()
        raise AssertionError(self._child.wait().stderr.decode(errors="replace")[-2000:])


def main(program: list[str]) -> None:
    """Run the program until our input ends."""
    with subprocess.Popen(program, stdin=subprocess.DEVNULL) as server:
        sys.stdin.buffer.read()
        server.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
