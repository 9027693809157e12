"""The queues, as tests and onboarding make them and as the infrastructure must declare them; all are wake-ups."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mypy_boto3_sqs import SQSClient

    from webordinary.engines.aws.names import Names
    from webordinary.routing.lane import Lane

FIFO = ".fifo"
# What nobody could read after so many tries is set aside for a person.
MOST_RECEIVES = 5
_DAY = 24 * 60 * 60
# A call that nobody heard for so long has been repeated by the sweep since.
_FORGOTTEN_AFTER = 300
# A wakeup is deleted as soon as it was heard. Should its hearer die before that, the next one hears it this much later.
_HIDDEN_FOR = 5


@dataclass(frozen=True, slots=True)
class Queue:
    """One queue; what cannot be read goes to its dead letters, if it has some."""

    name: str
    kept_for: int
    hidden_for: int = _HIDDEN_FOR
    dead_letters: str | None = None

    @property
    def is_fifo(self) -> bool:
        return self.name.endswith(FIFO)

    def attributes(self, dead_letters_arn: str | None = None) -> dict[str, str]:
        """Return what CreateQueue wants."""
        made = {"MessageRetentionPeriod": str(self.kept_for), "VisibilityTimeout": str(self.hidden_for)}
        if self.is_fifo:
            made["FifoQueue"] = "true"
        if dead_letters_arn is not None:
            policy = {"deadLetterTargetArn": dead_letters_arn, "maxReceiveCount": MOST_RECEIVES}
            made["RedrivePolicy"] = json.dumps(policy)
        return made


def installation_queues(names: Names) -> tuple[Queue, ...]:
    """Return the queues of the installation itself, dead letters first."""
    return (
        # What intake could not take in after every repetition: the mail lies in the bucket, and nobody knows of it.
        Queue(names.intake_dead_letters, 14 * _DAY),
        Queue(names.unclaimed_dead_letters, 14 * _DAY),
        Queue(names.unclaimed, _FORGOTTEN_AFTER, dead_letters=names.unclaimed_dead_letters),
    )


def lane_queues(names: Names, lane: Lane) -> tuple[Queue, ...]:
    """Return the queues of one lane, dead letters first."""
    return (
        Queue(names.dead_letters(lane), 14 * _DAY),
        Queue(names.input(lane), _FORGOTTEN_AFTER, dead_letters=names.dead_letters(lane)),
        # Short, because an interrupted worker should hear of it within a moment.
        Queue(names.interrupts(lane), _FORGOTTEN_AFTER, hidden_for=2),
        Queue(names.output(lane), _DAY),
    )


def create_queues(client: SQSClient, queues: Iterable[Queue]) -> None:
    """Make the queues that are not there yet, and bring the others up to date."""
    for queue in queues:
        with translated(f"the queue {queue.name}"):
            target = _arn(client, queue.dead_letters) if queue.dead_letters else None
            _create(client, queue.name, queue.attributes(target))


def _create(client: SQSClient, name: str, attributes: dict[str, Any]) -> None:
    try:
        client.create_queue(QueueName=name, Attributes=attributes)  # type: ignore[arg-type]  # the driver's own dictionary type is closed
    except client.exceptions.QueueNameExists:
        url = client.get_queue_url(QueueName=name)["QueueUrl"]
        changeable = {key: value for key, value in attributes.items() if key != "FifoQueue"}
        client.set_queue_attributes(QueueUrl=url, Attributes=changeable)  # type: ignore[arg-type]  # the driver's own dictionary type is closed


def _arn(client: SQSClient, name: str) -> str:
    url = client.get_queue_url(QueueName=name)["QueueUrl"]
    return client.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


class QueueAddresses:
    """Where the queues of an installation are: only the first is asked for, all of them are in the same place."""

    def __init__(self, client: SQSClient, names: Names, unclaimed: str | None = None) -> None:
        self._client = client
        self._names = names
        self._unclaimed = unclaimed
        self._lock = threading.Lock()

    @property
    def unclaimed(self) -> str:
        with self._lock:
            if self._unclaimed is None:
                with translated(f"the queue {self._names.unclaimed}"):
                    self._unclaimed = self._client.get_queue_url(QueueName=self._names.unclaimed)["QueueUrl"]
            return self._unclaimed

    def input(self, lane: Lane) -> str:
        return self._beside(self._names.input(lane))

    def interrupts(self, lane: Lane) -> str:
        return self._beside(self._names.interrupts(lane))

    def output(self, lane: Lane) -> str:
        return self._beside(self._names.output(lane))

    def _beside(self, name: str) -> str:
        return f"{self.unclaimed.rpartition('/')[0]}/{name}"
