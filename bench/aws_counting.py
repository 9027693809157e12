"""Counts every request that a process makes to AWS, by a hook of the driver itself: exact, repetitions included."""

from __future__ import annotations

import json
import math
import os
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from botocore.client import BaseClient

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from botocore.awsrequest import AWSPreparedRequest

    from webordinary.clock import Moment
    from webordinary.engines.aws.clients import Clients
    from webordinary.ownership.claim import Beat, Claim
    from webordinary.ownership.claims import Claims

# What a request is for; only calls count for a mail. An answer is no request: it says how much DynamoDB has read.
CALL, BEAT, SITE, EMPTY_POLL, ANSWER = "call", "beat", "site", "empty poll", "answer"
_KILOBYTE = 1024
_READ_AT_ONCE = 4 * _KILOBYTE
_READS = ("GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan")
# Each write of an item also writes the indexes that it stands in.
_INDEXES = {"container-ownership": 3, "active-jobs": 1, "records": 1}


@dataclass(frozen=True, slots=True)
class Request:
    """One request, by whom and what for; units are what DynamoDB charges for, about."""

    by: str
    service: str
    operation: str
    purpose: str = CALL
    reads: float = 0
    writes: float = 0


class Counter:
    """Notes each request as a line of a file, so that the counts of several processes can be read together."""

    def __init__(self, notes: Path, by: str, sites: str) -> None:
        self._file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._by = by
        self._sites = sites
        self._doing = threading.local()

    def watch(self, clients: Clients) -> None:
        """Count what these clients do from now on."""
        for client in (getattr(clients, name) for name in type(clients).__slots__):
            if isinstance(client, BaseClient):
                client.meta.events.register("before-send", self._sent)
                client.meta.events.register("after-call.sqs.ReceiveMessage", self._heard)
                for operation in _READS:
                    client.meta.events.register(f"after-call.dynamodb.{operation}", self._read)

    @contextmanager
    def doing(self, by: str, purpose: str = CALL) -> Iterator[None]:
        """Say what this thread makes its requests for."""
        before = getattr(self._doing, "now", None)
        self._doing.now = (by, purpose)
        try:
            yield
        finally:
            self._doing.now = before

    def _sent(self, request: AWSPreparedRequest, event_name: str, **_more: object) -> None:
        service, operation = event_name.split(".")[1:]
        if operation != "ReceiveMessage":
            purpose = SITE if service == "s3" and self._sites in str(request.url) else None
            asked = _asked(request) if service == "dynamodb" else {}
            self._doing.is_consistent = bool(asked.get("ConsistentRead"))
            self._note(service, operation, purpose, writes=_writes(operation, asked))

    def _heard(self, parsed: dict[str, Any], **_: object) -> None:
        self._note("sqs", "ReceiveMessage", None if parsed.get("Messages") else EMPTY_POLL)

    def _read(self, parsed: dict[str, Any], event_name: str, **_: object) -> None:
        operation = event_name.split(".")[2]
        reads = read_units(operation, parsed, is_consistent=self._doing.is_consistent)
        self._note("dynamodb", operation, ANSWER, reads=reads)

    def _note(self, service: str, operation: str, purpose: str | None, reads: float = 0, writes: float = 0) -> None:
        by, doing = getattr(self._doing, "now", None) or (self._by, CALL)
        if by:
            noted = Request(by, service, operation, purpose or doing, reads, writes)
            os.write(self._file, f"{json.dumps(asdict(noted))}\n".encode())


class MarkedBeats:
    """The claims of an engine, whose beats are counted as such."""

    def __init__(self, claims: Claims, counter: Counter) -> None:
        self._claims = claims
        self._counter = counter

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - everything else is as it was
        return getattr(self._claims, name)

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        with self._counter.doing("worker", BEAT):
            return self._claims.beat(claim, job, now)


def read_requests(notes: Path, after: int = 0) -> list[Request]:
    """Return the requests that were noted, from that one on."""
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return [Request(**json.loads(line)) for line in lines[after:]]


def calls(requests: Iterable[Request]) -> list[Request]:
    """Leave out site objects, empty polls and beats."""
    return [request for request in requests if request.purpose == CALL]


def _asked(request: AWSPreparedRequest) -> dict[str, Any]:
    asked: dict[str, Any] = json.loads(request.body if isinstance(request.body, bytes | str) else b"{}")
    return asked


def _writes(operation: str, asked: dict[str, Any]) -> float:
    """Return about how many write units DynamoDB charges; of an item that is updated the request shows only a part."""
    match operation:
        case "TransactWriteItems":
            items = [next(iter(item.values())) for item in asked["TransactItems"]]
            return sum(2 * (_write(item) + _of_indexes(item)) for item in items)
        case "PutItem" | "UpdateItem" | "DeleteItem":
            return _write(asked) + _of_indexes(asked)
        case "BatchWriteItem":
            return sum(len(requests) for requests in asked["RequestItems"].values())
        case _:
            return 0


def read_units(operation: str, answer: dict[str, Any], *, is_consistent: bool) -> float:
    """Return how many read units an answer of this size costs; half of it, unless it had to be the newest state."""
    match operation:
        case "GetItem":
            return _units_of(answer.get("Item", {})) * (1 if is_consistent else 0.5)
        case "TransactGetItems":
            return sum(2 * _units_of(each.get("Item", {})) for each in answer.get("Responses", ()))
        case "BatchGetItem":
            found = (item for items in answer.get("Responses", {}).values() for item in items)
            return sum(map(_units_of, found)) or 1
        case _:
            return _units_of(answer.get("Items", ())) * (1 if is_consistent else 0.5)


def _units_of(found: object) -> int:
    return math.ceil(len(json.dumps(found, default=str)) / _READ_AT_ONCE) or 1


def _write(item: dict[str, Any]) -> float:
    given = item.get("Item") or item.get("ExpressionAttributeValues") or {}
    return math.ceil(len(json.dumps(given)) / _KILOBYTE) or 1


def _of_indexes(item: dict[str, Any]) -> float:
    return next((count for name, count in _INDEXES.items() if str(item.get("TableName", "")).endswith(name)), 0)
