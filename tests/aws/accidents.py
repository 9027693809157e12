"""Accidents between us and AWS, made with botocore's own hooks: answers that get lost, calls that are refused."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.httpsession import URLLib3Session

from tests.chaos.bad_network import AnswerBody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from botocore.awsrequest import AWSPreparedRequest


@contextmanager
def lost_answers(client: Any, operation: str, *, times: int = 1) -> Iterator[None]:  # noqa: ANN401 - any client
    """Let the first calls arrive and be carried out, and answer as a server does that broke down meanwhile."""
    session = URLLib3Session()
    left = times

    def lose(request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        nonlocal left
        if left <= 0:
            return None
        left -= 1
        session.send(request)
        return _answer(request, 500, "InternalServerError")

    try:
        with _instead_of(client, operation, lose):
            yield
    finally:
        session.close()


@contextmanager
def refused_calls(
    client: Any,  # noqa: ANN401 - any client
    operation: str,
    status: int,
    code: str,
    *,
    times: float = math.inf,
) -> Iterator[None]:
    """Let no call arrive, or not the first ones, and answer each as AWS does with that code."""
    left = times

    def refuse(request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        nonlocal left
        left -= 1
        return _answer(request, status, code) if left >= 0 else None

    with _instead_of(client, operation, refuse):
        yield


@contextmanager
def counted_calls(client: Any) -> Iterator[list[str]]:  # noqa: ANN401 - any client
    """Collect the names of the calls that a client makes, repetitions included."""
    calls: list[str] = []

    def count(request: AWSPreparedRequest, event_name: str, **_: object) -> None:
        assert request.url
        calls.append(event_name.rpartition(".")[2])

    event = f"before-send.{client.meta.service_model.service_id.hyphenize()}"
    client.meta.events.register(event, count)
    try:
        yield calls
    finally:
        client.meta.events.unregister(event, count)


@contextmanager
def _instead_of(client: Any, operation: str, send: Callable[..., AWSResponse | None]) -> Iterator[None]:  # noqa: ANN401 - any of the driver's clients
    event = f"before-send.{client.meta.service_model.service_id.hyphenize()}.{operation}"
    client.meta.events.register(event, send)
    try:
        yield
    finally:
        client.meta.events.unregister(event, send)


def _answer(request: AWSPreparedRequest, status: int, code: str) -> AWSResponse:
    content = json.dumps({"__type": code, "message": "an accident"}).encode()
    headers = HTTPHeaders.from_dict({"x-amzn-ErrorType": code, "Content-Type": "application/json"})
    return AWSResponse(request.url, status, headers, AnswerBody(content))
