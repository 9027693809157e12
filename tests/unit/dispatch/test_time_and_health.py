"""What fails by time and with which words, and how the failures of a project pause it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.unit.dispatch.lines import LANE, LIMITS, NOW, WORKER, Write, job, running, told
from webordinary.audit.entry import EventType
from webordinary.dispatch.breaker import ProjectRow, count_failure, follow, pause, resume
from webordinary.dispatch.effects import WakeReason, Wakeup
from webordinary.dispatch.overdue import fail_overdue, ring_again
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from webordinary.dispatch.job_row import JobRow

_FAILED = Ending(State.FAILED, error="no such file")


def late(number: int, state: State) -> JobRow:
    row = running(number) if state is State.RUNNING else job(number, state=state)
    row.prepare_by = row.start_by = row.deadline_at = NOW.seconds
    return row


@pytest.mark.parametrize(
    ("state", "error", "words", "blamed"),
    [
        (State.PREPARING, "its attachments could not be made ready in time", "our_fault", 0),
        (State.QUEUED, "no worker came in time", "our_fault", 0),
        (State.PARKED, "no worker came in time to resume it", "our_fault", 0),
        (State.RUNNING, "it took longer than its deadline", "timed_out", 1),
    ],
)
def test_what_is_late_fails_with_the_reason_of_its_state(state: State, error: str, words: str, blamed: int) -> None:
    row = late(1, state)
    write = Write(row).owned()
    assert fail_overdue(write, write.one, 10) == 1
    assert (row.state, row.error) == (State.FAILED, error)
    assert [letter.words for letter in write.effects.letters] == [words]
    assert (write.health.failures, write.one.row.overdue_at) == (blamed, None)
    reason = WakeReason.INTERRUPT if state is State.RUNNING else WakeReason.WORK
    assert write.effects.wakeups == [Wakeup(reason, LANE.key, WORKER)]


def test_what_was_put_back_fails_with_what_it_waited_for() -> None:
    row = late(1, State.QUEUED)
    row.error = "the disk is full"
    write = Write(row)
    fail_overdue(write, write.one, 10)
    assert row.error == "it waited too long: the disk is full"
    # What runs has not waited: an earlier problem is no reason of its deadline.
    row = late(1, State.RUNNING)
    row.error = "the disk is full"
    write = Write(row).owned()
    fail_overdue(write, write.one, 10)
    assert row.error == "it took longer than its deadline"


def test_only_so_many_fail_at_once_and_what_runs_comes_last() -> None:
    rows = [late(1, State.RUNNING), late(2, State.QUEUED), late(3, State.QUEUED), job(4)]
    write = Write(*rows).owned()
    assert fail_overdue(write, write.one, 2) == 2
    assert [row.state for row in rows] == [State.RUNNING, State.FAILED, State.FAILED, State.QUEUED]
    assert write.one.row.overdue_at == NOW.seconds


def test_nothing_fails_before_its_moment_and_the_next_one_is_noted() -> None:
    row = job(1)
    row.start_by = NOW.seconds + 0.5
    write = Write(row, job(2))
    assert fail_overdue(write, write.one, 10) == 0
    assert (row.state, write.one.row.overdue_at) == (State.QUEUED, NOW.seconds + 0.5)
    assert write.effects.wakeups == []


def test_what_waits_in_a_paused_lane_has_no_limit_and_hides_none() -> None:
    write = Write(running(1), job(2), late(3, State.PREPARING)).owned()
    write.lane_row.paused = "not now"
    assert fail_overdue(write, write.one, 10) == 1
    assert write.one.row.overdue_at == NOW.seconds + 1_196


def test_what_lost_its_owner_does_not_run_out_of_time() -> None:
    row = late(1, State.RUNNING)
    write = Write(row).owned(until=-1)
    assert fail_overdue(write, write.one, 10) == 0
    assert row.state is State.RUNNING


def test_a_waiting_lane_is_rung_for_once_in_a_while() -> None:
    write = Write(job(1))
    assert ring_again(write.one) == (True, True)
    assert len(write.effects.wakeups) == 1
    assert ring_again(write.one) == (True, False)
    assert len(write.effects.wakeups) == 1


def test_a_lane_that_just_became_ready_is_written_though_it_is_not_rung_for_again() -> None:
    write = Write(job(1))
    write.lane_row.rung_at = NOW.seconds
    assert ring_again(write.one) == (True, True)
    assert write.effects.wakeups == []


def test_a_lane_that_waits_for_nobody_is_left_alone() -> None:
    write = Write(job(1)).owned()
    assert ring_again(write.one) == (False, False)


def test_an_owner_that_is_gone_from_an_empty_lane_is_cleared() -> None:
    write = Write().owned(until=-1)
    assert ring_again(write.one) == (True, True)
    assert write.one.row.owner is None
    assert told(write.effects) == [(EventType.LEASE_LAPSED, None, "", {})]
    assert write.effects.wakeups == []


def test_the_third_failure_in_a_row_pauses_a_project_and_its_own_lane_at_once() -> None:
    write = Write(project=ProjectRow("amelia", failures=1))
    assert not count_failure(write, write.one, _FAILED)
    assert write.health == ProjectRow("amelia", failures=2)
    assert write.effects.entries == []
    assert count_failure(write, write.one, _FAILED)
    reason = "3 jobs in a row failed, last: no such file"
    assert write.health == ProjectRow("amelia", 3, reason, NOW.seconds)
    assert (write.one.row.paused, write.one.row.paused_at) == (reason, NOW.seconds)
    assert told(write.effects) == [(EventType.PROJECT_PAUSED, None, reason, {"project": "amelia"})]


def test_the_failures_of_a_paused_project_are_counted_and_pause_nothing_again() -> None:
    write = Write(project=ProjectRow("amelia", 5, "by hand", 1.0))
    assert not count_failure(write, write.one, _FAILED)
    assert write.health == ProjectRow("amelia", 6, "by hand", 1.0)


def test_a_pause_and_its_end_are_told_once() -> None:
    write = Write(job(1))
    assert pause(write, write.health, "moving")
    assert not pause(write, write.health, "moving again")
    assert (write.health.paused, write.health.paused_at, write.one.row.paused) == ("moving", NOW.seconds, "moving")
    assert resume(write, write.health, "scott")
    assert not resume(write, write.health, "scott")
    assert (write.health, write.one.row.paused) == (ProjectRow("amelia"), None)
    assert told(write.effects) == [
        (EventType.PROJECT_PAUSED, None, "moving", {"project": "amelia"}),
        (EventType.PROJECT_RESUMED, None, "amelia", {"project": "amelia", "by": "scott"}),
    ]


def test_patience_stands_still_while_a_lane_is_paused() -> None:
    write = Write(job(1))
    line = write.one
    assert not follow(line, ProjectRow("amelia"))
    assert follow(line, ProjectRow("amelia", 0, "first", NOW.seconds - 50))
    # A second reason does not begin it anew.
    assert follow(line, ProjectRow("amelia", 0, "second", NOW.seconds - 10))
    assert (line.row.paused, line.row.paused_at, line.row.ready_since) == ("second", NOW.seconds - 50, None)
    line.row.rung_at = NOW.seconds
    line.row.patience_shift = 7
    assert follow(line, ProjectRow("amelia"))
    assert (line.row.paused, line.row.paused_at, line.row.patience_shift) == (None, None, 57)
    assert (line.row.overdue_at, line.row.ready_since, line.row.rung_at) == (NOW.seconds, NOW.seconds, NOW.seconds)
    assert write.effects.wakeups == [Wakeup(WakeReason.CLAIM, LANE.key)]


def test_a_lane_that_followed_too_late_to_know_since_when_loses_no_patience() -> None:
    write = Write(job(1))
    write.lane_row.paused = "long ago"
    follow(write.one, ProjectRow("amelia"))
    assert write.one.row.patience_shift == 0


def test_the_breaker_is_as_patient_as_it_is_told() -> None:
    write = Write(limits=replace(LIMITS, breaker=1))
    assert count_failure(write, write.one, _FAILED)
