"""How much waits and runs: one query for lanes that wait, one for lanes with live jobs, and one for each of these."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.dispatch.job_row import HOLDING
from webordinary.overview import LoadView

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


def read_load(store: DynamoStore, now: Moment) -> LoadView:
    """Return what the indexes show, which may be a moment behind."""
    free = [row for row in store.waiting_lanes(now) if row.is_free(now)]
    live = [row for lane in store.live_lanes() for row in store.live_jobs(lane.lane).values()]
    running = sum(row.state in HOLDING for row in live)
    oldest = min((row.received_at for row in live), default=now.seconds)
    return LoadView(
        lanes_waiting=len(free),
        longest_lane=max((row.waited(now) for row in free), default=timedelta()),
        jobs_waiting=len(live) - running,
        jobs_running=running,
        longest_job=timedelta(seconds=max(0.0, now.seconds - oldest)),
    )
