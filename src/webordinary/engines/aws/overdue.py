"""The sweep: what waited or ran too long fails with an answer, and what nobody heard is rung again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import What
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.items import item_of, plain_of
from webordinary.engines.aws.lane_row import TEND_MARK, LaneRow, lane_from
from webordinary.engines.aws.pausing import count_failure, follow, project_from
from webordinary.engines.aws.records import OWED, PROJECT
from webordinary.engines.aws.store import MOST_AT_ONCE
from webordinary.engines.aws.tables import TEND_INDEX
from webordinary.engines.aws.taking import let_go
from webordinary.engines.aws.waited_for import beat_for_those_who_wait
from webordinary.jobs.job import Ending, Job, State
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.lane_row import LaneRow
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write

# Each takes up to six of the hundred places of a transaction.
_AT_ONCE = 12
_REASONS = {
    State.PREPARING: "its attachments could not be made ready in time",
    State.QUEUED: "no worker came in time",
    State.PARKED: "no worker came in time to resume it",
    State.RUNNING: "it took longer than its deadline",
}


def tend_lanes(store: Store, now: Moment) -> int:
    """Look after the lanes with live jobs that are due for it; the others cost nothing. Count the jobs that failed."""
    due = [row for row in _due_lanes(store, now) if row.tend_at <= now.seconds]
    paused = _paused(store) if due else {}
    failed = 0
    for row in due:
        gone = _fail_overdue(store, row, now)
        beat_for_those_who_wait(store, row, now)
        failed += gone
        if row.paused != paused.get(row.project):
            # Half a pause, or half its end.
            follow(store, row.lane, now)
        elif not gone:
            _note_tending(store, row, now)
    if failed:
        store.meter.record(Metric.TIMEOUTS, failed)
    return failed


def _due_lanes(store: Store, now: Moment) -> list[LaneRow]:
    request: dict[str, Any] = {
        "TableName": store.names.ownership,
        "IndexName": TEND_INDEX,
        "KeyConditionExpression": "#mark = :mark AND #at <= :now",
        "ExpressionAttributeNames": {"#mark": "tendMark", "#at": "tendAt"},
        "ExpressionAttributeValues": item_of({":mark": TEND_MARK, ":now": now.seconds}),
        "Limit": MOST_AT_ONCE,
    }
    with translated(f"the table {store.names.ownership}"):
        return [lane_from(item) for item in store.client.query(**request)["Items"]]


def _note_tending(store: Store, row: LaneRow, now: Moment) -> None:
    """Let others have their turn; whoever writes the lane meanwhile may ask for more, which is harmless."""
    row.tended_at = now.seconds
    row.plan_tending(store.tend_every)
    with translated(f"the table {store.names.ownership}"):
        store.client.update_item(
            TableName=store.names.ownership,
            Key=item_of({"projectKey": row.lane}),
            UpdateExpression="SET #tended = :now, #at = :again",
            ExpressionAttributeNames={"#tended": "tendedAt", "#at": "tendAt"},
            ExpressionAttributeValues=item_of({":now": now.seconds, ":again": row.tend_at}),
        )


def _fail_overdue(store: Store, row: LaneRow, now: Moment) -> int:
    """Fail every job of a lane whose time is over, each with its answer."""
    count = 0
    if row.overdue_at is not None and row.overdue_at <= now.seconds:
        while failed := store.change(lambda write: _fail_some(write, row.lane), now):
            count += failed
    return count


def _fail_some(write: Write, lane: str) -> int:
    line, now = write.line(lane), write.now
    limits = [(row.fails_at(line.row), row) for row in line.jobs.values()]
    overdue = [row for limit, row in limits if limit is not None and limit <= now.seconds]
    if line.row.has_lapsed(now):
        # What has no owner does not run, and its time does not either: it waits to be taken over.
        overdue = [row for row in overdue if row.job.state != State.RUNNING]
    # What runs comes last: it may pause the project, and then the patience of those who wait would stand still.
    overdue = sorted(overdue, key=lambda row: row.job.state == State.RUNNING)[:_AT_ONCE]
    for row in overdue:
        ending = _out_of_time(row.job)
        line.end(row, ending, now)
        if ending.blames_project:
            count_failure(write, line, ending)
    if overdue:
        # The owner must stop, or the next in the line may start.
        line.ring(write.store.limits, now)
    else:
        write.forget(line)
    return len(overdue)


def _out_of_time(job: Job) -> Ending:
    # That nobody came, or came too late, is no fault of the project.
    took_too_long = job.state == State.RUNNING
    words = "timed_out" if took_too_long else "our_fault"
    # One that was put back waits for what it was put back for.
    error = f"it waited too long: {job.error}" if job.state == State.QUEUED and job.error else _REASONS[job.state]
    return Ending(State.FAILED, error=error, words=words, blames_project=took_too_long)


def ring_what_waits(store: Store, now: Moment) -> int:
    """Ring for ready lanes and lapsed leases, and clear owners who are gone from empty lanes."""
    waiting = [row.lane for row in store.candidates() if row.is_ready(now) or row.has_lapsed(now)]
    return sum(store.change(lambda write, lane=lane: _ring(write, lane), now) for lane in waiting)  # type: ignore[misc]  # the types of a lambda's defaults are not inferred


def _ring(write: Write, lane: str) -> bool:
    line, now = write.line(lane), write.now
    row = line.row
    line.settle(now)
    if not row.is_ready(now) and not row.has_lapsed(now):
        write.forget(line)
        return False
    if row.has_lapsed(now) and row.pending == 0:
        let_go(line)
        line.tell_of_lane(What.LEASE_LAPSED, now, None)
    elif line.was_just_rung(write.store.limits, now):
        # A suppressed ring of the sweep is no news, so it costs no write.
        write.forget(line)
        return True
    line.ring(write.store.limits, now)
    return True


def _paused(store: Store) -> dict[str, str | None]:
    rows = (project_from(plain_of(item)) for item in store.query(store.names.records, "kind", PROJECT))
    return {row.project: row.paused for row in rows}


def post_what_is_owed(store: Store) -> int:
    """Answer the flow where an answer was recorded and not sent."""
    return store.post_owed(store.query(store.names.records, "kind", OWED))
