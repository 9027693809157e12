"""Who is woken about a lane: its living owner where it listens, else somebody idle, and not again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dispatch.effects import WakeReason, Wakeup

if TYPE_CHECKING:
    from webordinary.dispatch.line import Line


def wake(line: Line) -> None:
    """Ring the live owner, else call somebody idle."""
    if line.row.is_owned(line.now):
        _wake_owner(line)
    else:
        _call_somebody(line)


def _call_somebody(line: Line) -> None:
    """Call somebody for a lane in which something waits, but not twice in a short while.

    A call for a lane with nothing to take would only silence the call for what comes right after it.
    """
    line.recompute()
    row = line.row
    if row.ready_since is None and not row.is_left_behind(line.now):
        return
    if was_just_woken(line):
        row.rings_suppressed += 1
    else:
        row.rung_at = line.now.seconds
        row.rings += 1
        line.effects.wakeups.append(Wakeup(WakeReason.CLAIM, row.lane, row.last_worker))


def _wake_owner(line: Line) -> None:
    """Notify the owner of the lane where it listens; an owner with a job hears only what is about that job.

    Nothing else needs saying to it: the next head is started in the transaction that ends this one.
    """
    row = line.row
    running = line.jobs.get(row.running or "")
    if line.is_cut_short or (running is not None and running.cancel is not None):
        line.effects.wakeups.append(Wakeup(WakeReason.INTERRUPT, row.lane, row.owner))
    elif row.running is None:
        line.effects.wakeups.append(Wakeup(WakeReason.WORK, row.lane, row.owner))
        _expect_answer(line)


def _expect_answer(line: Line) -> None:
    """Let the lane be taken from an owner that does not start within seconds what it was rung for: it may be gone.

    An owner that lives starts its job, which renews the lease; one that was only slow is refused by its fence.
    """
    row, head = line.row, line.head
    if row.paused is not None or head is None or not head.can_start(line.now):
        return
    if not row.ends_by(line.now + line.limits.answer):
        row.lease_to(line.now + line.limits.answer)
        line.effects.wakeups.append(Wakeup(WakeReason.OFFER, row.lane))


def wake_loser(line: Line) -> None:
    """Let an owner whose lease was ended from outside notice it: where it listens depends on what it does."""
    row = line.row
    reason = WakeReason.WORK if row.running is None else WakeReason.INTERRUPT
    line.effects.wakeups.append(Wakeup(reason, row.lane, row.owner))


def was_just_woken(line: Line) -> bool:
    """Tell whether somebody was called for the lane a moment ago."""
    return line.row.was_just_called(line.limits.ring_again, line.now)
