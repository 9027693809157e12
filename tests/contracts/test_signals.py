"""What every engine promises about the wakeups: who waits is woken by what happens, wherever it listens just then."""

from __future__ import annotations

from contextlib import ExitStack, closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.interrupts.decide import InterruptRule

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.interrupts.signals import WakeupListener
    from webordinary.ownership.claim import Claim

LONG = timedelta(seconds=60)
NOT_AT_ALL = timedelta(0)
SECOND = timedelta(seconds=1)
AT_ONCE = InterruptRule(first_after=timedelta(0))


def listen(ports: Ports, worker: str = "w1") -> closing[WakeupListener]:
    return closing(ports.engine.signals.listen(worker))


def idle_owners(ports: Ports, *owners: tuple[str, str]) -> list[Claim]:
    """Let each worker own its user's lane without work; the first of them was heard of first."""
    claims = []
    for worker, user in owners:
        ports.engine.claims.wait_for_work(worker, ports.now)
        ports.queue(lane=f"amelia#{user}")
        claim, job = take(ports, worker)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        claims.append(claim)
        ports.clock.advance(timedelta(seconds=1))
    return claims


def who_hears_of_a_lane_that_waits(ports: Ports, claims: list[Claim]) -> str:
    """Queue a job in a lane of nobody, and return the user whose lane's owner hears of it."""
    with ExitStack() as open_ears:
        events = {claim.lane: open_ears.enter_context(listen(ports, claim.worker)) for claim in claims}
        for lane, listener in events.items():
            listener.attend(lane)
        ports.queue(lane="amelia#tom")
        rounds = [NOT_AT_ALL, *[SECOND] * 10]
        return next(
            (lane.user for wait in rounds for lane, listener in events.items() if listener.wait(wait)), "nobody"
        )


@pytest.mark.parametrize("workers", [("w1", "w2"), ("w2", "w1")])
def test_the_owner_that_was_quiet_for_longest_is_asked_to_give_way(ports: Ports, workers: tuple[str, str]) -> None:
    claims = idle_owners(ports, *zip(workers, ("scott", "maria"), strict=True))
    assert who_hears_of_a_lane_that_waits(ports, claims) == "scott"


def test_an_owner_that_has_just_said_that_it_lives_is_asked_last(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    maria, scott = idle_owners(ports, ("w1", "maria"), ("w2", "scott"))
    ports.engine.claims.beat(maria, None, ports.now)
    assert who_hears_of_a_lane_that_waits(ports, [scott, maria]) == "scott"


def test_among_many_machines_a_beat_is_no_activity(ports_of_many_machines: Ports) -> None:
    ports = ports_of_many_machines
    scott, maria = idle_owners(ports, ("w1", "scott"), ("w2", "maria"))
    ports.engine.claims.beat(scott, None, ports.now)
    assert who_hears_of_a_lane_that_waits(ports, [maria, scott]) == "scott"


def test_an_owner_that_has_just_come_is_asked_last(ports: Ports) -> None:
    (scott,) = idle_owners(ports, ("w1", "scott"))
    ports.engine.claims.beat(scott, None, ports.now)
    ports.clock.advance(timedelta(seconds=1))
    (maria,) = idle_owners(ports, ("w2", "maria"))
    assert who_hears_of_a_lane_that_waits(ports, [maria, scott]) == "scott"


def test_an_owner_that_works_is_not_asked_to_give_way(ports: Ports) -> None:
    maria, scott = idle_owners(ports, ("w1", "maria"), ("w2", "scott"))
    ports.queue(lane="amelia#maria")
    assert ports.engine.claims.start(maria, ports.now).job is not None
    assert who_hears_of_a_lane_that_waits(ports, [scott, maria]) == "scott"


def test_a_ring_of_ones_own_ends_a_wait_and_counts_once(ports: Ports) -> None:
    with listen(ports) as listener:
        for _ in range(100_000):
            listener.wake()
        assert listener.wait(LONG)
        assert not listener.wait(NOT_AT_ALL)


def test_an_idle_worker_is_called_for_a_lane_that_nobody_owns(ports: Ports) -> None:
    with listen(ports) as listener:
        ports.engine.claims.wait_for_work("w1", ports.now)
        ports.queue()
        assert listener.wait(LONG)
        assert ports.engine.claims.claim("w1", ports.now)


def test_what_rang_before_anybody_waited_is_heard_at_the_next_wait(ports: Ports) -> None:
    ports.engine.claims.wait_for_work("w1", ports.now)
    with listen(ports) as listener:
        ports.queue()
        ports.clock.advance(ports.limits.ring_again)
        ports.queue()
        assert listener.wait(LONG)


def test_an_idle_owner_hears_of_the_next_job_of_its_lane(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        following = ports.queue()
        assert listener.wait(LONG)
        assert _started(ports, claim) == following


def test_an_owner_with_a_job_hears_that_somebody_wants_to_stop_it(ports: Ports) -> None:
    running = ports.queue()
    claim, _ = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane, working=True)
        ports.engine.lanes.stop(running, "scott", ports.now)
        assert listener.wait(LONG)
        assert ports.engine.claims.beat(claim, running, ports.now).interrupt


def test_an_owner_with_a_job_hears_of_a_newer_mail_in_another_thread(ports: Ports) -> None:
    running = ports.queue(thread="old")
    claim, _ = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane, working=True)
        ports.queue(thread="new", rule=AT_ONCE)
        assert listener.wait(LONG)
        assert ports.engine.claims.beat(claim, running, ports.now).interrupt


@pytest.mark.one_engine
def test_an_owner_hears_that_its_job_is_over_because_its_time_is(ports: Ports) -> None:
    running = ports.queue()
    claim, _ = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane, working=True)
        while ports.now.wall_at < (ports.job(running).deadline_at or ports.now.wall_at):
            ports.clock.advance(ports.limits.lease / 2)
            ports.engine.claims.beat(claim, running, ports.now)
        ports.engine.lanes.sweep(ports.now)
        assert listener.wait(LONG)
        assert ports.engine.claims.beat(claim, running, ports.now).over


def test_an_owner_whose_lease_was_ended_by_an_operator_hears_it(ports: Ports) -> None:
    ports.queue()
    claim, _ = take(ports)
    with listen(ports) as listener, listen(ports, "w2") as idle:
        ports.engine.claims.wait_for_work("w2", ports.now)
        listener.attend(claim.lane, working=True)
        ports.engine.lanes.release(claim.lane.key, "agency", ports.now)
        assert listener.wait(LONG)
        assert idle.wait(LONG)


def test_after_its_job_an_owner_hears_again_what_is_new_in_its_lane(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane, working=True)
        listener.wake()
        assert listener.wait(LONG)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        listener.attend(claim.lane)
        ports.queue()
        assert listener.wait(LONG)


def test_the_owner_of_a_quiet_lane_is_rung_when_nobody_else_is_free(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    with listen(ports) as listener:
        listener.attend(claim.lane)
        ports.queue(lane="amelia#maria")
        assert listener.wait(LONG)
        assert ports.engine.claims.start(claim, ports.now).others_wait


def test_whoever_takes_one_of_several_lanes_calls_somebody_for_the_next(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    ports.clock.advance(ports.limits.ring_again)
    with listen(ports, "w2") as listener:
        ports.engine.claims.wait_for_work("w2", ports.now)
        assert ports.engine.claims.claim("w1", ports.now)
        assert listener.wait(timedelta(seconds=5))


def test_a_worker_that_gave_its_lane_up_is_called_for_another(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    with listen(ports) as listener:
        listener.attend(claim.lane)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        assert ports.engine.claims.release(claim, ports.now)
        listener.attend(None)
        ports.engine.claims.wait_for_work("w1", ports.now)
        ports.queue(lane="amelia#maria")
        assert listener.wait(LONG)


def test_the_last_worker_of_a_lane_is_rung_first_on_one_machine(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    ports.queue()
    claim, job = take(ports, "warm")
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    ports.engine.claims.release(claim, ports.now)
    with listen(ports, "cold") as cold, listen(ports, "warm") as warm:
        for worker in ("cold", "warm"):
            ports.engine.claims.wait_for_work(worker, ports.now)
            ports.clock.advance(timedelta(seconds=1))
        ports.queue()
        assert warm.wait(LONG)
        assert not cold.wait(NOT_AT_ALL)


def _started(ports: Ports, claim: Claim) -> str | None:
    started = ports.engine.claims.start(claim, ports.now).job
    return started.id if started else None
