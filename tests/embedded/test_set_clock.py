"""The wall clock is set while something runs, as by a time server after a long sleep."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import take
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("by", [timedelta(hours=1), timedelta(days=400), timedelta(minutes=-30)])
def test_a_clock_that_is_set_fails_nothing_that_runs(tmp_path: Path, by: timedelta) -> None:
    ports = open_embedded_ports(tmp_path)
    ports.queue()
    claim, job = take(ports)
    ports.clock.jump(by)
    beat = ports.engine.claims.beat(claim, job.id, ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert not beat.over
    assert ports.job(job.id).state == State.RUNNING


def test_the_deadline_still_ends_what_runs_too_long_after_the_clock_was_set(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    ports.queue()
    claim, job = take(ports)
    ports.clock.jump(timedelta(hours=1))
    ports.engine.lanes.sweep(ports.now)
    for _ in range(int(ports.limits.deadline / timedelta(seconds=20))):
        assert ports.job(job.id).state == State.RUNNING
        ports.clock.advance(timedelta(seconds=20))
        ports.engine.claims.beat(claim, job.id, ports.now)
        ports.engine.lanes.sweep(ports.now)
    assert ports.job(job.id).state == State.FAILED
