"""Watches what each function of a flow really asks of AWS, and says which of the listed needs that is."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Self

from webordinary.engines.aws.flow.functions import FUNCTIONS, Need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.aws.flows import Flows
    from webordinary.engines.aws.names import Names

_READS = {"GetItem", "BatchGetItem", "Query", "Scan", "GetObject", "HeadObject", "ListObjectsV2"}
_CALLS = {
    "SendMessage": Need.WAKE,
    "GetQueueUrl": Need.WAKE,
    "GetQueueAttributes": Need.WAKE,
    "StartExecution": Need.START_FLOW,
    "SendTaskSuccess": Need.ANSWER_FLOW,
    "SendTaskFailure": Need.ANSWER_FLOW,
    "SendTaskHeartbeat": Need.ANSWER_FLOW,
    "SendEmail": Need.SEND_MAIL,
}


class Watch:
    """Every request of an installation, under the name of the function that made it."""

    def __init__(self, flows: Flows) -> None:
        self.used: dict[str, set[str]] = defaultdict(set)
        self._names = flows.local.names
        self._function = threading.local()
        clients = flows.local.clients
        self._clients = [clients.dynamodb, clients.s3, clients.sqs, clients.wakeups, clients.ses, clients.states]
        for function in FUNCTIONS:
            flows.local.replace(function.name, self._named(function.name, flows.local.real(function.name)))

    def __enter__(self) -> Self:
        for client in self._clients:
            client.meta.events.register("provide-client-params", self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.meta.events.unregister("provide-client-params", self._note)

    def _named(self, name: str, real: Any) -> Any:  # noqa: ANN401 - a step of the flow
        def call(event: object) -> object:
            self._function.name = name
            try:
                return real(event)
            finally:
                del self._function.name

        return call

    def _note(self, params: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
        name = getattr(self._function, "name", None)
        if name is not None:
            self.used[name].update(_needs(model.name, params, self._names))


def _needs(operation: str, params: dict[str, Any], names: Names) -> Iterator[str]:
    if operation in _CALLS:
        is_dead_letter = "-dlq" in params.get("QueueUrl", params.get("QueueName", ""))
        yield Need.DEAD_LETTERS if is_dead_letter else _CALLS[operation]
    elif "Bucket" in params:
        yield _of_bucket(params["Bucket"], reads=operation in _READS)
    else:
        yield from (_of_table(table, names, reads=reads) for table, reads in _tables(operation, params))


def _of_bucket(bucket: str, *, reads: bool) -> str:
    kind = "mails" if "-ses-emails-" in bucket else "media"
    return f"{kind} {'read' if reads else 'write'}"


def _tables(operation: str, params: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    if operation == "TransactWriteItems":
        for item in params["TransactItems"]:
            ((kind, write),) = item.items()
            yield write["TableName"], kind == "ConditionCheck"
    elif operation == "BatchGetItem":
        yield from ((table, True) for table in params["RequestItems"])
    else:
        yield params["TableName"], operation in _READS


def _of_table(table: str, names: Names, *, reads: bool) -> str:
    if table in {names.ownership, names.jobs}:
        return Need.LANES_READ if reads else Need.LANES_WRITE
    if table in {names.projects, names.threads} and reads:
        return Need.ROUTING_READ
    known = {names.records: Need.RECORDS, names.interruptions: Need.INTERRUPTIONS, names.threads: Need.THREADS_WRITE}
    return known.get(table, f"{table} {'read' if reads else 'write'}")
