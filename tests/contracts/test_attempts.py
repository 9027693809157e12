"""What every engine promises about the job that an owner runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.errors import Interrupted, LostOwnership
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Step
from webordinary.jobs.lanes import Stopped

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

FAILED = Ending(State.FAILED, error="it broke", blames_project=True)


def test_a_job_has_one_outcome_and_it_is_final(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.attempts.finish(claim, job, FAILED, ports.now)
    assert (ports.job(job_id).state, ports.job(job_id).outcome) == (State.DONE, Outcome.PUBLISHED)


def test_the_answer_is_recorded_with_the_outcome_once(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    ending = Ending(State.DONE, Outcome.PUBLISHED, template="published", facts={"summary": "hours"})
    ports.engine.attempts.finish(claim, job, ending, ports.now)
    (letter,) = ports.engine.outbox.take_due("sender", ports.now)
    assert (letter.to, letter.words, letter.job) == ("scott@example.org", "published", job.id)
    assert ports.engine.outbox.take_due("sender", ports.now) in ((), [])


def test_a_job_that_nobody_wrote_gets_no_answer(ports: Ports) -> None:
    ports.queue(reply_to=None)
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DONE, template="published"), ports.now)
    assert list(ports.engine.outbox.take_due("sender", ports.now)) == []


def test_the_journal_survives_the_owner(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.journal(claim, job, "edited", {"commit": "c0ffee"}, ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    _, again = take(ports, "w2")
    assert again.journal.commit == "c0ffee"
    assert Step.EDITED in again.journal


def test_the_commit_point_is_refused_to_a_job_that_was_asked_to_stop(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.lanes.stop(job.id, "scott", ports.now)
    with pytest.raises(Interrupted):
        ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    assert ports.job(job.id).state == State.RUNNING


def test_an_interrupt_that_is_not_due_yet_is_too_late_at_the_commit_point(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    ports.queue(thread="b")
    committing = ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    assert committing.state == State.COMMITTING
    ports.clock.advance(timedelta(seconds=25))
    assert ports.engine.claims.beat(claim, job.id, ports.now).interrupt is None
    with pytest.raises(LostOwnership):
        ports.engine.attempts.park(claim, committing, ports.now)


def test_an_instruction_cannot_interrupt_past_the_commit_point(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    ports.queue(thread="b", rule=InterruptRule(first_after=timedelta(0)))
    assert ports.engine.claims.beat(claim, job.id, ports.now).interrupt is None


def test_a_committing_job_is_handed_to_the_next_owner_as_it_is(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    new, again = take(ports, "w2")
    assert (again.state, again.commit, again.fence) == (State.COMMITTING, "c0ffee", new.fence)
    reopened = ports.engine.attempts.reopen(new, again, "not live", ports.now)
    assert (reopened.state, reopened.commit) == (State.RUNNING, None)


def test_a_committing_job_is_settled_even_while_its_project_is_paused(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    ports.engine.lanes.pause("amelia", "trouble", ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    assert take(ports, "w2")[1].id == job.id


def test_a_retried_job_waits_and_keeps_its_place(ports: Ports) -> None:
    ports.queue(thread="a")
    second = ports.queue(thread="a")
    claim, job = take(ports)
    after = ports.engine.attempts.retry(claim, job, "the server was away", timedelta(seconds=10), ports.now)
    assert after.job is None
    assert ports.engine.claims.start(claim, ports.now).job is None
    ports.clock.advance(timedelta(seconds=10))
    again = ports.engine.claims.start(claim, ports.now).job
    assert again is not None
    assert (again.id, again.attempt) == (job.id, 2)
    assert ports.job(second).state == State.QUEUED


def test_a_job_that_waits_for_others_loses_no_patience_and_goes_on_as_soon_as_somebody_says_so(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    wait = ports.limits.patience + timedelta(hours=1)
    ports.engine.attempts.retry(claim, job, "no money", wait, ports.now, is_counted=False, prolongs=wait)
    ports.engine.claims.give_back(claim, ports.now)
    ports.clock.advance(wait - timedelta(hours=1, minutes=-1))
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job.id).state == State.QUEUED
    assert ports.engine.claims.claim("w2", ports.now) is None
    ports.engine.lanes.hurry(job.id, ports.now)
    claim, again = take(ports, "w2")
    assert (again.id, again.attempt) == (job.id, 1)
    ports.engine.attempts.finish(claim, again, FAILED, ports.now)
    ports.engine.lanes.hurry(job.id, ports.now)
    assert ports.job(job.id).state == State.FAILED


def test_a_retry_obeys_an_interrupt(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    newer = ports.queue(thread="b")
    after = ports.engine.attempts.retry(claim, job, "the server was away", timedelta(seconds=10), ports.now)
    assert after.job is not None
    assert after.job.id == newer
    assert ports.job(job.id).state == State.PARKED


def test_a_project_that_keeps_failing_is_paused_once(ports: Ports) -> None:
    for _ in range(ports.limits.breaker):
        ports.queue()
    claim, job = take(ports)
    for _ in range(ports.limits.breaker):
        after = ports.engine.attempts.finish(claim, job, FAILED, ports.now)
        job = after.job or job
    ports.queue()
    assert ports.engine.claims.start(claim, ports.now).job is None
    assert [view.paused is not None for view in ports.engine.overview.lanes(ports.now)] == [True]


def run_over(ports: Ports, claim: Claim, job: Job) -> None:
    """Beat until the time of a job is over."""
    ends_at = ports.now.wall_at + ports.limits.deadline
    while ports.now.wall_at < ends_at:
        ports.clock.advance(ports.limits.lease / 2)
        ports.engine.claims.beat(claim, job.id, ports.now)


@pytest.mark.one_engine
def test_jobs_that_keep_taking_too_long_pause_their_project(ports: Ports) -> None:
    for _ in range(ports.limits.breaker):
        assert [view.paused for view in ports.engine.overview.lanes(ports.now)] in ([], [None])
        ports.queue()
        claim, job = take(ports)
        run_over(ports, claim, job)
        ports.engine.lanes.sweep(ports.now)
        ports.engine.claims.give_back(claim, ports.now)
    assert [view.paused is not None for view in ports.engine.overview.lanes(ports.now)] == [True]


def test_jobs_that_keep_killing_their_workers_pause_their_project(ports: Ports) -> None:
    for _ in range(ports.limits.breaker):
        assert [view.paused for view in ports.engine.overview.lanes(ports.now)] in ([], [None])
        job = ports.queue()
        while ports.job(job).state != State.DEAD:
            claimed = ports.engine.claims.claim("w1", ports.now)
            assert claimed is not None
            ports.engine.claims.lapse("w1", ports.now)
    assert [view.paused is not None for view in ports.engine.overview.lanes(ports.now)] == [True]


def test_jobs_for_which_nobody_came_do_not_pause_their_project(ports: Ports) -> None:
    for _ in range(ports.limits.breaker + 1):
        ports.queue()
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == [None]


def test_a_success_forgives_earlier_failures(ports: Ports) -> None:
    for ending in [FAILED, FAILED, DONE, FAILED, FAILED]:
        ports.queue()
        claim, job = take(ports)
        ports.engine.attempts.finish(claim, job, ending, ports.now)
        ports.engine.claims.release(claim, ports.now)
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == [None]


def test_one_job_publishes_at_a_time_in_a_project(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    ports.queue(lane="flora#tom")
    scott, scotts = take(ports, "w1")
    maria, marias = take(ports, "w2")
    tom, toms = take(ports, "w3")
    slot = ports.engine.attempts.take_publish_slot
    assert slot(scott, scotts, ports.now)
    assert slot(scott, scotts, ports.now)
    assert not slot(maria, marias, ports.now)
    assert slot(tom, toms, ports.now)
    ports.engine.attempts.finish(scott, scotts, DONE, ports.now)
    assert slot(maria, marias, ports.now)


def test_who_leaves_the_publish_slot_lets_others_in_and_takes_it_from_nobody(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    scott, scotts = take(ports, "w1")
    maria, marias = take(ports, "w2")
    attempts = ports.engine.attempts
    assert attempts.take_publish_slot(scott, scotts, ports.now)
    attempts.leave_publish_slot(maria, marias, ports.now)
    assert not attempts.take_publish_slot(maria, marias, ports.now)
    scotts = attempts.pass_commit_point(scott, scotts, "c1", ports.now)
    attempts.leave_publish_slot(scott, scotts, ports.now)
    attempts.leave_publish_slot(scott, scotts, ports.now)
    assert attempts.take_publish_slot(maria, marias, ports.now)
    attempts.leave_publish_slot(scott, scotts, ports.now)
    assert not attempts.take_publish_slot(scott, scotts, ports.now)


def test_a_dead_owner_does_not_hold_the_publish_slot(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    scott, scotts = take(ports, "w1")
    maria, marias = take(ports, "w2")
    assert ports.engine.attempts.take_publish_slot(scott, scotts, ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    assert ports.engine.attempts.take_publish_slot(maria, marias, ports.now)


def test_pending_is_the_number_of_live_jobs(ports: Ports) -> None:
    for thread in ("a", "a", "b"):
        ports.queue(thread=thread)
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    live = [each for each in ports.engine.overview.jobs() if each.state.is_live]
    assert [view.pending for view in ports.engine.overview.lanes(ports.now)] == [len(live)] == [2]


def test_a_person_who_stops_a_job_just_before_it_is_set_aside_has_stopped_it(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    ports.queue(thread="b", rule=InterruptRule(first_after=timedelta(0)))
    heard = ports.engine.claims.beat(claim, job.id, ports.now).interrupt
    assert heard is not None
    assert ports.engine.lanes.stop(job.id, "scott", ports.now) == Stopped.ASKED
    ports.engine.attempts.park(claim, job, ports.now)
    assert ports.job(job.id).state == State.STOPPED


def test_a_persons_stop_holds_at_the_commit_point_although_the_wall_clock_was_set_back(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.lanes.stop(job.id, "scott", ports.now)
    ports.clock.jump(timedelta(seconds=-15))
    with pytest.raises(Interrupted):
        ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)


def test_a_committing_job_is_not_tried_again_because_its_commit_may_be_live(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.attempts.retry(claim, job, "the disk was full", timedelta(seconds=10), ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.attempts.pass_commit_point(claim, job, "decade", ports.now)
    assert (ports.job(job.id).state, ports.job(job.id).commit) == (State.COMMITTING, "c0ffee")


def test_the_owner_of_one_lane_cannot_write_about_the_job_of_another(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    scott, _ = take(ports, "w1")
    maria, marias = take(ports, "w2")
    assert scott.fence == maria.fence
    with pytest.raises(LostOwnership):
        ports.engine.attempts.finish(scott, marias, DONE, ports.now)
    assert ports.job(marias.id).state == State.RUNNING


def test_only_a_committing_job_can_be_reopened(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.clock.advance(timedelta(seconds=20))
    with pytest.raises(LostOwnership):
        ports.engine.attempts.reopen(claim, job, "refused", ports.now)
    assert ports.job(job.id).deadline_at == job.deadline_at


def test_a_job_past_its_commit_point_cannot_go_back_into_the_line(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    committing = ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.attempts.retry(claim, committing, "the remote was away", timedelta(0), ports.now)
    assert ports.job(job.id).state == State.COMMITTING
