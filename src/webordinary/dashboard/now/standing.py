"""Who owns a lane until when, when they were last heard, and what happens if nothing does: in words."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.clock import say_duration
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.overview import LaneView

_DAY = timedelta(days=1)


def say_lane(lane: LaneView, limits: Limits, now: datetime) -> str:
    """Say whose the lane is and until when, or why it is nobody's."""
    if lane.owner is not None and lane.lease_until is not None:
        return _owned(lane, lane.lease_until, limits, now)
    if lane.paused is not None:
        return f"The project is paused, so nothing starts: {lane.paused}"
    if lane.not_before is not None:
        return f"Nobody may take it before {at(lane.not_before, now)}: its first job is tried again then."
    if lane.free_since is None:
        return "Nobody owns it, and nothing in it may start."
    if lane.running is not None:
        who = lane.last_worker or "its owner"
        over = f"the lease of {who} under fence {lane.fence} was over at {at(lane.free_since, now)}"
        return f"Nobody owns it: {over}. Any worker may go on with {lane.running} now."
    return f"Nobody has taken it for {say_duration(now - lane.free_since)}: every worker is busy, or none runs."


def _owned(lane: LaneView, until: datetime, limits: Limits, now: datetime) -> str:
    ago = say_duration(now - last_beat(lane, until, limits, now))
    owns = f"{lane.owner} owns it under fence {lane.fence} until {at(until, now)}, it beat {ago} ago"
    return f"{owns}; if it stays silent the lane is free at {at(until, now)}."


def last_beat(lane: LaneView, until: datetime, limits: Limits, now: datetime) -> datetime:
    """Return when the owner was last heard: each beat extends the lease by a known time."""
    return min(now, until - (limits.lease if lane.running else limits.idle_lease))


def say_job(job: Job, lane: LaneView, now: datetime) -> str:
    """Say what a job waits for, and when its time is over."""
    if job.state is State.COMMITTING:
        return "It has passed its commit point: whoever owns the lane finishes it, an interrupt is too late."
    if job.state is State.RUNNING:
        began = say_duration(now - job.started_at) if job.started_at else "a moment"
        return f"It has run for {began}{_ends(job, lane, now)}."
    words = {State.PREPARING: "Its attachments are made ready", State.PARKED: "It was set aside and goes on later"}
    waits = words.get(job.state, "It waits for its turn")
    return f"{waits}, for {say_duration(now - job.received_at)} so far{_patience(lane, now)}."


def _ends(job: Job, lane: LaneView, now: datetime) -> str:
    if job.deadline_at is None:
        return ""
    if lane.owner is None:
        return "; its time stands still until somebody goes on with it"
    return f"; at {at(job.deadline_at, now)} its time is over and it fails with an answer"


def _patience(lane: LaneView, now: datetime) -> str:
    if lane.paused is not None:
        return "; while the project is paused its time stands still"
    return f"; nothing in this lane is given up before {at(lane.overdue_at, now)}" if lane.overdue_at else ""


def at(moment: datetime, now: datetime) -> str:
    """Return a moment by the clock of the installation, with its day where that is not today."""
    local = moment.astimezone()
    words = "%H:%M:%S" if abs(moment - now) < _DAY and local.date() == now.astimezone().date() else "%d %b, %H:%M"
    return local.strftime(words)
