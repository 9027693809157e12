"""Whether the flow still waits for a job: it is told that somebody works, and a job that nobody waits for ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.lane_row import LaneRow
    from webordinary.engines.aws.rows import JobRow
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write

_GIVEN_UP = Ending(State.FAILED, error="the flow that waited for it has given up", words="failed")


def is_waited_for(store: Store, row: JobRow, now: Moment) -> bool:
    """Tell the flow that the job is being looked after; False when it has given up, and the job was ended."""
    if not row.flow_token:
        return True
    try:
        store.flow.beat(row.job.token or "")
    except LostOwnership:
        return not _end(store, row, now)
    except TryAgain:
        # There is time for many more of them before the flow gives up.
        return True
    return True


def beat_for_those_who_wait(store: Store, lane: LaneRow, now: Moment) -> None:
    """Beat for every job that no owner beats for: the flow's patience runs from the first moment on."""
    if not store.flow.is_open:
        return
    for row in store.live_jobs(lane.lane).values():
        if row.job.id != lane.running or not lane.is_owned(now):
            is_waited_for(store, row, now)


def _end(store: Store, given_up: JobRow, now: Moment) -> bool:
    def decide(write: Write) -> bool:
        line, row = write.line_with(given_up.job.id)
        if line is None or row is None:
            return True
        # A newer flow may have taken over, and past the commit point the job settles itself.
        if row.job.token != given_up.job.token or row.job.state == State.COMMITTING:
            write.forget(line)
            return False
        line.end(row, _GIVEN_UP, now)
        line.ring(store.limits, now)
        return True

    return store.change(decide, now)
