"""What every engine promises about owning a lane."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.errors import LostOwnership
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

QUEUE = InterruptRule("queue")


def test_only_one_worker_gets_a_lane(ports: Ports) -> None:
    ports.queue()
    take(ports, "w1")
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_there_is_nothing_to_claim_when_nothing_waits(ports: Ports) -> None:
    assert ports.engine.claims.claim("w1", ports.now) is None


def test_the_lane_that_has_waited_longest_comes_first(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    ports.clock.advance(timedelta(seconds=1))
    ports.queue(lane="amelia#scott")
    assert take(ports, "w1")[0].lane.user == "maria"
    assert take(ports, "w2")[0].lane.user == "scott"


def test_the_fence_grows_with_every_claim(ports: Ports) -> None:
    fences = []
    for _ in range(3):
        ports.queue()
        claim, job = take(ports)
        fences.append(claim.fence)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        assert ports.engine.claims.release(claim, ports.now)
    assert fences == sorted(set(fences))


def test_a_worker_that_slept_too_long_cannot_renew(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.clock.advance(ports.limits.lease)
    with pytest.raises(LostOwnership):
        ports.engine.claims.beat(claim, job.id, ports.now)


def test_a_worker_that_beats_keeps_its_lane(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    for _ in range(10):
        ports.clock.advance(ports.limits.lease - timedelta(seconds=1))
        ports.engine.claims.beat(claim, job.id, ports.now)
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_a_lapsed_lane_is_taken_over_with_its_running_job(ports: Ports) -> None:
    ports.queue(thread="a")
    second = ports.queue(thread="a")
    old, job = take(ports, "w1")
    ports.clock.advance(ports.limits.lease)
    new, again = take(ports, "w2")
    assert again.id == job.id
    assert again.attempt == 2
    assert new.fence > old.fence
    for stale in (
        lambda: ports.engine.claims.beat(old, job.id, ports.now),
        lambda: ports.engine.attempts.finish(old, job, DONE, ports.now),
        lambda: ports.engine.attempts.park(old, job, ports.now),
        lambda: ports.engine.attempts.retry(old, job, "x", timedelta(0), ports.now),
        lambda: ports.engine.attempts.journal(old, job, "step", {}, ports.now),
        lambda: ports.engine.attempts.pass_commit_point(old, job, "c", ports.now),
        lambda: ports.engine.attempts.take_publish_slot(old, job, ports.now),
        lambda: ports.engine.claims.give_back(old, ports.now),
        lambda: ports.engine.claims.release(old, ports.now),
        lambda: ports.engine.claims.start(old, ports.now),
    ):
        with pytest.raises(LostOwnership):
            stale()
    after = ports.engine.attempts.finish(new, again, DONE, ports.now)
    assert after.job is not None
    assert after.job.id == second


def test_a_jump_of_the_wall_clock_lapses_no_lease(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.clock.jump(timedelta(minutes=5))
    ports.engine.claims.beat(claim, job.id, ports.now)
    ports.clock.jump(timedelta(minutes=-10))
    ports.engine.claims.beat(claim, job.id, ports.now)
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_after_a_reboot_every_lease_is_over(ports: Ports) -> None:
    ports.queue()
    old, job = take(ports, "w1")
    ports.clock.reboot()
    new, again = take(ports, "w2")
    assert (again.id, new.fence) == (job.id, old.fence + 1)


def test_a_job_whose_workers_keep_dying_is_buried(ports: Ports) -> None:
    job = ports.queue()
    for number in range(ports.limits.attempts):
        take(ports, f"w{number}")
        ports.clock.advance(ports.limits.lease)
    claimed = ports.engine.claims.claim("last", ports.now)
    assert claimed is not None
    assert claimed.job is None
    assert ports.job(job).state == State.DEAD


def test_a_lane_with_pending_work_cannot_be_released(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    late = ports.queue()
    assert not ports.engine.claims.release(claim, ports.now)
    started = ports.engine.claims.start(claim, ports.now).job
    assert started is not None
    assert started.id == late


def test_a_lane_given_back_returns_its_job_to_its_place_without_counting_an_attempt(ports: Ports) -> None:
    ports.queue(thread="a")
    ports.queue(thread="b", rule=QUEUE)
    claim, job = take(ports, "w1")
    ports.engine.claims.give_back(claim, ports.now)
    assert ports.job(job.id).state == State.QUEUED
    _, again = take(ports, "w2")
    assert (again.id, again.attempt) == (job.id, 1)


def test_giving_back_an_interrupted_job_parks_it(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    newer = ports.queue(thread="b")
    ports.engine.claims.give_back(claim, ports.now)
    assert ports.job(job.id).state == State.PARKED
    assert take(ports, "w2")[1].id == newer


def test_giving_back_a_stopped_job_ends_it(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.lanes.stop(job.id, "scott", ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    assert ports.job(job.id).state == State.STOPPED


def test_a_takeover_obeys_the_interrupt_that_the_dead_owner_could_not(ports: Ports) -> None:
    ports.queue(thread="a")
    _, job = take(ports, "w1")
    newer = ports.queue(thread="b")
    ports.engine.claims.lapse("w1", ports.now)
    assert take(ports, "w2")[1].id == newer
    assert ports.job(job.id).state == State.PARKED


def test_a_takeover_obeys_a_persons_stop(ports: Ports) -> None:
    ports.queue()
    _, job = take(ports, "w1")
    ports.engine.lanes.stop(job.id, "scott", ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    claimed = ports.engine.claims.claim("w2", ports.now)
    assert claimed is not None
    assert claimed.job is None
    assert ports.job(job.id).state == State.STOPPED


def test_a_dead_workers_lanes_lapse_at_once(ports: Ports) -> None:
    ports.queue()
    old, job = take(ports, "w1")
    assert ports.engine.claims.lapse("w1", ports.now) == 1
    new, again = take(ports, "w2")
    assert (again.id, new.fence > old.fence) == (job.id, True)


def test_an_idle_owner_hears_that_others_wait(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    assert not ports.engine.claims.start(claim, ports.now).others_wait
    ports.queue(lane="amelia#maria")
    assert ports.engine.claims.start(claim, ports.now).others_wait


def test_a_busy_lane_gives_way_between_jobs_when_others_wait(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    ports.queue(lane="amelia#maria")
    after = ports.engine.attempts.finish(claim, job, DONE, ports.now)
    assert after.others_wait
    assert after.job is None


def test_every_ready_lane_is_claimed_in_its_turn(ports: Ports) -> None:
    for user in ("a", "b", "c", "d"):
        for _ in range(3):
            ports.queue(lane=f"amelia#{user}")
            ports.clock.advance(timedelta(milliseconds=1))
    turns = []
    while claimed := ports.engine.claims.claim("w1", ports.now):
        assert claimed.job is not None
        turns.append(claimed.claim.lane.user)
        ports.clock.advance(timedelta(milliseconds=1))
        ports.engine.attempts.finish(claimed.claim, claimed.job, DONE, ports.now)
        ports.engine.claims.give_back(claimed.claim, ports.now)
    assert turns == ["a", "b", "c", "d"] * 3


def test_an_empty_lane_whose_owner_is_gone_is_cleared_by_the_sweep(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    ports.clock.advance(ports.limits.lease)
    ports.engine.lanes.sweep(ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.claims.start(claim, ports.now)
