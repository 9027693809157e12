"""What only somebody who looks at everything can measure: which lanes are owned and wait, and who waits longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore
    from webordinary.engines.aws.inbox import S3Inbox


def measure_lanes(store: DynamoStore, client: SQSClient, unclaimed: str, now: Moment) -> None:
    """Record what the number of workers follows: lanes owned and lanes waiting; the queue's depth is for people."""
    waiting = owned = 0
    longest = 0.0
    for row in store.waiting_lanes(now):
        owned += row.is_owned(now)
        if row.is_free(now):
            waiting, longest = waiting + 1, max(longest, row.waited(now).total_seconds())
    store.meter.record(Metric.ACTIVE_CLAIMS, owned + store.count_owned(now))
    store.meter.record(Metric.LANES_WAITING, waiting)
    store.meter.record(Metric.OLDEST_WAITING, longest)
    with translated(f"the queue {unclaimed}"):
        asked = client.get_queue_attributes(QueueUrl=unclaimed, AttributeNames=["ApproximateNumberOfMessages"])
    store.meter.record(Metric.UNCLAIMED_DEPTH, int(asked["Attributes"]["ApproximateNumberOfMessages"]))


def measure_answers(store: DynamoStore, inbox: S3Inbox, now: Moment) -> None:
    """Record for how long somebody has waited for an answer at most: mails nobody has read, and jobs that live."""
    unread = (mail.received_at.timestamp() for mail in inbox.undecided(now.wall_at))
    oldest = min(unread, default=now.seconds)
    # What waits in a lane has come since there always was something to do in it: the others need no look.
    for lane in sorted(store.live_lanes(), key=lambda lane: lane.busy_since or 0):
        if (lane.busy_since or 0) > oldest:
            break
        oldest = min([oldest, *(row.received_at for row in store.live_jobs(lane.lane).values())])
    store.meter.record(Metric.OLDEST_UNANSWERED, max(0.0, now.seconds - oldest))
