"""What every engine promises about an idle owner that is rung: it starts its job in seconds, or another one does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.errors import LostOwnership
from webordinary.jobs.lanes import Stopped

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.ownership.claim import Claim

SECOND = timedelta(seconds=1)


def idle_owner(ports: Ports, worker: str = "w1") -> Claim:
    """Let a worker do a job, and keep the lane warm."""
    ports.queue()
    claim, job = take(ports, worker)
    assert ports.engine.attempts.finish(claim, job, DONE, ports.now).job is None
    return claim


def test_a_lane_whose_owner_does_not_answer_is_taken_by_another(ports: Ports) -> None:
    gone = idle_owner(ports)
    ports.clock.advance(SECOND)
    wanted = ports.queue()
    ports.clock.advance(ports.limits.answer - SECOND)
    assert ports.engine.claims.claim("w2", ports.now) is None
    ports.clock.advance(SECOND)
    claim, job = take(ports, "w2")
    assert (job.id, job.attempt) == (wanted, 1)
    assert claim.fence > gone.fence
    with pytest.raises(LostOwnership):
        ports.engine.claims.start(gone, ports.now)


def test_an_owner_that_answers_in_time_keeps_its_lane(ports: Ports) -> None:
    claim = idle_owner(ports)
    wanted = ports.queue()
    ports.clock.advance(ports.limits.answer - SECOND)
    started = ports.engine.claims.start(claim, ports.now).job
    assert started is not None
    assert started.id == wanted
    ports.clock.advance(2 * ports.limits.answer)
    assert ports.engine.claims.claim("w2", ports.now) is None
    ports.engine.claims.beat(claim, wanted, ports.now)


def test_an_owner_that_answers_too_late_starts_nothing_under_its_old_fence(ports: Ports) -> None:
    late = idle_owner(ports)
    wanted = ports.queue()
    ports.clock.advance(ports.limits.answer)
    with pytest.raises(LostOwnership):
        ports.engine.claims.start(late, ports.now)
    claim, job = take(ports, "w1")
    assert (job.id, job.attempt, claim.fence > late.fence) == (wanted, 1, True)


def test_an_owner_that_was_rung_for_what_is_gone_stays(ports: Ports) -> None:
    claim = idle_owner(ports)
    wanted = ports.queue()
    assert ports.engine.lanes.stop(wanted, "scott", ports.now) == Stopped.ENDED
    assert ports.engine.claims.start(claim, ports.now).job is None
    ports.clock.advance(2 * ports.limits.answer)
    ports.engine.claims.beat(claim, None, ports.now)


def test_an_owner_that_looks_at_its_quiet_lane_does_not_extend_its_lease(ports: Ports) -> None:
    claim = idle_owner(ports)
    ports.clock.advance(ports.limits.idle_lease - ports.limits.answer - SECOND)
    assert ports.engine.claims.start(claim, ports.now).job is None
    ports.clock.advance(ports.limits.answer + SECOND)
    with pytest.raises(LostOwnership):
        ports.engine.claims.beat(claim, None, ports.now)


def test_nobody_has_to_answer_for_a_job_that_cannot_start_yet(ports: Ports) -> None:
    ports.queue(thread="a")
    claim, job = take(ports)
    ports.engine.attempts.retry(claim, job, "away", timedelta(seconds=20), ports.now)
    ports.queue(thread="a")
    ports.clock.advance(2 * ports.limits.answer)
    ports.engine.claims.beat(claim, None, ports.now)


def test_nobody_has_to_answer_while_the_project_is_paused(ports: Ports) -> None:
    claim = idle_owner(ports)
    ports.engine.lanes.pause("amelia", "not now", ports.now)
    ports.queue()
    ports.clock.advance(2 * ports.limits.answer)
    ports.engine.claims.beat(claim, None, ports.now)


def test_a_second_mail_gives_the_owner_no_more_time(ports: Ports) -> None:
    idle_owner(ports)
    first = ports.queue(thread="a")
    ports.clock.advance(ports.limits.answer - SECOND)
    ports.queue(thread="a")
    ports.clock.advance(SECOND)
    assert take(ports, "w2")[1].id == first
