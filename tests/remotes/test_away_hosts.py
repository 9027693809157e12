"""A site whose host is away waits for it, however often it is tried, and goes live by itself when the host is back."""

from __future__ import annotations

import getpass
import socket
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.programs import need
from tests.remotes.ftp_server import USER, ftp_server
from tests.remotes.relay import carry
from tests.remotes.ssh_server import ssh_server
from tests.rigs.embedded import EmbeddedRig
from webordinary.jobs.job import Outcome, State
from webordinary.serve.assemble import attempt_of
from webordinary.testing.story import AGENCY, BAKERY, SCOTT, Story, wait_for
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from webordinary.jobs.job import Job

# More often than a job is tried, and often enough for the agency to hear of it.
_OFTEN = 6


class Line:
    """A port at which nobody answers, until it leads to a server."""

    def __init__(self) -> None:
        self._door = socket.socket()
        # Taken at once, so that nobody else gets it; who calls is refused.
        self._door.bind(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._carrying: threading.Thread | None = None

    def open(self, to: int) -> None:
        self._door.listen()
        self._carrying = threading.Thread(target=carry, args=(self._door, to), daemon=True)
        self._carrying.start()

    def close(self) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        if self._carrying is not None:
            self._carrying.join()
        self._door.close()


@contextmanager
def rsync_host(folder: Path, line: Line) -> Iterator[tuple[int, str, Path]]:
    need("rsync")
    with ssh_server(folder / "sshd") as server:
        key = f'ssh_key_file = "{server.key}"\nhost_keys = ["{server.host_key}"]'
        to = f"ssh://{getpass.getuser()}@127.0.0.1:{line.port}{folder / 'host'}"
        yield server.port, f'target = "rsync"\nto = "{to}"\n{key}', folder / "host" / "live"


@contextmanager
def sftp_host(folder: Path, line: Line) -> Iterator[tuple[int, str, Path]]:
    with rsync_host(folder, line) as (port, where, _):
        (folder / "host").mkdir()
        yield port, where.replace('"rsync"', '"sftp"').replace('/host"', '/host/public"'), folder / "host" / "public"


@contextmanager
def ftps_host(folder: Path, line: Line) -> Iterator[tuple[int, str, Path]]:
    (folder / "host" / "public").mkdir(parents=True)
    with ftp_server(folder / "ftp") as server:
        to = f"ftps://{USER}@127.0.0.1:{line.port}{folder / 'host' / 'public'}"
        known = f'certificates = "{server.certificates}"\npassword_file = "{server.password_file}"'
        yield server.port, f'target = "ftps"\nto = "{to}"\n{known}', folder / "host" / "public"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[EmbeddedRig]:
    rig = EmbeddedRig(tmp_path)
    yield rig
    rig.close()


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.close()


@contextmanager
def quick_worker(rig: EmbeddedRig) -> Iterator[None]:
    """Let a worker of this process look at once whether an outage is over."""
    here, chores = rig.here, rig.here.chores("w1")
    limits = replace(here.limits, outage=(timedelta(milliseconds=20),), backoff=())
    worker = Worker("w1", here.engine, replace(attempt_of(here, chores), limits=limits), here.clock, limits)
    thread = threading.Thread(target=worker.run)
    chores.start()
    thread.start()
    try:
        yield
    finally:
        worker.drain()
        thread.join()
        chores.close()


@pytest.mark.thorough
@pytest.mark.parametrize("host", [rsync_host, sftp_host, ftps_host])
def test_a_host_that_is_away_costs_no_try_and_is_told_and_the_site_goes_live_when_it_is_back(
    host: Callable[[Path, Line], AbstractContextManager[tuple[int, str, Path]]],
    rig: EmbeddedRig,
    line: Line,
    tmp_path: Path,
) -> None:
    story = Story(rig)

    def job() -> Job:
        return rig.jobs()[0]

    def see(what: str, look: Callable[[], object]) -> None:
        wait_for(lambda: look() or None, what, lambda: f"{job().state} {job().attempt} {job().error}")

    with host(tmp_path, line) as (port, where, live):
        place = f'{where}\nurl = "https://www.bakery.example/"'
        settings = {"agency": f'address = "{AGENCY.address}"'}
        story.begin(replace(BAKERY, where=place), settings=settings, workers=0)
        mail = story.writes(SCOTT, "We open at nine now")
        with quick_worker(rig):
            see("the outage", lambda: (job().journal.waited_for_others or 0) >= _OFTEN or not job().state.is_live)
            assert job().state in {State.QUEUED, State.RUNNING}, job().error
            see("what the agency is told", lambda: rig.mailbox(AGENCY.address))
            line.open(port)
            ended = story.waits_for_job(mail)
        assert (ended.outcome, ended.attempt) == (Outcome.PUBLISHED, 1)
        assert "9:00 – 18:00" in (live / "contact.html").read_text()
