"""A bad network between one process and AWS, made with botocore's own hooks; every accident is noted in a file."""

from __future__ import annotations

import json
import os
import random
import threading
from typing import TYPE_CHECKING, Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ReadTimeoutError
from botocore.httpsession import URLLib3Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from botocore.awsrequest import AWSPreparedRequest

    Accident = Callable[[AWSPreparedRequest], AWSResponse | None]

# How likely each accident is, for one call out of so many.
THROTTLED, BROKEN, ANSWER_LOST, ANSWER_LATE = 0.02, 0.01, 0.01, 0.005
BELL_LOST, BELL_DOUBLED, BELL_HELD_BACK = 0.2, 0.15, 0.15


class BadNetwork:
    """Refuses, breaks, forgets, doubles and reorders; the same process number has the same bad luck."""

    def __init__(self, notes: Path) -> None:
        self._notes = notes
        self._chance = random.Random(os.getpid())  # noqa: S311 - bad luck, not a secret
        self._session = URLLib3Session(timeout=10)
        self._held: AWSPreparedRequest | None = None
        self._holding = threading.Lock()
        self._obey: Callable[[str], None] = lambda _: None

    def between(self, client: Any) -> None:  # noqa: ANN401 - any of the driver's clients
        """Let the calls of a client go wrong."""
        service = client.meta.service_model.service_id.hyphenize()
        client.meta.events.register(f"before-send.{service}", self._send)

    def between_wakeups(self, client: Any) -> None:  # noqa: ANN401 - any of the driver's clients
        """Lose, double and reorder what a client sends to queues."""
        client.meta.events.register("before-send.sqs.SendMessage", self._send_wakeup)

    def watch(self, client: Any, obey: Callable[[str], None]) -> None:  # noqa: ANN401 - any of the driver's clients
        """Come by before and after each transaction is carried out, which is where a process can die best."""
        self._obey = obey
        client.meta.events.register_first("before-send.dynamodb.TransactWriteItems", self._transact)

    def _transact(self, request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        self._obey("before a write")
        accident = self._send(request)
        answer = accident or self._session.send(request)
        self._obey("after a write")
        return answer

    def _send(self, request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        luck = self._chance.random()
        accidents: tuple[tuple[float, Accident], ...] = (
            (THROTTLED, self._throttle),
            (BROKEN, self._break),
            (ANSWER_LOST, self._lose_answer),
            (ANSWER_LATE, self._time_out),
        )
        for likely, accident in accidents:
            luck -= likely
            if luck < 0:
                return accident(request)
        return None

    def _throttle(self, request: AWSPreparedRequest) -> AWSResponse:
        self._note("throttled")
        return answer(request, 400, {"__type": "ThrottlingException", "message": "Rate exceeded"})

    def _break(self, request: AWSPreparedRequest) -> AWSResponse:
        self._note("failed with 500")
        return answer(request, 500, {"__type": "InternalServerError", "message": "an accident"})

    def _lose_answer(self, request: AWSPreparedRequest) -> AWSResponse:
        """Carry it out, and answer as a server does that broke down before it could say so."""
        self._session.send(request)
        self._note("answers lost after the write")
        return answer(request, 500, {"__type": "InternalServerError", "message": "an accident"})

    def _time_out(self, request: AWSPreparedRequest) -> AWSResponse:
        self._session.send(request)
        self._note("answers that never came")
        raise ReadTimeoutError(endpoint_url=request.url)

    def _send_wakeup(self, request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        luck = self._chance.random()
        if luck < BELL_LOST:
            self._note("wakeups lost")
            return _taken(request)
        if luck < BELL_LOST + BELL_DOUBLED:
            self._note("wakeups doubled")
            self._session.send(request)
            return None
        with self._holding:
            held, self._held = self._held, request if self._held is None and luck > 1 - BELL_HELD_BACK else None
            is_held = self._held is request
        if is_held:
            return _taken(request)
        if held is None:
            return None
        self._note("wakeups reordered")
        taken = self._session.send(request)
        self._session.send(held)
        return taken

    def _note(self, accident: str) -> None:
        note(self._notes, accident)


def note(notes: Path, accident: str) -> None:
    """Write it down at once: whoever has accidents may be dead the next moment."""
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, f"{accident}\n".encode())
    finally:
        os.close(file)


def answer(request: AWSPreparedRequest, status: int, content: dict[str, Any]) -> AWSResponse:
    """Answer in AWS's place, as its JSON protocols do."""
    headers = {"Content-Type": "application/x-amz-json-1.0"}
    if "__type" in content:
        headers["x-amzn-ErrorType"] = content["__type"]
    return AWSResponse(request.url, status, HTTPHeaders.from_dict(headers), AnswerBody(json.dumps(content).encode()))


def _taken(request: AWSPreparedRequest) -> AWSResponse:
    return answer(request, 200, {"MessageId": "lost"})


class AnswerBody:
    """What the driver reads of an answer."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, **_: object) -> Iterator[bytes]:
        yield self._content

    def read(self, *_: object) -> bytes:
        return self._content
