"""Everything in one command: the mail listener, the site server and the supervised workers."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child.companion import Companion
from webordinary.config import missing_repositories
from webordinary.doors.smtp_door import Before
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.engines.embedded.open import open_database
from webordinary.errors import Misconfigured
from webordinary.serve.assemble import Installation
from webordinary.serve.supervisor import Supervisor
from webordinary.site.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.config import Config


@contextmanager
def open_doors(here: Installation) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """Listen for mail and for browsers; gives the two addresses."""
    config = here.config
    targets = {project.id: Path(project.site.to) for project in config.projects}
    server = SiteServer(config.preview.listen, lambda host: folder_for_host(host, config.data / "previews", targets))
    before = Before(tuple(config.mail.relays), config.mail.authserv_id)
    listener = SmtpListener(here.intake, config.smtp, before)
    server.start()
    try:
        listener.start()
        try:
            yield listener.address, server.address
        finally:
            listener.close()
    finally:
        server.close()


def supervise(here: Installation, count: int) -> Supervisor:
    """Return a supervisor for this installation's workers."""

    def start(name: str) -> Companion:
        program = [sys.executable, "-m", "webordinary.serve.worker_process"]
        return Companion([*program, str(here.config.path), name, str(os.getpid())], os.environ)

    is_blocked = open_database(here.config).is_blocked
    return Supervisor(here.engine, here.clock, here.limits, start, count, is_blocked)


def serve(config: Config, on_ready: Callable[[str, str], None]) -> None:
    """Run until SIGTERM or Ctrl-C, then drain."""
    problems = missing_repositories(config)
    if problems:
        raise Misconfigured("\n".join(problems))
    here = Installation.open(config)
    supervisor = supervise(here, config.workers.count)
    with open_doors(here) as (smtp, web):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: supervisor.stop())
        on_ready(f"{smtp[0]}:{smtp[1]}", f"{web[0]}:{web[1]}")
        supervisor.run()


def work(config: Config, count: int) -> None:
    """Run only workers, until SIGTERM or Ctrl-C."""
    here = Installation.open(config)
    supervisor = supervise(here, count)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: supervisor.stop())
    supervisor.run()
