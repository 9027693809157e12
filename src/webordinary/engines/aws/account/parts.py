"""The parts of an installation in the account: which are there, and how much lies in each queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from webordinary.engines.aws.dynamodb.tables import tables
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.engines.aws.s3.buckets import buckets
from webordinary.engines.aws.sqs.queues import installation_queues, lane_queues

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names
    from webordinary.routing.lane import Lane

ABSENT = frozenset(
    {
        "ResourceNotFoundException",
        "404",
        "NoSuchBucket",
        "QueueDoesNotExist",
        "AWS.SimpleQueueService.NonExistentQueue",
        "StateMachineDoesNotExist",
    }
)
_VISIBLE: Final = "ApproximateNumberOfMessages"
_HIDDEN: Final = "ApproximateNumberOfMessagesNotVisible"


@dataclass(frozen=True, slots=True)
class Part:
    """Something that must be in the account."""

    kind: str
    name: str
    is_there: bool


@dataclass(frozen=True, slots=True)
class Depth:
    """How many messages lie in a queue, and how many somebody is just looking at; AWS counts roughly."""

    queue: str
    waiting: int
    hidden: int


@dataclass(frozen=True, slots=True)
class Parts:
    """Looks, never changes anything."""

    clients: Clients
    names: Names

    def all(self, lanes: Iterable[Lane] = ()) -> Iterator[Part]:
        """Look at every table, bucket, queue and function and at the flow, also at the queues of the given lanes."""
        clients, names = self.clients, self.names
        for table in tables(names):
            yield _part("table", table.name, lambda name: clients.dynamodb.describe_table(TableName=name))
        kept = buckets(clients.s3, names.prefix, clients.account)
        for bucket in (kept.mails, kept.media, kept.sites):
            yield _part("bucket", bucket.name, lambda name: clients.s3.head_bucket(Bucket=name))
        for queue in self.queues(lanes):
            yield _part("queue", queue, lambda name: clients.wakeups.get_queue_url(QueueName=name))
        for function in FUNCTIONS:
            name = names.function(function.name)
            yield _part("function", name, lambda name: clients.functions.get_function(FunctionName=name))
        yield _part("flow", names.flow, lambda _: clients.states.describe_state_machine(stateMachineArn=self._flow))

    def queues(self, lanes: Iterable[Lane]) -> list[str]:
        """Return the names of the installation's own queues and of those of the lanes."""
        of_lanes = (queue for lane in lanes for queue in lane_queues(self.names, lane))
        return [queue.name for queue in (*installation_queues(self.names), *of_lanes)]

    def depths(self, lanes: Iterable[Lane]) -> list[Depth]:
        """Count what lies in each queue that is there."""
        found = (self._depth(queue) for queue in self.queues(lanes))
        return [depth for depth in found if depth is not None]

    @property
    def _flow(self) -> str:
        region = self.clients.states.meta.region_name
        return f"arn:aws:states:{region}:{self.clients.account}:stateMachine:{self.names.flow}"

    def _depth(self, queue: str) -> Depth | None:
        try:
            with translated(f"the queue {queue}", let_through=ABSENT):
                url = self.clients.wakeups.get_queue_url(QueueName=queue)["QueueUrl"]
                asked = self.clients.wakeups.get_queue_attributes(QueueUrl=url, AttributeNames=[_VISIBLE, _HIDDEN])
        except ClientError:
            return None
        counted = asked["Attributes"]
        return Depth(queue, int(counted[_VISIBLE]), int(counted[_HIDDEN]))


def _part(kind: str, name: str, look: Callable[[str], object]) -> Part:
    try:
        with translated(f"the {kind} {name}", let_through=ABSENT):
            look(name)
    except ClientError:
        return Part(kind, name, is_there=False)
    return Part(kind, name, is_there=True)
