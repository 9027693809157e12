"""What every engine promises about whose turn it is among lanes: nobody who waits is passed over for ever."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.audit.entry import EventType
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, State

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SECOND = timedelta(seconds=1)


def test_a_lane_waits_from_the_moment_on_at_which_its_head_may_start(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    claim, job = take(ports, "w1")
    ports.engine.attempts.retry(claim, job, "away", timedelta(seconds=20), ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    ports.clock.advance(timedelta(seconds=10))
    ports.queue(lane="amelia#scott")
    ports.clock.advance(timedelta(seconds=11))
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2")] == ["scott", "maria"]


def test_a_verb_ends_the_wait_of_a_lane_whose_head_backs_off(ports: Ports) -> None:
    ports.queue(lane="amelia#maria", thread="a")
    claim, job = take(ports, "w1")
    ports.engine.attempts.retry(claim, job, "away", timedelta(hours=1), ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    ports.clock.advance(SECOND)
    verb = ports.queue(lane="amelia#maria", thread="b", kind=Kind.VERB)
    ports.clock.advance(SECOND)
    ports.queue(lane="amelia#scott")
    ports.clock.advance(SECOND)
    assert take(ports, "w1")[1].id == verb


def test_a_lane_that_waited_when_the_clock_was_set_back_keeps_its_turn(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    ports.clock.jump(timedelta(days=-1))
    ports.engine.lanes.sweep(ports.now)
    ports.clock.advance(SECOND)
    ports.queue(lane="amelia#scott")
    ports.clock.advance(SECOND)
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2")] == ["maria", "scott"]


def test_nobody_is_called_for_a_paused_lane_whose_owner_died(ports: Ports) -> None:
    ports.queue()
    take(ports, "dead")
    ports.engine.lanes.pause("amelia", "not now", ports.now)
    ports.engine.claims.lapse("dead", ports.now)
    listener = ports.engine.signals.listen("free")
    ports.engine.claims.wait_for_work("free", ports.now)
    while listener.wait(timedelta(0)):
        """Whoever died was told of."""
    ports.clock.advance(ports.limits.ring_again)
    ports.engine.lanes.sweep(ports.now)
    assert not listener.wait(timedelta(0))
    ports.engine.lanes.resume("amelia", "scott", ports.now)
    assert listener.wait(timedelta(seconds=30))
    listener.close()


def test_a_project_that_is_not_paused_is_not_resumed(ports: Ports) -> None:
    ports.queue()
    assert not ports.engine.lanes.resume("amelia", "scott", ports.now)
    assert not [entry for entry in ports.engine.trail.read() if entry.what == EventType.PROJECT_RESUMED]


def test_only_what_ended_badly_is_driven_again(ports: Ports) -> None:
    job = ports.queue()
    with pytest.raises(Refused):
        ports.engine.lanes.redrive(job, "scott", ports.now)
    ports.engine.attempts.finish(*take(ports), DONE, ports.now)
    with pytest.raises(Refused):
        ports.engine.lanes.redrive(job, "scott", ports.now)


def test_a_job_that_was_set_aside_fails_when_nobody_comes_to_resume_it(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="b", rule=InterruptRule(first_after=timedelta(0)))
    ports.engine.claims.give_back(claim, ports.now)
    assert ports.job(first).state == State.PARKED
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(first).state == State.FAILED


def test_a_job_that_was_set_aside_is_told_to_go_on_and_not_to_begin(ports: Ports) -> None:
    first = ports.queue(thread="a")
    claim, _ = take(ports)
    ports.queue(thread="b", rule=InterruptRule(first_after=timedelta(0)))
    ports.engine.claims.give_back(claim, ports.now)
    claim, newer = take(ports)
    ports.engine.attempts.finish(claim, newer, DONE, ports.now)
    told = [entry.what for entry in ports.engine.trail.read(job=first)]
    assert (told.count(EventType.JOB_STARTED), told[-1]) == (1, EventType.JOB_RESUMED)


def test_a_job_waits_no_longer_because_the_owner_of_its_lane_died(ports: Ports) -> None:
    running, waiting = ports.queue(), ports.queue()
    take(ports, "dead")
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert (ports.job(running).state, ports.job(waiting).state) == (State.RUNNING, State.FAILED)


def test_what_a_person_stopped_is_told_as_stopped_by_whoever_takes_it_over(ports: Ports) -> None:
    job = ports.queue()
    take(ports, "dead")
    ports.engine.lanes.stop(job, "scott", ports.now)
    ports.clock.advance(ports.limits.lease)
    ports.engine.claims.claim("w2", ports.now)
    assert ports.job(job).error == "stopped by scott"


def test_an_owner_whose_job_somebody_else_has_ended_is_woken(ports: Ports) -> None:
    ports.queue()
    listener = ports.engine.signals.listen("w1")
    claim, job = take(ports, "w1")
    listener.attend(claim.lane, working=True)
    while listener.wait(timedelta(0)):
        """It was called for the lane."""
    ports.engine.callbacks.succeed(job.token or "", "it is done", ports.now)
    assert listener.wait(timedelta(seconds=30))
    listener.close()


def test_a_clock_that_was_set_back_silences_nobody(ports: Ports) -> None:
    with closing(ports.engine.signals.listen("free")) as listener:
        ports.engine.claims.wait_for_work("free", ports.now)
        ports.queue()
        while listener.wait(timedelta(0)):
            """It was called for the first of them."""
        ports.clock.jump(timedelta(hours=-1))
        ports.queue()
        assert listener.wait(timedelta(seconds=30))


def test_a_wall_clock_that_is_set_forward_fails_nothing_that_runs(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    job = ports.queue()
    take(ports)
    ports.clock.jump(timedelta(days=1))
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state == State.RUNNING


def test_a_wall_clock_that_is_set_back_lets_nothing_run_for_longer(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    ports.queue()
    claim, job = take(ports)
    ports.clock.jump(timedelta(days=-1))
    for _ in range(int(ports.limits.deadline / ports.limits.beat) + 1):
        ports.clock.advance(ports.limits.beat)
        ports.engine.claims.beat(claim, job.id, ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job.id).state == State.FAILED
