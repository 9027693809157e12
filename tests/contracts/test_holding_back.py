"""What every engine promises when claiming fails again and again: the worker leaves it to others for a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import TryAgain
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.clock import Moment
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim, Claimed
    from webordinary.worker.heartbeat import AttemptControl

ERRORS = 3
PAUSE = timedelta(seconds=30)


class _Nothing:
    """No work at all: nobody gets as far as that."""

    def run(self, _claim: Claim, _job: Job, _pulse: AttemptControl) -> Ending:
        raise NotImplementedError


@pytest.mark.one_engine
def test_a_worker_whose_claims_fail_holds_back_for_a_while_and_says_so(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(ports.limits, claim_errors=ERRORS, claim_pause=PAUSE, sweep=timedelta(milliseconds=1))
    claims = ports.engine.claims
    claim, tries, turns = claims.claim, list[object](), list[tuple[int, int, timedelta | None]]()

    def fail(worker: str, now: Moment) -> Claimed | None:
        tries.append(now)
        if len(tries) <= ERRORS + 1:
            raise TryAgain("the store is too busy")
        return claim(worker, now)

    def look() -> None:
        (seen,) = ports.engine.overview.workers()
        until = seen.holds_back_until
        turns.append((len(tries), seen.claims_failed, until - ports.now.wall_at if until else None))
        if len(turns) == ERRORS + 3:
            ports.clock.advance(PAUSE)
        if len(turns) == ERRORS + 5:
            worker.drain()

    monkeypatch.setattr(claims, "claim", fail)
    attempt = Attempt(ports.engine, _Nothing(), ports.clock, limits, lambda: None)
    worker = Worker("w1", ports.engine, attempt, ports.clock, limits, look)
    worker.run()

    failing = [(number, 0, None) for number in range(ERRORS)]
    holding_back = [(ERRORS, ERRORS, PAUSE)] * 3
    assert turns[: ERRORS + 3] == [*failing, *holding_back]
    # One that works again ends it, and says what was not said yet.
    assert [turn[0] for turn in turns[ERRORS + 3 :]] == [ERRORS + 1, ERRORS + 2]
    assert turns[-1][1:] == (ERRORS + 1, None)
