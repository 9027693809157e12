"""Who is woken about a lane: its living owner where it listens, else somebody idle, and not again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dispatch.effects import WakeReason, Wakeup

if TYPE_CHECKING:
    from webordinary.dispatch.line import Line


def wake(line: Line) -> None:
    """Ring the live owner, else call somebody idle, but not twice in a short while."""
    row = line.row
    if row.is_owned(line.now):
        _wake_owner(line)
    elif was_just_woken(line):
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


def wake_loser(line: Line) -> None:
    """Let an owner whose lease was ended from outside notice it: where it listens depends on what it does."""
    row = line.row
    reason = WakeReason.WORK if row.running is None else WakeReason.INTERRUPT
    line.effects.wakeups.append(Wakeup(reason, row.lane, row.owner))


def was_just_woken(line: Line) -> bool:
    """Tell whether somebody was called for the lane a moment ago; a clock that was set back silences nobody."""
    return 0 <= line.now.seconds - line.row.rung_at < line.limits.ring_again.total_seconds()
