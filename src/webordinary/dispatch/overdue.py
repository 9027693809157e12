"""What waited or ran too long fails with an answer, and what nobody heard is announced again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dispatch.breaker import count_failure
from webordinary.dispatch.claiming import let_go
from webordinary.dispatch.job_row import fails_at
from webordinary.dispatch.states import end
from webordinary.dispatch.waking import wake, was_just_woken
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from webordinary.dispatch.job_row import JobRow, Turn
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Transaction

_REASONS = {
    State.PREPARING: "its attachments could not be made ready in time",
    State.QUEUED: "no worker came in time",
    State.PARKED: "no worker came in time to resume it",
    State.RUNNING: "it took longer than its deadline",
}


def fail_overdue(write: Transaction, line: Line, at_most: int) -> int:
    """Fail the jobs of a lane whose time is over, each with its answer, and note when the next one's is."""
    every = line.all()
    overdue = _overdue(line, every)
    for turn in overdue[:at_most]:
        row = line.find(turn.id)
        if row is not None:
            ending = _out_of_time(row)
            end(line, row, ending)
            if ending.blames_project:
                count_failure(write, line, ending)
    limits = [fails_at(turn, line.row, line.now) for turn in every if turn.id not in line.ended]
    line.row.overdue_at = min((limit for limit in limits if limit is not None), default=None)
    if overdue:
        # The owner must stop, or the next in the line may start.
        wake(line)
    return len(overdue[:at_most])


def _overdue(line: Line, every: list[Turn]) -> list[Turn]:
    now = line.now.seconds
    limits = [(fails_at(turn, line.row, line.now), turn) for turn in every]
    overdue = [turn for limit, turn in limits if limit is not None and limit <= now]
    if line.row.has_lapsed(line.now):
        # What has no owner does not run, and its time does not either: it waits to be taken over.
        overdue = [turn for turn in overdue if turn.state != State.RUNNING]
    # What runs comes last: it may pause the project, and then the patience of those who wait would stand still.
    return sorted(overdue, key=lambda turn: turn.state == State.RUNNING)


def _out_of_time(row: JobRow) -> Ending:
    # That nobody came, or came too late, is no fault of the project.
    took_too_long = row.state == State.RUNNING
    words = "timed_out" if took_too_long else "our_fault"
    # One that was put back waits for what it was put back for.
    error = f"it waited too long: {row.error}" if row.state == State.QUEUED and row.error else _REASONS[row.state]
    return Ending(State.FAILED, error=error, template=words, blames_project=took_too_long)


def ring_again(line: Line) -> tuple[bool, bool]:
    """Ring for a lane that waits, or clear its owner who is gone; say whether it waits and whether it has changed."""
    row, now, waited_since = line.row, line.now, line.row.ready_since
    line.recompute()
    if row.has_lapsed(now) and row.pending == 0:
        let_go(line)
        line.effects.tell_of_lane(EventType.LEASE_LAPSED, row, now, None)
        return True, True
    if not row.is_free(now):
        return False, False
    if was_just_woken(line):
        # A suppressed wake-up of the sweep is no news, so it costs no write.
        return True, row.ready_since != waited_since
    wake(line)
    return True, True
