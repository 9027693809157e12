"""What the file does when its process can open nothing more, in a process of its own: `python -m … FOLDER`."""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.child.companion import Companion
from webordinary.clock import SystemClock
from webordinary.engines.embedded.database import Database
from webordinary.errors import Outage, TryAgain
from webordinary.serve.supervisor import Supervisor
from webordinary.testing.story import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    """Let this process open nothing more; what is open stays open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def the_file_is_tried_again_and_not_given_up(folder: Path) -> None:
    database = Database(folder / "w.db")
    database.close()
    with no_more_descriptors(), pytest.raises(TryAgain, match="right now"), database.read():
        pass
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM meta").fetchall() == [(0,)]


def what_was_accepted_is_accepted_although_nobody_could_be_rung(folder: Path) -> None:
    ports = open_embedded_ports(folder)
    ports.engine.claims.wait_for_work("w1", ports.now)
    with no_more_descriptors():
        job = ports.queue()
    assert ports.job(job).state.is_live


def a_mail_is_put_off_and_nothing_has_to_be_corrected(folder: Path) -> None:
    ports = open_embedded_ports(folder)
    with no_more_descriptors(), pytest.raises(Outage, match="right now"):
        ports.engine.inbox.keep_file(b"a mail")
    assert ports.engine.inbox.read_file(ports.engine.inbox.keep_file(b"a mail")) == b"a mail"


def the_supervisor_goes_on_and_starts_the_next_worker(folder: Path) -> None:
    ports = open_embedded_ports(folder)
    limits = replace(ports.limits, restart_pause=timedelta(milliseconds=10), drain=timedelta(seconds=5))

    def start(_name: str) -> Companion:
        return Companion(["sleep", "1000"], os.environ)

    supervisor = Supervisor(ports.engine, SystemClock(), limits, start, 1, lambda: False)
    thread = threading.Thread(target=supervisor.run)
    thread.start()

    def see(what: str, look: Callable[[], object]) -> None:
        wait_for(lambda: look() or None, what, lambda: f"running: {thread.is_alive()}")

    see("the first worker", lambda: supervisor.pids)
    (first,) = supervisor.pids
    with no_more_descriptors():
        os.kill(first, signal.SIGKILL)
        see("its death", lambda: supervisor.pids == [])
        # It looks after stopped workers once a second, and finds nothing to look with.
        thread.join(1.5)
        assert thread.is_alive()
    see("the next worker", lambda: supervisor.pids)
    supervisor.stop()
    thread.join()


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
