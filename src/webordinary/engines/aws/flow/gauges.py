"""What only somebody who looks at everything can measure: which lanes are owned and wait, and who waits longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.lane_row import TEND_MARK, lane_from
from webordinary.engines.aws.dynamodb.reading import MOST_AT_ONCE
from webordinary.engines.aws.dynamodb.tables import TEND_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore
    from webordinary.engines.aws.inbox import S3Inbox


def measure_lanes(store: DynamoStore, client: SQSClient, unclaimed: str, now: Moment) -> None:
    """Record what the number of workers follows: lanes owned and lanes waiting; the queue's depth is for people."""
    rows = store.candidates()
    store.meter.record(Metric.ACTIVE_CLAIMS, sum(row.is_owned(now) for row in rows))
    free = [row for row in rows if row.is_free(now)]
    store.meter.record(Metric.LANES_WAITING, len(free))
    store.meter.record(Metric.OLDEST_WAITING, max((row.waited(now).total_seconds() for row in free), default=0))
    with translated(f"the queue {unclaimed}"):
        asked = client.get_queue_attributes(QueueUrl=unclaimed, AttributeNames=["ApproximateNumberOfMessages"])
    store.meter.record(Metric.UNCLAIMED_DEPTH, int(asked["Attributes"]["ApproximateNumberOfMessages"]))


def measure_answers(store: DynamoStore, inbox: S3Inbox, now: Moment) -> None:
    """Record for how long somebody has waited for an answer at most: mails nobody has read, and jobs that live."""
    unread = [mail.received_at for mail in inbox.undecided(now.wall_at)]
    lanes = store.query(store.names.ownership, "tendMark", TEND_MARK, index=TEND_INDEX, limit=MOST_AT_ONCE)
    live = [row.job.received_at for lane in map(lane_from, lanes) for row in store.live_jobs(lane.lane).values()]
    oldest = min([*unread, *live], default=now.wall_at)
    store.meter.record(Metric.OLDEST_UNANSWERED, max(0.0, (now.wall_at - oldest).total_seconds()))
