"""What every engine promises about the line of a lane."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Attached, Ending, Kind, Outcome, State
from webordinary.jobs.lanes import Stopped

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

DONE = Ending(State.DONE, Outcome.PUBLISHED)


def take(ports: Ports, worker: str = "w1") -> tuple[Claim, Job]:
    claimed = ports.engine.claims.claim(worker, ports.now)
    assert claimed is not None
    assert claimed.job is not None
    return claimed.claim, claimed.job


def work_off(ports: Ports) -> list[str]:
    """Do everything that can be done, and return the jobs in the order in which they were done."""
    done = []
    while claimed := ports.engine.claims.claim("w1", ports.now):
        job = claimed.job
        while job is not None:
            done.append(job.id)
            job = ports.engine.attempts.finish(claimed.claim, job, DONE, ports.now).job
        ports.engine.claims.give_back(claimed.claim, ports.now)
    return done


def test_the_same_request_is_accepted_once(ports: Ports) -> None:
    first = ports.engine.lanes.accept(ports.new_job(dedup_key="same"), ports.now)
    second = ports.engine.lanes.accept(ports.new_job(dedup_key="same"), ports.now)
    assert first.fresh
    assert second == type(first)(first.job, fresh=False)
    assert [view.pending for view in ports.engine.overview.lanes(ports.now)] == [1]


def test_jobs_of_a_lane_are_done_in_the_order_of_their_acceptance(ports: Ports) -> None:
    jobs = [ports.queue(thread=f"t{number}", rule=InterruptRule("queue")) for number in range(5)]
    assert work_off(ports) == jobs


def test_a_job_that_is_being_prepared_keeps_its_place(ports: Ports) -> None:
    first = ports.new_job()
    ports.engine.lanes.accept(first, ports.now)
    second = ports.queue()
    assert ports.engine.claims.claim("w1", ports.now) is None
    ports.engine.lanes.enqueue(first.id, InterruptRule(), ports.now)
    assert work_off(ports) == [first.id, second]


def test_enqueueing_twice_is_harmless(ports: Ports) -> None:
    job = ports.queue()
    ports.engine.lanes.enqueue(job, InterruptRule(), ports.now)
    assert work_off(ports) == [job]
    ports.engine.lanes.enqueue(job, InterruptRule(), ports.now)
    assert work_off(ports) == []


def test_a_verb_goes_before_waiting_instructions_of_other_threads(ports: Ports) -> None:
    first, second = ports.queue(thread="a"), ports.queue(thread="b")
    verb = ports.queue(thread="c", kind=Kind.VERB)
    assert work_off(ports) == [verb, first, second]


def test_a_verb_never_goes_before_an_earlier_mail_of_its_thread(ports: Ports) -> None:
    other, mine = ports.queue(thread="a"), ports.queue(thread="b")
    verb = ports.queue(thread="b", kind=Kind.VERB)
    assert work_off(ports) == [other, mine, verb]


def test_a_newer_mail_in_another_thread_interrupts_exactly_what_runs(ports: Ports) -> None:
    old = ports.queue(thread="a")
    claim, job = take(ports)
    ports.clock.advance(timedelta(seconds=25))
    ports.engine.claims.beat(claim, job.id, ports.now)
    new = ports.queue(thread="b")
    beat = ports.engine.claims.beat(claim, old, ports.now)
    assert beat.interrupt is not None
    assert (beat.interrupt.why, beat.interrupt.by) == (Why.INTERRUPT, new)
    after = ports.engine.attempts.park(claim, job, ports.now)
    assert after.job is not None
    assert after.job.id == new
    assert ports.engine.claims.beat(claim, new, ports.now).interrupt is None


def test_an_interrupt_is_not_due_before_the_job_has_run_for_a_while(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    ports.queue(thread="b")
    beat = ports.engine.claims.beat(claim, job.id, ports.now)
    assert beat.interrupt is not None
    assert beat.interrupt.due_at == ports.now.wall_at + ports.limits.first_interrupt_after


def test_a_mail_of_the_same_thread_waits(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="a")
    assert ports.engine.claims.beat(claim, first, ports.now).interrupt is None


@pytest.mark.parametrize(("rule", "why"), [("queue", None), ("drop", Why.DROP), ("interrupt", Why.INTERRUPT)])
def test_the_projects_rule_decides_about_interrupting(ports: Ports, rule: str, why: Why | None) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="b", rule=InterruptRule(rule))
    interrupt = ports.engine.claims.beat(claim, first, ports.now).interrupt
    assert (interrupt.why if interrupt else None) == why


def test_a_verb_never_interrupts(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="b", kind=Kind.VERB)
    assert ports.engine.claims.beat(claim, first, ports.now).interrupt is None


def test_a_newcomer_that_cannot_start_yet_does_not_interrupt(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.engine.lanes.accept(ports.new_job(thread="b"), ports.now)
    ports.queue(thread="b")
    assert ports.engine.claims.beat(claim, first, ports.now).interrupt is None


def test_a_job_is_interrupted_twice_at_most(ports: Ports) -> None:
    old = ports.queue(thread="a")
    claim, job = take(ports)
    for number in range(2):
        new = ports.queue(thread=f"b{number}")
        after = ports.engine.attempts.park(claim, job, ports.now)
        assert after.job is not None
        assert after.job.id == new
        resumed = ports.engine.attempts.finish(claim, after.job, DONE, ports.now).job
        assert resumed is not None
        job = resumed
        assert job.id == old
    ports.queue(thread="c")
    assert ports.engine.claims.beat(claim, old, ports.now).interrupt is None


def test_the_interrupters_thread_goes_first_and_a_correction_stays_behind_its_mail(ports: Ports) -> None:
    first, correction = ports.queue(thread="a"), ports.queue(thread="a")
    claim, job = take(ports)
    assert job.id == first
    newer = ports.queue(thread="b")
    newest = ports.queue(thread="b")
    following = ports.engine.attempts.park(claim, job, ports.now).job
    order = []
    while following is not None:
        order.append(following.id)
        following = ports.engine.attempts.finish(claim, following, DONE, ports.now).job
    assert order == [newer, newest, first, correction]


def test_a_person_stops_a_waiting_job_at_once(ports: Ports) -> None:
    job = ports.queue(reply_to="scott@example.org")
    assert ports.engine.lanes.stop(job, "scott", ports.now) == Stopped.ENDED
    assert ports.job(job).state == State.STOPPED
    assert [letter.words for letter in ports.engine.outbox.take_due("s", ports.now)] == ["stopped"]
    assert work_off(ports) == []
    assert ports.engine.lanes.stop(job, "scott", ports.now) == Stopped.OVER


def test_a_persons_stop_replaces_a_newcomers_interrupt(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="b")
    assert ports.engine.lanes.stop(first, "scott", ports.now) == Stopped.ASKED
    interrupt = ports.engine.claims.beat(claim, first, ports.now).interrupt
    assert interrupt is not None
    assert interrupt.why == Why.STOP
    ports.queue(thread="c")
    interrupt = ports.engine.claims.beat(claim, first, ports.now).interrupt
    assert interrupt is not None
    assert interrupt.why == Why.STOP


def test_after_the_commit_point_a_stop_is_too_late(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    assert ports.engine.lanes.stop(job_id, "scott", ports.now) == Stopped.TOO_LATE


def test_a_job_that_waits_too_long_fails_with_an_answer(ports: Ports) -> None:
    job = ports.queue(reply_to="scott@example.org")
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state == State.FAILED
    # It was never worked on, so there is nothing to ask for in smaller pieces.
    assert [letter.words for letter in ports.engine.outbox.take_due("s", ports.now)] == ["our_fault"]


def test_a_job_that_is_never_made_ready_fails_and_frees_the_lane(ports: Ports) -> None:
    stuck = ports.new_job()
    ports.engine.lanes.accept(stuck, ports.now)
    behind = ports.queue()
    ports.clock.advance(ports.limits.prepare_by)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(stuck.id).state == State.FAILED
    assert work_off(ports) == [behind]


def test_a_job_over_its_deadline_fails_and_its_owner_is_told(ports: Ports) -> None:
    job_id = ports.queue()
    claim, _ = take(ports)
    left = ports.limits.deadline
    while left > timedelta(0):
        ports.clock.advance(timedelta(seconds=20))
        left -= timedelta(seconds=20)
        ports.engine.claims.beat(claim, job_id, ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job_id).state == State.FAILED
    assert ports.engine.claims.beat(claim, job_id, ports.now).over


def test_a_committing_job_is_never_failed_by_time(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job_id).state == State.COMMITTING


def test_a_paused_project_starts_nothing_and_patience_stands_still(ports: Ports) -> None:
    job = ports.queue()
    assert ports.engine.lanes.pause("amelia", "too many failures", ports.now)
    assert not ports.engine.lanes.pause("amelia", "again", ports.now)
    assert ports.engine.claims.claim("w1", ports.now) is None
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state == State.QUEUED
    assert ports.engine.lanes.resume("amelia", "the agency", ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert work_off(ports) == [job]


def test_a_new_lane_of_a_paused_project_is_paused_too(ports: Ports) -> None:
    ports.engine.lanes.pause("amelia", "too many failures", ports.now)
    ports.queue(lane="amelia#maria")
    assert ports.engine.claims.claim("w1", ports.now) is None


def test_redriving_makes_a_new_job_that_names_the_old_one(ports: Ports) -> None:
    job = ports.queue()
    claim, running = take(ports)
    with pytest.raises(Refused):
        ports.engine.lanes.redrive(job, "agency", ports.now)
    ports.engine.attempts.finish(claim, running, Ending(State.DEAD, error="it broke"), ports.now)
    again = ports.engine.lanes.redrive(job, "agency", ports.now)
    assert ports.job(again).repeats == job
    assert ports.job(job).state == State.DEAD
    started = ports.engine.claims.start(claim, ports.now).job
    assert started is not None
    assert started.id == again


def test_asking_for_the_same_job_again_twice_is_one_job(ports: Ports) -> None:
    job = ports.queue()
    claim, running = take(ports)
    ports.engine.attempts.finish(claim, running, Ending(State.FAILED, error="no"), ports.now)
    first = ports.engine.lanes.redrive(job, "scott", ports.now, key="mail-1")
    assert ports.engine.lanes.redrive(job, "scott", ports.now, key="mail-1") == first
    assert ports.engine.lanes.redrive(job, "scott", ports.now, key="mail-2") != first


def test_whoever_interrupts_a_lane_by_hand_is_in_the_trail(ports: Ports) -> None:
    job = ports.queue()
    claim, _ = take(ports)
    assert ports.engine.lanes.interrupt("amelia#scott", "the agency", ports.now) == job
    asked = [entry for entry in ports.engine.trail.read() if entry.what == EventType.INTERRUPT_ASKED]
    assert asked[0].facts["by"] == "the agency"
    assert ports.engine.claims.beat(claim, job, ports.now).interrupt is not None


def test_an_interrupt_by_hand_never_replaces_a_persons_stop(ports: Ports) -> None:
    job = ports.queue()
    claim, _ = take(ports)
    ports.engine.lanes.stop(job, "scott", ports.now)
    assert ports.engine.lanes.interrupt("amelia#scott", "the agency", ports.now) == job
    interrupt = ports.engine.claims.beat(claim, job, ports.now).interrupt
    assert interrupt is not None
    assert interrupt.why == Why.STOP


def test_an_interrupt_by_hand_hastens_a_newcomer_and_leaves_it_its_turn(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    newer = ports.queue(thread="b")
    ports.engine.lanes.interrupt("amelia#scott", "the agency", ports.now)
    interrupt = ports.engine.claims.beat(claim, job.id, ports.now).interrupt
    assert interrupt is not None
    assert interrupt.due_at <= ports.now.wall_at
    following = ports.engine.attempts.park(claim, job, ports.now).job
    assert following is not None
    assert following.id == newer


def test_a_verb_is_never_set_aside_by_hand(ports: Ports) -> None:
    verb = ports.queue(kind=Kind.VERB)
    claim, _ = take(ports)
    assert ports.engine.lanes.interrupt("amelia#scott", "the agency", ports.now) is None
    assert ports.engine.claims.beat(claim, verb, ports.now).interrupt is None


def test_a_newcomer_of_a_paused_project_interrupts_nothing_because_it_could_not_start(ports: Ports) -> None:
    job = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.engine.lanes.pause("amelia", "trouble", ports.now)
    ports.queue(thread="b")
    assert ports.engine.claims.beat(claim, job, ports.now).interrupt is None


def test_a_lane_is_not_ready_while_the_verb_at_its_head_is_being_prepared(ports: Ports) -> None:
    waiting = ports.queue(thread="a")
    verb = ports.new_job(thread="b", kind=Kind.VERB)
    ports.engine.lanes.accept(verb, ports.now)
    assert ports.engine.claims.claim("w1", ports.now) is None
    ports.engine.lanes.enqueue(verb.id, InterruptRule(), ports.now)
    assert work_off(ports) == [verb.id, waiting]


def test_a_job_that_was_prepared_has_its_files(ports: Ports) -> None:
    job = ports.new_job()
    ports.engine.lanes.accept(job, ports.now)
    photo = Attached("counter.jpg", "image/jpeg", "0" * 64)
    ports.engine.lanes.enqueue(job.id, InterruptRule(), ports.now, attachments=(photo,))
    _, taken = take(ports)
    assert taken.request == replace(job.request, attachments=(photo,))


def test_files_that_come_too_late_change_nothing(ports: Ports) -> None:
    job = ports.queue()
    ports.engine.lanes.enqueue(job, InterruptRule(), ports.now, attachments=(Attached("x", "text/plain", "1" * 64),))
    _, taken = take(ports)
    assert taken.request.attachments == ()
