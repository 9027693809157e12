"""What every engine promises about owning a lane."""

from __future__ import annotations

from contextlib import closing
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


def test_a_lane_whose_owner_died_waits_no_longer_than_one_that_is_ready(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    take(ports, "dead")
    ports.clock.advance(ports.limits.lease + timedelta(seconds=1))
    ports.queue(lane="amelia#scott")
    ports.clock.advance(timedelta(seconds=1))
    ports.queue(lane="amelia#eve")
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2", "w3")] == ["maria", "scott", "eve"]


def test_a_lane_that_is_ready_for_longer_goes_before_one_whose_owner_just_died(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    take(ports, "dead")
    ports.queue(lane="amelia#scott")
    ports.clock.advance(timedelta(seconds=1))
    ports.engine.claims.lapse("dead", ports.now)
    ports.clock.advance(timedelta(seconds=1))
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2")] == ["scott", "maria"]


def test_what_may_be_half_published_is_settled_before_anything_else(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    first, job = take(ports, "dead")
    ports.engine.attempts.pass_commit_point(first, job, "c0ffee", ports.now)
    ports.clock.advance(timedelta(seconds=1))
    ports.engine.claims.lapse("dead", ports.now)
    claim, again = take(ports, "w1")
    assert (claim.lane, again.id, again.state) == (first.lane, job.id, State.COMMITTING)


def test_the_time_of_a_job_stands_still_while_nobody_runs_it(ports: Ports) -> None:
    ports.queue()
    _, job = take(ports, "dead")
    ports.clock.advance(ports.limits.deadline + ports.limits.lease)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job.id).state == State.RUNNING
    claim, again = take(ports, "w1")
    assert (again.id, again.attempt) == (job.id, 2)
    assert ports.engine.attempts.finish(claim, again, DONE, ports.now).job is None
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == [None]


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
        lambda: ports.engine.attempts.leave_publish_slot(old, job, ports.now),
        lambda: ports.engine.claims.give_back(old, ports.now),
        lambda: ports.engine.claims.release(old, ports.now),
        lambda: ports.engine.claims.start(old, ports.now),
    ):
        with pytest.raises(LostOwnership):
            stale()
    after = ports.engine.attempts.finish(new, again, DONE, ports.now)
    assert after.job is not None
    assert after.job.id == second


def test_a_jump_of_the_wall_clock_lapses_no_lease(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    ports.queue()
    claim, job = take(ports)
    ports.clock.jump(timedelta(minutes=5))
    ports.engine.claims.beat(claim, job.id, ports.now)
    ports.clock.jump(timedelta(minutes=-10))
    ports.engine.claims.beat(claim, job.id, ports.now)
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_after_a_reboot_every_lease_is_over(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    ports.queue()
    old, job = take(ports, "w1")
    ports.clock.reboot()
    new, again = take(ports, "w2")
    assert (again.id, new.fence) == (job.id, old.fence + 1)


def test_the_restart_of_one_machine_ends_no_lease_before_its_time(ports_of_many_machines: Ports) -> None:
    ports = ports_of_many_machines
    ports.queue()
    claim, job = take(ports, "w1")
    ports.clock.reboot()
    ports.engine.claims.beat(claim, job.id, ports.now)
    assert ports.engine.claims.claim("w2", ports.now) is None
    ports.clock.advance(ports.limits.lease)
    assert take(ports, "w2")[1].id == job.id


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


@pytest.mark.one_engine
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
    ports.clock.advance(ports.limits.idle_lease)
    ports.engine.lanes.sweep(ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.claims.start(claim, ports.now)


def test_every_try_to_claim_is_counted_with_its_result(ports: Ports) -> None:
    for worker in ("w1", "w2"):
        ports.engine.claims.wait_for_work(worker, ports.now)
    ports.queue()
    take(ports, "w1")
    until = ports.now.wall_at + timedelta(seconds=30)
    ports.engine.claims.say_health("w2", failures=5, holds_back_until=until, now=ports.now)
    won, failed = ports.engine.overview.workers()
    assert (won.claims_won, won.claims_failed, won.idle, won.holds_back_until) == (1, 0, False, None)
    assert (failed.claims_won, failed.claims_failed, failed.idle, failed.holds_back_until) == (0, 5, True, until)


def test_claim_requests_are_rate_limited_and_the_suppressed_ones_counted(ports: Ports) -> None:
    for _ in range(4):
        ports.queue()
    (view,) = ports.engine.overview.lanes(ports.now)
    assert (view.rings, view.rings_suppressed) == (1, 3)
    ports.clock.advance(ports.limits.ring_again)
    ports.engine.lanes.sweep(ports.now)
    (view,) = ports.engine.overview.lanes(ports.now)
    assert view.rings == 2


@pytest.mark.parametrize("leave", ["give back", "lapse", "release"])
def test_a_mail_right_after_a_lane_was_left_with_nothing_in_it_is_called_for(ports: Ports, leave: str) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    match leave:
        case "give back":
            ports.engine.claims.give_back(claim, ports.now)
        case "lapse":
            ports.engine.claims.lapse("w1", ports.now)
        case _:
            ports.engine.lanes.release(claim.lane.key, "scott", ports.now)
    (before,) = ports.engine.overview.lanes(ports.now)
    ports.queue()
    (after,) = ports.engine.overview.lanes(ports.now)
    assert (after.rings - before.rings, after.rings_suppressed - before.rings_suppressed) == (1, 0)


def test_a_mail_whose_files_were_still_brought_when_its_lane_was_given_back_is_called_for(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    late = ports.engine.lanes.accept(ports.new_job(), ports.now).job
    ports.engine.claims.give_back(claim, ports.now)
    (before,) = ports.engine.overview.lanes(ports.now)
    ports.engine.lanes.enqueue(late, QUEUE, ports.now)
    (after,) = ports.engine.overview.lanes(ports.now)
    assert (after.rings - before.rings, after.rings_suppressed - before.rings_suppressed) == (1, 0)


def test_somebody_is_called_for_the_lane_that_a_dead_owner_left_with_work(ports: Ports) -> None:
    ports.queue()
    take(ports, "w1")
    (before,) = ports.engine.overview.lanes(ports.now)
    ports.engine.claims.lapse("w1", ports.now)
    (after,) = ports.engine.overview.lanes(ports.now)
    assert after.rings - before.rings == 1


def test_nobody_is_called_for_a_lane_in_which_nothing_waits(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports, "w1")
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    with closing(ports.engine.signals.listen("w2")) as listener:
        ports.engine.claims.wait_for_work("w2", ports.now)
        ports.engine.claims.give_back(claim, ports.now)
        assert not listener.wait(timedelta(0))


def test_the_owner_of_a_paused_lane_hears_that_others_wait(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    ports.engine.lanes.pause("amelia", "trouble", ports.now)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    ports.queue(lane="flora#tom")
    seen = ports.engine.claims.start(claim, ports.now)
    assert (seen.job, seen.others_wait) == (None, True)


def test_an_idle_owner_hears_that_a_dead_worker_left_a_lane_behind(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    claim, job = take(ports, "w1")
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    ports.queue(lane="amelia#maria")
    take(ports, "w2")
    assert not ports.engine.claims.start(claim, ports.now).others_wait
    ports.engine.claims.lapse("w2", ports.now)
    assert ports.engine.claims.start(claim, ports.now).others_wait
    assert ports.engine.claims.beat(claim, None, ports.now).others_wait


def test_an_owner_of_many_short_jobs_keeps_its_lane_although_it_never_beats(ports: Ports) -> None:
    for _ in range(6):
        ports.queue()
    claim, job = take(ports)
    for _ in range(5):
        ports.clock.advance(ports.limits.lease * 0.9)
        following = ports.engine.attempts.finish(claim, job, DONE, ports.now).job
        assert following is not None
        job = following
    assert ports.engine.claims.claim("w2", ports.now) is None


def test_an_owner_that_starts_a_job_is_alive_and_keeps_its_lane_for_another_lease(ports: Ports) -> None:
    ports.queue()
    second = ports.queue()
    claim, job = take(ports)
    ports.clock.advance(ports.limits.lease - timedelta(seconds=1))
    started = ports.engine.attempts.finish(claim, job, DONE, ports.now).job
    assert started is not None
    ports.clock.advance(ports.limits.lease - timedelta(seconds=1))
    assert not ports.engine.claims.beat(claim, second, ports.now).over


def test_starting_a_job_does_not_bring_back_a_lease_that_is_over(ports: Ports) -> None:
    ports.queue()
    second = ports.queue()
    claim, job = take(ports)
    ports.clock.advance(ports.limits.lease)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.claims.beat(claim, second, ports.now)


def test_an_owner_that_goes_idle_keeps_its_lane_for_the_lease_of_idle_ones(ports: Ports) -> None:
    assert ports.limits.idle_lease > ports.limits.lease
    ports.queue()
    claim, job = take(ports)
    ports.clock.advance(timedelta(seconds=1))
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    for _ in range(2):
        ports.clock.advance(ports.limits.idle_lease - timedelta(seconds=1))
        ports.engine.claims.beat(claim, None, ports.now)
    following = ports.queue()
    assert ports.engine.claims.start(claim, ports.now).job
    # With a job it must show itself sooner again.
    ports.clock.advance(ports.limits.lease)
    with pytest.raises(LostOwnership):
        ports.engine.claims.beat(claim, following, ports.now)


def test_going_idle_does_not_bring_back_a_lease_that_is_over(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.clock.advance(ports.limits.lease)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    with pytest.raises(LostOwnership):
        ports.engine.claims.beat(claim, None, ports.now)


def test_an_idle_owner_that_missed_a_bell_hears_by_its_beat_that_jobs_wait(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    assert not ports.engine.claims.beat(claim, None, ports.now).pending
    ports.queue()
    assert ports.engine.claims.beat(claim, None, ports.now).pending


def test_an_owner_knows_how_long_the_head_of_its_lane_waits_for_its_backoff(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    wait = timedelta(seconds=10)
    assert ports.engine.attempts.retry(claim, job, "away", wait, ports.now).again_in == wait
    ports.clock.advance(timedelta(seconds=4))
    assert ports.engine.claims.start(claim, ports.now).again_in == timedelta(seconds=6)
    ports.clock.advance(timedelta(seconds=6))
    again = ports.engine.claims.start(claim, ports.now)
    assert (again.job.id if again.job else None, again.again_in) == (job.id, None)


def test_a_claim_says_how_long_its_lane_has_waited(ports: Ports) -> None:
    ports.queue()
    ports.clock.advance(timedelta(seconds=7))
    claimed = ports.engine.claims.claim("w1", ports.now)
    assert claimed is not None
    assert claimed.waited == timedelta(seconds=7)
    ports.clock.advance(ports.limits.lease + timedelta(seconds=3))
    again = ports.engine.claims.claim("w2", ports.now)
    assert again is not None
    assert again.waited == timedelta(seconds=3)


def test_the_trail_says_how_long_a_job_waited_and_how_long_it_took(ports: Ports) -> None:
    ports.queue()
    ports.clock.advance(timedelta(seconds=2))
    claim, job = take(ports)
    ports.engine.attempts.journal(claim, job, "edited", {"usd": "0.0300"}, ports.now)
    ports.clock.advance(timedelta(seconds=5))
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    started, ended = (ports.engine.trail.read()[index].facts for index in (3, -1))
    assert started["waited_s"] == "2.000"
    assert (ended["took_s"], ended["usd"], ended["outcome"]) == ("5.000", "0.0300", "published")
