"""The truth about a lane in words: lease, fence, last beat, and the next moment at which something happens."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from webordinary.dashboard.now.standing import say_job, say_lane
from webordinary.jobs.job import Job, Kind, Request, State
from webordinary.jobs.limits import Limits
from webordinary.overview import LaneView
from webordinary.routing.lane import Lane

NOON = datetime(2026, 11, 16, 12, 3, 0, tzinfo=UTC)
LIMITS = Limits()
FREE = LaneView("amelia#scott", None, 7, 1, None, None, None)
OWNED = replace(FREE, owner="w-3", running="job-1", lease_until=NOON + timedelta(seconds=20))
JOB = Job(
    "job-1", Lane("amelia", "scott"), "thread-1", 1, Kind.INSTRUCTION, State.RUNNING, "Hours", Request("x"),
    NOON - timedelta(minutes=9), started_at=NOON - timedelta(minutes=3), deadline_at=NOON + timedelta(minutes=17),
)  # fmt: skip


def clock(moment: datetime) -> str:
    return moment.astimezone().strftime("%H:%M:%S")


def test_an_owner_is_named_with_its_fence_its_last_beat_and_the_end_of_its_lease() -> None:
    until = clock(NOON + timedelta(seconds=20))
    assert say_lane(OWNED, LIMITS, NOON) == (
        f"w-3 owns it under fence 7 until {until}, it beat 10 s ago; if it stays silent the lane is free at {until}."
    )


def test_a_lane_without_an_owner_says_why() -> None:
    waits = replace(FREE, free_since=NOON - timedelta(seconds=9))
    assert say_lane(waits, LIMITS, NOON) == "Nobody has taken it for 9 s: every worker is busy, or none runs."
    lapsed = replace(waits, running="job-1", last_worker="w-3")
    assert say_lane(lapsed, LIMITS, NOON) == (
        f"Nobody owns it: the lease of w-3 under fence 7 was over at {clock(NOON - timedelta(seconds=9))}."
        " Any worker may go on with job-1 now."
    )
    later = replace(FREE, not_before=NOON + timedelta(seconds=60))
    assert clock(NOON + timedelta(seconds=60)) in say_lane(later, LIMITS, NOON)
    assert say_lane(replace(waits, paused="three builds failed"), LIMITS, NOON) == (
        "The project is paused, so nothing starts: three builds failed"
    )


def test_a_job_says_when_its_time_is_over_and_that_it_stands_still_where_it_does() -> None:
    ends = clock(NOON + timedelta(minutes=17))
    assert say_job(JOB, OWNED, NOON) == (
        f"It has run for 3 min; at {ends} its time is over and it fails with an answer."
    )
    assert "its time stands still until somebody goes on with it" in say_job(JOB, FREE, NOON)
    queued = replace(JOB, state=State.QUEUED, started_at=None)
    due = replace(OWNED, overdue_at=NOON + timedelta(days=1, hours=1))
    assert say_job(queued, OWNED, NOON) == "It waits for its turn, for 9 min so far."
    assert "nothing in this lane is given up before" in say_job(queued, due, NOON)
    assert "paused" in say_job(queued, replace(due, paused="no money"), NOON)
    assert "too late" in say_job(replace(JOB, state=State.COMMITTING), OWNED, NOON)
