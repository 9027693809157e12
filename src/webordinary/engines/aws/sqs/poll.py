"""One queue, asked in long polls by a thread of its own for as long as somebody wants to hear it."""

from __future__ import annotations

import logging
import math
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_log = logging.getLogger(__name__)

LONGEST_POLL = 20
FIFO = ".fifo"
# A queue that cannot be asked is not asked again at once: the table says the same, a little later.
_PAUSES = (1.0, 5.0, 20.0, 60.0)


class Poll:
    """Rings for each message whose text is understood and deletes it; others are left to the dead letters.

    A caller that stops waiting does not cancel the request in progress: if it receives a message nevertheless, a fresh
    copy of it is sent at once, for somebody else may wait for it. One that is only given back would be counted as one
    more that nobody understood, and end among the dead letters because workers have turned busy.
    """

    def __init__(
        self,
        client: SQSClient,
        url: str,
        understands: Callable[[str], bool],
        wake: Callable[[str], None],
        *,
        at_once: int,
    ) -> None:
        self._client = client
        self._url = url
        self._understands = understands
        self._wake = wake
        self._at_once = at_once
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._until = 0.0
        self._left = threading.Event()
        self._failures = 0

    @property
    def is_busy(self) -> bool:
        """Whether a request is still on its way."""
        return self._thread is not None

    def listen(self, until: float) -> None:
        """Go on until that moment of the monotonic clock, and begin if nobody listens."""
        with self._lock:
            self._until = max(self._until, until)
            self._left.clear()
            if self._thread is None:
                self._thread = threading.Thread(target=self._live, name="wakeup", daemon=True)
                self._thread.start()

    def leave(self) -> None:
        """Hear nothing more; a request that is on its way ends by itself."""
        with self._lock:
            self._until = 0.0
        self._left.set()

    def _live(self) -> None:
        while (left := self._time_left()) > 0:
            heard = self._receive(min(math.ceil(left), LONGEST_POLL))
            if heard is None:
                self._left.wait(min(left, _PAUSES[min(self._failures, len(_PAUSES)) - 1]))
            elif heard:
                self._pass_on(heard)

    def _time_left(self) -> float:
        with self._lock:
            left = self._until - time.monotonic()
            if left <= 0:
                self._thread = None
            return left

    def _pass_on(self, heard: Sequence[MessageTypeDef]) -> None:
        with self._lock:
            is_wanted = self._until > 0
        understood = [message for message in heard if self._understands(message.get("Body", ""))]
        try:
            if understood and is_wanted:
                self._hear(understood)
            elif understood:
                self._send_anew(understood)
        except (ClientError, BotoCoreError) as error:
            # They come again after a while, and then nobody is harmed.
            _log.warning("wakeups of %s were not acknowledged: %s", self._url, type(error).__name__)

    def _receive(self, seconds: int) -> Sequence[MessageTypeDef] | None:
        """Ask the queue; None when it cannot be asked."""
        try:
            answer = self._client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=self._at_once,
                WaitTimeSeconds=seconds,
                MessageAttributeNames=["All"],
            )
        except (ClientError, BotoCoreError) as error:
            if not self._failures:
                _log.warning("the queue %s cannot be heard: %s", self._url, type(error).__name__)
            self._failures += 1
            return None
        self._failures = 0
        return answer.get("Messages", [])

    def _hear(self, heard: Sequence[MessageTypeDef]) -> None:
        with self._lock:
            # Before the wake-up: a worker that was woken looks first, and waits again only then.
            self._until = 0.0
        for message in heard:
            self._wake(message.get("Body", ""))
        self._delete(heard)

    def _send_anew(self, heard: Sequence[MessageTypeDef]) -> None:
        for message in heard:
            mark = secrets.token_hex(8)
            order: dict[str, Any] = {"MessageGroupId": mark, "MessageDeduplicationId": mark}
            self._client.send_message(
                QueueUrl=self._url,
                MessageBody=message.get("Body", ""),
                MessageAttributes=message.get("MessageAttributes", {}),
                **(order if self._url.endswith(FIFO) else {}),
            )
        # Last: two of them are harmless, none is a wake-up that was lost.
        self._delete(heard)

    def _delete(self, heard: Sequence[MessageTypeDef]) -> None:
        self._client.delete_message_batch(
            QueueUrl=self._url,
            Entries=[{"Id": str(n), "ReceiptHandle": one["ReceiptHandle"]} for n, one in enumerate(heard)],
        )
