"""What every engine does when those whom a job needs do not want: too much to do is waited for, the rest is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import take
from webordinary.errors import Misconfigured, Overloaded
from webordinary.jobs.job import State
from webordinary.worker.attempt import Attempt
from webordinary.worker.heartbeat import AttemptControl

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim

AGENCY = "agency@example.com"
CREDIT = "The model's account does not pay for it: add credit."


@dataclass(slots=True)
class _Fails:
    """An edit whose model has its own word to say."""

    problem: Exception
    attempts: list[int] = field(default_factory=list)

    def run(self, _claim: Claim, job: Job, _pulse: AttemptControl) -> Ending:
        self.attempts.append(job.attempt)
        raise self.problem


def try_once(ports: Ports, edit: _Fails, claim: Claim, job: Job) -> None:
    attempt = Attempt(ports.engine, edit, ports.clock, ports.limits, lambda: None, AGENCY)
    attempt.run(claim, job, AttemptControl(claim, job, timedelta(0)))


def wait_for_head(ports: Ports, claim: Claim) -> tuple[timedelta, Job]:
    """Let minutes pass until the lane's head may be started again, and return how many and the job."""
    waited = timedelta(0)
    while (job := ports.engine.claims.start(claim, ports.now).job) is None:
        ports.clock.advance(timedelta(seconds=20))
        ports.engine.claims.beat(claim, None, ports.now)
        waited += timedelta(seconds=20)
    return waited, job


@pytest.mark.one_engine
def test_a_long_overload_is_waited_for_with_growing_pauses_and_costs_no_attempt(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    edit, pauses = _Fails(Overloaded("the model has too much to do")), []
    for _ in range(8):
        try_once(ports, edit, claim, job)
        assert ports.job(job.id).state == State.QUEUED
        pause, job = wait_for_head(ports, claim)
        pauses.append(pause / timedelta(minutes=1))
    assert pauses == [1, 2, 5, 10, 20, 30, 30, 30]
    assert edit.attempts == [1] * 8


def test_an_overload_that_outlasts_the_patience_of_a_job_is_told_as_what_it_is(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    try_once(ports, _Fails(Overloaded("the model has too much to do")), claim, job)
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    ended = ports.job(job.id)
    assert (ended.state, ended.error) == (State.FAILED, "it waited too long: the model has too much to do")


@pytest.mark.parametrize("agency", [AGENCY, None])
def test_what_only_the_agency_can_mend_ends_at_the_first_try_and_is_told_to_it_once(
    ports: Ports, agency: str | None
) -> None:
    ports.queue()
    ports.queue()
    claim, job = take(ports)
    edit = _Fails(Misconfigured(CREDIT))
    attempt = Attempt(ports.engine, edit, ports.clock, ports.limits, lambda: None, agency)
    after = attempt.run(claim, job, AttemptControl(claim, job, timedelta(0)))
    assert after is not None
    assert after.job is not None
    attempt.run(claim, after.job, AttemptControl(claim, after.job, timedelta(0)))
    assert edit.attempts == [1, 1]
    assert {ports.job(each).state for each in (job.id, after.job.id)} == {State.FAILED}
    found = [letter for letter in ports.engine.outbox.take_due("one", ports.now) if letter.kind == "alarm"]
    assert [(each.to, each.words, each.facts["reason"]) for each in found] == (
        [(AGENCY, "out_of_order", CREDIT)] if agency else []
    )
