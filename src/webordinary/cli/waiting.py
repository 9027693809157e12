"""How a command waits for the end of a job: by looking often where that costs nothing, by the output queue on AWS."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.config import Config
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from webordinary.jobs.job import Job

# Often enough to seem immediate, and nothing that a database would notice.
LOOK_EVERY_SECONDS = 0.1
# On AWS each look is a request that costs something.
LOOK_EVERY_SECONDS_ON_AWS = 2.0


def seconds_between_looks(config: Config) -> float:
    """Return how often one may look at the trail."""
    return LOOK_EVERY_SECONDS if config.traits.has_free_looks else LOOK_EVERY_SECONDS_ON_AWS


def bell_for(config: Config, job: Job) -> Callable[[], None]:
    """Return what waits a moment, and on AWS no longer than until the job's end is told."""
    pause, seconds = threading.Event(), seconds_between_looks(config)
    if config.traits.has_free_looks:
        return lambda: _ignore(pause.wait(seconds))
    from webordinary.engines.choose import open_account  # noqa: PLC0415 - heavy

    outcomes = open_account(config).outcomes(job.lane)

    def listen() -> None:
        try:
            outcomes.wait_for(job.id, timedelta(seconds=seconds))
        except WebOrdinaryError:
            # The queue is only quicker than looking at the row.
            pause.wait(seconds)

    return listen


def _ignore(_: object) -> None:
    """Wait for a time, and not for anything else."""
