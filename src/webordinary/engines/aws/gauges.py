"""What only somebody who looks at everything can measure: how many lanes are owned, wait, and are called for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store


def measure_lanes(store: Store, client: SQSClient, unclaimed: str, now: Moment) -> None:
    """Record what the number of workers follows: lanes owned and lanes waiting; the queue's depth is for people."""
    rows = store.candidates()
    store.meter.record(Metric.ACTIVE_CLAIMS, sum(row.is_owned(now) for row in rows))
    store.meter.record(Metric.LANES_WAITING, sum(row.is_free(now) for row in rows))
    with translated(f"the queue {unclaimed}"):
        asked = client.get_queue_attributes(QueueUrl=unclaimed, AttributeNames=["ApproximateNumberOfMessages"])
    store.meter.record(Metric.UNCLAIMED_DEPTH, int(asked["Attributes"]["ApproximateNumberOfMessages"]))
