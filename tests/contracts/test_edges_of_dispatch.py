"""The edges of dispatch on the embedded engine: what is counted when a worker changes lanes, and who repeated what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_giving_way import change_lanes
from tests.contracts.test_lanes import take
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Ending, State

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]


def test_a_worker_that_changes_lanes_has_won_two_claims(ports: Ports) -> None:
    ports.engine.claims.wait_for_work("w1", ports.now)
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    ports.queue(lane="amelia#maria")
    assert change_lanes(ports, claim, job) is not None
    (worker,) = ports.engine.overview.workers()
    assert (worker.worker, worker.claims_won, worker.claims_lost) == ("w1", 2, 0)


def test_the_trail_tells_who_has_repeated_which_job(ports: Ports) -> None:
    first = ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="the build broke"), ports.now)
    again = ports.engine.lanes.redrive(first, "anna", ports.now)
    (entry,) = [each for each in ports.engine.trail.read(job=again) if each.what is EventType.JOB_REDRIVEN]
    assert entry.facts == {"by": "anna", "repeats": first}
    assert ports.job(again).repeats == first
