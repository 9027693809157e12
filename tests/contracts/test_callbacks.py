"""What every engine promises to whoever holds a task token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.dispatch.flow import Waiting
from webordinary.dispatch.lanes import StoredLanes
from webordinary.errors import LostOwnership, TryAgain
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def token_of(ports: Ports, job: str) -> str:
    token = ports.job(job).token
    assert token is not None
    return token


def test_finishing_a_job_answers_its_token_with_its_outcome(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    token = token_of(ports, job_id)
    before = ports.engine.callbacks.read(token)
    assert before is not None
    assert before.answer is None
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    after = ports.engine.callbacks.read(token)
    assert after is not None
    assert after.answer == "success"
    assert "published" in after.output


def test_a_failed_job_answers_its_token_with_failure(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="it broke"), ports.now)
    answered = ports.engine.callbacks.read(token_of(ports, job_id))
    assert answered is not None
    assert answered.answer == "failure"


def test_late_and_second_answers_are_refused(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    token = token_of(ports, job_id)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    callbacks = ports.engine.callbacks
    with pytest.raises(LostOwnership):
        callbacks.succeed(token, "again", ports.now)
    with pytest.raises(LostOwnership):
        callbacks.fail(token, "no", ports.now)
    with pytest.raises(LostOwnership):
        callbacks.beat(token, ports.now)
    answered = callbacks.read(token)
    assert answered is not None
    assert answered.answer == "success"


def test_an_unknown_token_is_refused(ports: Ports) -> None:
    with pytest.raises(LostOwnership):
        ports.engine.callbacks.succeed("made-up", "", ports.now)
    assert ports.engine.callbacks.read("made-up") is None


def test_an_answer_by_token_ends_the_job_and_tells_its_owner(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.callbacks.beat(token_of(ports, job_id), ports.now)
    ports.engine.callbacks.fail(token_of(ports, job_id), "the flow gave up", ports.now)
    assert ports.job(job_id).state == State.FAILED
    assert ports.engine.claims.beat(claim, job_id, ports.now).over
    with pytest.raises(LostOwnership):
        ports.engine.attempts.finish(claim, job, DONE, ports.now)


def test_an_answer_by_token_cannot_overtake_a_commit(ports: Ports) -> None:
    job_id = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    with pytest.raises(TryAgain):
        ports.engine.callbacks.fail(token_of(ports, job_id), "the flow gave up", ports.now)
    assert ports.job(job_id).state == State.COMMITTING


def test_a_token_that_a_newer_one_has_replaced_is_refused(ports: Ports) -> None:
    name = ports.queue()
    older = ports.job(name).token or ""
    lanes = ports.engine.lanes
    assert isinstance(lanes, StoredLanes)
    lanes.enqueue(name, InterruptRule("queue"), ports.now, waiting=Waiting("newer"))
    with pytest.raises(LostOwnership):
        ports.engine.callbacks.succeed(older, "too late", ports.now)
    assert ports.job(name).state == State.QUEUED
