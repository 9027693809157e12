"""Everything in one command: the mail listener, the site server and the supervised workers."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

from webordinary.child.companion import Companion
from webordinary.config import missing_repositories
from webordinary.config.live import LiveConfig, copy_of
from webordinary.engines.choose import is_blocked_in
from webordinary.engines.installation import Installation, log_as_configured
from webordinary.errors import Misconfigured
from webordinary.metrics.otlp import OtlpTraces
from webordinary.serve.agents import refuse_impossible, refuse_without_program
from webordinary.serve.doors import open_doors
from webordinary.serve.supervisor import Supervisor
from webordinary.serve.watch import ConfigWatch
from webordinary.serve.worker_process import namer, run_worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.config import Config
    from webordinary.serve.doors import Doors


def refuse_traces_without_extra(config: Config) -> None:
    """Refuse to send traces where nothing can send them, before a worker finds out."""
    if config.telemetry.endpoint is not None:
        OtlpTraces(str(config.telemetry.endpoint), str(config.domain))


def supervise(here: Installation, count: int) -> Supervisor:
    """Return a supervisor for this installation's workers."""

    def start(name: str) -> Companion:
        program = [sys.executable, "-m", "webordinary.serve.worker_process"]
        arguments = [str(here.config.path), name, str(os.getpid()), str(copy_of(here.config))]
        return Companion([*program, *arguments], os.environ)

    supervisor = Supervisor(here.engine, here.clock, here.limits, start, count, is_blocked_in(here.config), namer(here))
    supervisor.agency = here.config.agency.address
    return supervisor


def serve(config: Config, on_ready: Callable[[Doors], None]) -> None:
    """Run until SIGTERM or Ctrl-C, then drain."""
    problems = missing_repositories(config)
    if problems and len(problems) == len(config.projects):
        raise Misconfigured("\n".join(problems))
    refuse_impossible(config)
    refuse_traces_without_extra(config)
    log_as_configured(config)
    here = Installation.open(config)
    supervisor = supervise(here, config.workers.count)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: supervisor.stop())
    live = LiveConfig(config)
    with open_doors(here, live) as doors, ConfigWatch(here, live):
        on_ready(doors)
        supervisor.run()


def work(config: Config, count: int) -> None:
    """Run only workers, until SIGTERM or Ctrl-C."""
    if config.traits.has_container_workers:
        refuse_without_program(config)
    refuse_impossible(config)
    refuse_traces_without_extra(config)
    if count == 1 and config.traits.has_container_workers:
        # The container itself is the worker: its orchestrator starts the next one.
        container = Installation.open_to_work(config)
        run_worker(container, namer(container)())
        return
    log_as_configured(config)
    here = Installation.open(config)
    supervisor = supervise(here, count)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: supervisor.stop())
    supervisor.run()
