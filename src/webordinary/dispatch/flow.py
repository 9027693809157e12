"""What becomes of a job for which an execution of a flow waits, when that gives up: it ends, or the flow waits on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.dispatch.states import end
from webordinary.dispatch.waking import wake
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from webordinary.dispatch.store import Transaction

_ABANDONED = Ending(State.FAILED, error="the flow that waited for it has given up", template="failed")


@dataclass(frozen=True, slots=True)
class Waiting:
    """An execution of the flow that waits for a job, and the token with which it does."""

    token: str
    execution: str | None = None


class GivenUp(StrEnum):
    """What the flow does next."""

    # Past the commit point, paused, not to be started yet, only silent, or handed over before a function broke: it goes
    # on by itself, and the flow comes back with a new token.
    AGAIN = "again"
    # It failed, and the person hears of it.
    ENDED = "ended"
    # It was over before; its answer is recorded.
    OVER = "over"
    # A newer flow waits for it: it is no longer ours to end.
    REPLACED = "replaced"


def give_up(write: Transaction, job: str, execution: str, ending: Ending | None, *, has_waited: bool = True) -> GivenUp:
    """End the job for the flow that waited for it, unless its commit may be live, it may wait, or it is not ours.

    Without an ending nobody has spoken for it, which is no reason to end it: leases and limits find the dead.
    A flow that has not waited to the end, but one of whose functions broke, ends nothing that can go on without it.
    """
    line, row = write.line_with(job)
    if line is None or row is None:
        return GivenUp.OVER
    if row.execution not in {None, execution}:
        write.forget(line)
        return GivenUp.REPLACED
    waits = line.row.paused is not None or row.not_before > line.now.seconds
    goes_on = not has_waited and row.state != State.PREPARING
    is_busy = row.state == State.COMMITTING or (waits and row.state != State.RUNNING)
    if ending is None or goes_on or is_busy:
        write.forget(line)
        return GivenUp.AGAIN
    end(line, row, ending)
    wake(line)
    return GivenUp.ENDED


def abandon(write: Transaction, job: str, token: str) -> bool:
    """End a job whose flow has given up on this token; False when it goes on all the same."""
    line, row = write.line_with(job)
    if line is None or row is None:
        return True
    # A newer flow may have taken over, and past the commit point the job settles itself.
    if row.token != token or row.state == State.COMMITTING:
        write.forget(line)
        return False
    end(line, row, _ABANDONED)
    wake(line)
    return True
