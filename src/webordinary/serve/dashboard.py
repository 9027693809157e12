"""Keeps the dashboard: its socket is open from the start, its process begins when a browser first knocks."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.child import identity, is_alive
from webordinary.child.companion import Companion
from webordinary.config.live import copy_of
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.config import Config

_STOP_SECONDS = 3
_PAUSE_SECONDS = 1.0
_FOLDER, _ADDRESS = "dashboard", "address"


def address_of(config: Config) -> str | None:
    """Return where the dashboard of this machine waits; None if its keeper is gone, or nobody answers there."""
    try:
        address, keeper = (config.data / _FOLDER / _ADDRESS).read_text(encoding="ascii").split()
        # After a crash another program may have the port by now, and a link is for nobody else.
        if not is_alive(keeper):
            return None
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=_PAUSE_SECONDS):
            return address
    except (OSError, ValueError):
        return None


class DashboardKeeper:
    """One thread that starts the process when it is wanted, and again when it has died."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._socket = _listen(config)
        self._ended, self._end = os.pipe()
        self._thread = threading.Thread(target=self._keep, name="dashboard", daemon=True)

    @property
    def address(self) -> str:
        host, port = self._socket.getsockname()[:2]
        scheme = "http" if self._config.dashboard.certificate is None else "https"
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    def start(self) -> None:
        folder = self._config.data / _FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _ADDRESS).write_text(f"{self.address}\n{identity(os.getpid())}\n", encoding="ascii")
        self._thread.start()

    def wait(self) -> None:
        """Wait until somebody closes it or a signal ends the program."""
        self._thread.join()

    def close(self) -> None:
        """End the process within three seconds."""
        os.write(self._end, b".")
        self._thread.join()
        (self._config.data / _FOLDER / _ADDRESS).unlink(missing_ok=True)
        self._socket.close()
        os.close(self._ended)
        os.close(self._end)

    def _keep(self) -> None:
        while self._ended not in select.select([self._socket.fileno(), self._ended], [], [])[0]:
            child = self._begin()
            ready, _, _ = select.select([child.fileno(), self._ended], [], [])
            if self._ended in ready:
                _stop(child)
                return
            child.bury()
            # What dies at once must not be started all the time.
            if select.select([self._ended], [], [], _PAUSE_SECONDS)[0]:
                return

    def _begin(self) -> Companion:
        number = self._socket.fileno()
        program = [sys.executable, "-m", "webordinary.dashboard.process"]
        arguments = [str(self._config.path), str(copy_of(self._config)), str(os.getpid()), str(number)]
        return Companion([*program, *arguments], surroundings(self._config), keeps=(number,))


def surroundings(config: Config) -> dict[str, str]:
    """Return the environment of the process: its clock is the installation's, by which days are filtered too."""
    return {**os.environ, "TZ": config.timezone}


def _stop(child: Companion) -> None:
    child.signal(signal.SIGTERM)
    if not select.select([child], [], [], _STOP_SECONDS)[0]:
        child.signal(signal.SIGKILL)
    child.bury()


def _listen(config: Config) -> socket.socket:
    wanted = config.dashboard.listen
    try:
        return socket.create_server((wanted.host, wanted.port), family=_family(wanted.host), backlog=128)
    except OSError as problem:
        why = f"The dashboard cannot listen on {wanted}: {problem.strerror or problem}."
        raise Misconfigured(f"{why} End the other program or set dashboard.listen to a free port.") from problem


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
