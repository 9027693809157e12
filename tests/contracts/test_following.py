"""What every engine promises about the figures: counted once, whoever looks, and not before it is complete."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from webordinary.dashboard.figures.follow import Following
from webordinary.jobs.counting import CLAIMS, JOBS

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_two_who_follow_count_everything_once(ports: Ports) -> None:
    first, second = (Following(ports.engine, timedelta()) for _ in range(2))
    for each in (first, second):
        ports.queue()
        claim, job = take(ports)
        ports.engine.attempts.finish(claim, job, DONE, ports.now)
        ports.engine.claims.release(claim, ports.now)
        each.catch_up(ports.now)
    for each in (first, second):
        totals = each.catch_up(ports.now)
        assert totals.is_whole
        assert totals.counts[CLAIMS]["won"] == 2
        assert sum(totals.counts[JOBS].values()) == 2


def test_what_is_too_young_is_counted_later(ports: Ports) -> None:
    following = Following(ports.engine, timedelta(seconds=15))
    ports.queue()
    take(ports)
    assert following.catch_up(ports.now).counts == {}
    ports.clock.advance(timedelta(seconds=20))
    assert following.catch_up(ports.now).counts[CLAIMS]["won"] == 1
