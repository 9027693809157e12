"""What an owner, a person and the sweep do to one lane: what is told, what is written, and what is left unwritten."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.model.lane_state import NO_FAULTS, World
from tests.model.memory_store import LANE, NAME, NOW, PERSON, MemoryStore, MemoryWrite, new_job, number_of
from webordinary.audit.entry import EventType
from webordinary.dispatch.effects import WakeReason, Wakeup
from webordinary.dispatch.flow import Waiting
from webordinary.errors import Interrupted, LostOwnership, Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.interrupts.interrupt import Interrupt, Why
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.lanes import Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.line import Line
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

_QUEUE = InterruptRule("queue")
_DONE = Ending(State.DONE, Outcome.PUBLISHED)


class _Counting(MemoryStore):
    """A store that counts how often a line was written."""

    def __init__(self, threads: str = "AB") -> None:
        super().__init__(World(NO_FAULTS), threads)
        self.writes = 0

    def keep(self, line: Line) -> None:
        self.writes += 1
        super().keep(line)

    def told(self) -> list[tuple[EventType, str | None, str, dict[str, str]]]:
        """Return what the trail says since the last look."""
        said = [(each.what, each.worker, each.text, dict(each.facts)) for each in self.entries]
        self.entries.clear()
        self.writes = 0
        return said

    def keep_row(self, row: JobRow) -> None:
        """Let a job be as the test wants it."""
        self._rows[number_of(row.id)] = row

    @property
    def lane(self) -> LaneRow:
        row = self.row()
        assert row is not None
        return row


def queued(*threads: str) -> _Counting:
    store = _Counting("".join(threads) or "A")
    for number, thread in enumerate(threads or ("A",)):
        store.lanes.accept(new_job(number, thread), NOW, ready=_QUEUE)
    store.told()
    store.wakeups.clear()
    return store


def begun(*threads: str) -> tuple[_Counting, Claim, Job]:
    store = queued(*threads)
    claimed = store.claims.claim(NAME, NOW)
    assert claimed is not None
    assert claimed.job is not None
    store.told()
    return store, claimed.claim, claimed.job


def test_a_step_is_written_down_with_its_facts() -> None:
    store, claim, job = begun()
    after = store.attempts.journal(claim, job, "edited", {"branch": "b"}, NOW)
    assert after.journal.stored == {"edited": NOW.wall_at.isoformat(), "branch": "b"}
    assert store.told() == [(EventType.STEP, NAME, "edited", {"branch": "b"})]


def test_the_commit_point_names_its_commit_and_drops_what_comes_too_late() -> None:
    store, claim, job = begun("A", "B")
    row = store.find(job.id)
    assert row is not None
    row.cancel, row.cancel_not_before = Why.INTERRUPT.value, NOW.seconds + 1
    store.keep_row(row)
    after = store.attempts.pass_commit_point(claim, job, "c0ffee", NOW)
    assert (after.state, after.commit) == (State.COMMITTING, "c0ffee")
    passed = store.find(job.id)
    assert passed is not None
    assert (passed.cancel, passed.cancel_not_before) == (None, None)
    assert store.told() == [(EventType.COMMIT_POINT, NAME, "", {"commit": "c0ffee"})]
    with pytest.raises(LostOwnership, match="is committing now, not running"):
        store.attempts.pass_commit_point(claim, job, "c0ffee", NOW)


def test_a_due_cancel_is_heard_before_the_commit_point() -> None:
    store, claim, job = begun()
    assert store.lanes.stop(job.id, PERSON, NOW) is Stopped.ASKED
    with pytest.raises(Interrupted, match="asked to stop before the commit point"):
        store.attempts.pass_commit_point(claim, job, "c0ffee", NOW)


def test_a_commit_that_is_not_live_is_prepared_again_under_a_new_deadline() -> None:
    store, claim, job = begun()
    job = store.attempts.pass_commit_point(claim, job, "c0ffee", NOW)
    store.told()
    after = store.attempts.reopen(claim, job, "it was refused", NOW)
    assert (after.state, after.commit) == (State.RUNNING, None)
    assert after.deadline_at == (NOW + store.limits.deadline).wall_at
    assert store.told() == [(EventType.COMMIT_REOPENED, NAME, "it was refused", {})]


def test_an_end_names_the_worker_and_starts_the_next_job() -> None:
    store, claim, job = begun("A", "B")
    following = store.attempts.finish(claim, job, _DONE, NOW)
    assert following.job is not None
    assert (following.job.id, following.others_wait, following.claimed) == ("m1", False, None)
    done, started = store.told()
    assert done[:2] == (EventType.JOB_DONE, NAME)
    assert done[3]["outcome"] == "published"
    assert started[:2] == (EventType.JOB_STARTED, NAME)


def test_a_retried_job_is_told_with_its_worker_and_waited_for() -> None:
    store, claim, job = begun()
    following = store.attempts.retry(claim, job, "away", timedelta(seconds=7), NOW)
    assert (following.job, following.again_in) == (None, timedelta(seconds=7))
    assert store.told() == [(EventType.JOB_RETRIED, NAME, "away", {"attempt": "1", "wait_s": "7"})]
    assert store.job(0).attempt == 1


def test_what_is_not_counted_is_tried_as_often_as_needed() -> None:
    store, claim, job = begun()
    store.attempts.retry(claim, job, "away", timedelta(seconds=7), NOW, is_counted=False)
    assert store.job(0).attempt == 0


def test_a_parked_job_makes_room_for_the_thread_that_asked() -> None:
    store, claim, job = begun()
    following = store.attempts.park(claim, job, NOW)
    assert following.job is not None
    assert following.job.id == job.id
    assert [each[:2] for each in store.told()] == [(EventType.JOB_PARKED, NAME), (EventType.JOB_RESUMED, NAME)]


def test_a_stop_that_came_meanwhile_goes_before_parking_and_retrying() -> None:
    for parks in (True, False):
        store, claim, job = begun()
        store.lanes.stop(job.id, PERSON, NOW)
        store.told()
        if parks:
            store.attempts.park(claim, job, NOW)
        else:
            store.attempts.retry(claim, job, "away", timedelta(seconds=7), NOW)
        assert (store.job(0).state, store.job(0).error) == (State.STOPPED, f"stopped by {PERSON}")


def test_only_the_owner_of_the_running_job_takes_the_publish_slot() -> None:
    store, claim, job = begun()
    assert store.attempts.take_publish_slot(claim, job, NOW)
    store.claims.give_back(claim, NOW)
    for ask in (store.attempts.take_publish_slot, store.attempts.leave_publish_slot):
        with pytest.raises(LostOwnership, match=f"job m0 is not running under fence {claim.fence} any more"):
            ask(claim, job, NOW)


def test_nobody_publishes_from_a_lane_that_is_gone() -> None:
    _, claim, job = begun()
    with pytest.raises(LostOwnership):
        _Counting().attempts.take_publish_slot(claim, job, NOW)


def test_a_job_that_waits_already_is_not_written_again() -> None:
    store = queued()
    store.lanes.enqueue("m0", _QUEUE, NOW)
    assert (store.writes, store.wakeups) == (0, [])
    store.lanes.enqueue("m0", _QUEUE, NOW, waiting=Waiting("token", "flow"))
    assert store.writes == 1
    row = store.find("m0")
    assert row is not None
    assert (row.flow_token, row.token, row.execution) == (True, "token", "flow")


def test_what_a_person_asks_for_in_vain_writes_nothing() -> None:
    store = queued()
    assert store.lanes.interrupt(LANE.key, PERSON, NOW) is None
    assert store.lanes.release(LANE.key, PERSON, NOW) is None
    assert store.claims.lapse("somebody else", NOW) == 0
    assert (store.writes, store.told()) == (0, [])
    store, claim, job = begun()
    store.attempts.pass_commit_point(claim, job, "c0ffee", NOW)
    store.told()
    assert store.lanes.stop(job.id, PERSON, NOW) is Stopped.TOO_LATE
    assert not store.claims.release(claim, NOW)
    assert store.claims.start(claim, NOW).job is None
    assert (store.writes, store.told()) == (0, [])


def test_an_interrupt_by_hand_is_due_at_once_and_says_who_asked() -> None:
    store, _, job = begun()
    assert store.lanes.interrupt(LANE.key, PERSON, NOW) == job.id
    row = store.find(job.id)
    assert row is not None
    assert (row.cancel, row.cancel_by, row.cancel_thread, row.cancel_not_before) == ("interrupt", PERSON, None, 0)
    assert store.told() == [(EventType.INTERRUPT_ASKED, None, "", {"by": PERSON, "why": "a person asked"})]
    assert store.wakeups == [Wakeup(WakeReason.INTERRUPT, LANE.key, NAME)]
    store.lanes.interrupt(LANE.key, "somebody else", NOW)
    assert row.cancel_by == PERSON


def test_a_stop_ends_what_waits_and_asks_what_runs() -> None:
    store = queued("A", "B")
    assert store.lanes.stop("m1", PERSON, NOW) is Stopped.ENDED
    assert (store.job(1).state, store.job(1).error) == (State.STOPPED, f"stopped by {PERSON}")
    assert store.lanes.stop("m1", PERSON, NOW) is Stopped.OVER
    with pytest.raises(Refused, match="there is no job m9"):
        store.lanes.stop("m9", PERSON, NOW)
    store, _, job = begun()
    assert store.lanes.stop(job.id, PERSON, NOW) is Stopped.ASKED
    row = store.find(job.id)
    assert row is not None
    assert (row.cancel, row.cancel_by, row.cancel_not_before) == ("stop", PERSON, 0)
    assert store.told() == [(EventType.STOP_ASKED, None, "", {"by": PERSON})]


def test_a_lane_is_taken_from_its_owner_by_hand_and_both_hear_of_it() -> None:
    store, _, _ = begun()
    assert store.lanes.release(LANE.key, PERSON, NOW) == NAME
    assert store.told() == [(EventType.LEASE_LAPSED, NAME, "", {"by": PERSON})]
    assert store.wakeups == [
        Wakeup(WakeReason.INTERRUPT, LANE.key, NAME),
        Wakeup(WakeReason.CLAIM, LANE.key, NAME),
    ]
    assert not store.lane.is_owned(NOW)


def test_an_empty_lane_is_released_by_its_owner() -> None:
    store, claim, job = begun()
    store.attempts.finish(claim, job, _DONE, NOW)
    store.told()
    assert store.claims.release(claim, NOW)
    assert store.told() == [(EventType.LANE_RELEASED, NAME, "", {})]
    assert store.lane.owner is None


def test_the_lanes_of_a_worker_that_died_can_be_taken_at_once() -> None:
    store, _, _ = begun()
    assert store.claims.lapse(NAME, NOW) == 1
    assert store.told() == [(EventType.LEASE_LAPSED, NAME, "", {})]
    assert store.wakeups == [Wakeup(WakeReason.CLAIM, LANE.key, NAME)]


def test_a_beat_tells_an_owner_what_is_asked_of_it() -> None:
    store, claim, job = begun("A", "B")
    assert store.claims.beat(claim, None, NOW).pending
    quiet = store.claims.beat(claim, job.id, NOW)
    assert (quiet.interrupt, quiet.over, quiet.others_wait, quiet.pending) == (None, False, False, False)
    store.lanes.stop(job.id, PERSON, NOW)
    asked = store.claims.beat(claim, job.id, NOW).interrupt
    assert asked is not None
    assert (asked.why, asked.by) == (Why.STOP, PERSON)
    assert store.claims.beat(claim, "m1", NOW).over


def test_a_beat_says_from_when_on_a_newer_mail_wants_the_job_to_stop() -> None:
    store, claim, job = begun("A", "B")
    row = store.find(job.id)
    assert row is not None
    row.cancel, row.cancel_fence, row.cancel_not_before = "interrupt", claim.fence, NOW.seconds + 9
    store.keep_row(row)
    asked = store.claims.beat(claim, job.id, NOW).interrupt
    assert asked == Interrupt(Why.INTERRUPT, "", (NOW + timedelta(seconds=9)).wall_at)
    row.cancel_fence = claim.fence + 1
    assert store.claims.beat(claim, job.id, NOW).interrupt is None


def test_a_job_that_runs_under_another_fence_is_over_for_its_owner() -> None:
    store, claim, job = begun()
    row = store.find(job.id)
    assert row is not None
    row.fence = claim.fence + 1
    store.keep_row(row)
    assert store.claims.beat(claim, job.id, NOW).over


def test_a_running_verb_is_not_set_aside_by_hand() -> None:
    store, _, _ = begun("1")
    assert store.lanes.interrupt(LANE.key, PERSON, NOW) is None


def test_a_job_that_nobody_knows_is_not_waited_for() -> None:
    store = queued()
    store.lanes.enqueue("m9", _QUEUE, NOW, waiting=Waiting("token", "flow"))
    assert (store.writes, store.told()) == (0, [])


def test_a_sweep_counts_what_it_failed_and_whom_it_rang() -> None:
    store = queued()
    assert store.lanes.sweep(NOW) == 1
    row = store.find("m0")
    assert row is not None
    row.start_by = NOW.seconds
    store.keep_row(row)
    store.lane.overdue_at = NOW.seconds
    assert store.lanes.sweep(NOW) == 1
    assert store.job(0).error == "no worker came in time"


def test_a_job_is_driven_again_only_after_a_bad_end() -> None:
    store, claim, job = begun()
    for state in ("m0", "m9"):
        with pytest.raises(Refused):
            store.lanes.redrive(state, PERSON, NOW)
    store.attempts.finish(claim, job, _DONE, NOW)
    with pytest.raises(Refused, match="job m0 did not end badly: only failed, stopped and dead jobs can be driven"):
        store.lanes.redrive("m0", PERSON, NOW)
    with pytest.raises(Refused, match="there is no job m9"):
        store.lanes.redrive("m9", PERSON, NOW)


def test_the_same_request_is_accepted_once() -> None:
    store = queued()
    again = store.lanes.accept(new_job(0, "A"), NOW, ready=_QUEUE)
    assert (again.job, again.fresh, store.writes) == ("m0", False, 1)


def test_only_our_own_write_whose_answer_was_lost_is_fresh_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemoryWrite, "is_repeated", True)
    store = queued()
    assert store.lanes.accept(new_job(0, "A"), NOW, ready=_QUEUE).fresh
    assert not store.lanes.accept(replace(new_job(0, "A"), id="another"), NOW, ready=_QUEUE).fresh


def _kinds(store: _Counting) -> Sequence[EventType]:
    return [each[0] for each in store.told()]


def test_a_lane_is_given_back_with_its_job_and_somebody_is_called() -> None:
    store, claim, _ = begun()
    store.claims.give_back(claim, NOW)
    assert _kinds(store) == [EventType.JOB_GIVEN_BACK, EventType.LANE_GIVEN_BACK]
    assert store.wakeups == [Wakeup(WakeReason.CLAIM, LANE.key, NAME)]
