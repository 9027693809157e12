"""What becomes of a job when its flow has waited in vain: it ends with an answer, or the flow has to wait on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write


class GivenUp(StrEnum):
    """What the flow does next."""

    # Past the commit point, or paused: it settles itself, and the flow comes back with a new token.
    AGAIN = "again"
    # It failed, and the person hears of it.
    ENDED = "ended"
    # It was over before; its answer is recorded.
    OVER = "over"
    # A newer flow waits for it: it is no longer ours to end.
    REPLACED = "replaced"


def give_up(store: Store, job: str, execution: str, ending: Ending, now: Moment) -> GivenUp:
    """End the job for the flow that waited for it, unless its commit may be live, it may wait, or it is not ours."""

    def decide(write: Write) -> GivenUp:
        line, row = write.line_with(job)
        if line is None or row is None:
            return GivenUp.OVER
        if row.execution not in {None, execution}:
            write.forget(line)
            return GivenUp.REPLACED
        if row.job.state == State.COMMITTING or (line.row.paused is not None and row.job.state != State.RUNNING):
            write.forget(line)
            return GivenUp.AGAIN
        line.end(row, ending, now)
        line.ring(store.limits, now)
        return GivenUp.ENDED

    return store.change(decide, now)
