"""How much waits and runs: one query for lanes that wait, one for lanes with live jobs, and one for each of these."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.dispatch.job_row import HOLDING
from webordinary.engines.aws.dynamodb.lane_row import TEND_MARK, lane_from
from webordinary.engines.aws.dynamodb.tables import TEND_INDEX
from webordinary.overview import LoadView

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


def read_load(store: DynamoStore, now: Moment) -> LoadView:
    """Return what the indexes show, which may be a moment behind."""
    free = [row for row in store.candidates() if row.is_free(now)]
    busy = [
        lane_from(item).lane for item in store.query(store.names.ownership, "tendMark", TEND_MARK, index=TEND_INDEX)
    ]
    live = [row for lane in busy for row in store.live_jobs(lane).values()]
    running = sum(row.state in HOLDING for row in live)
    oldest = min((row.received_at for row in live), default=now.seconds)
    return LoadView(
        lanes_waiting=len(free),
        longest_lane=max((row.waited(now) for row in free), default=timedelta()),
        jobs_waiting=len(live) - running,
        jobs_running=running,
        longest_job=timedelta(seconds=max(0.0, now.seconds - oldest)),
    )
