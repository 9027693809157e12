"""Doorbells in SQS: one small queue for each worker, made when it begins to listen and removed when it leaves.

A worker waits on its bell alone, because only one queue can be waited on at a time without paying for more: one
long poll hears what the unclaimed queue (an idle worker is wanted), a lane's queue (its owner has a new head) and
its interrupt queue (its owner has a cancel on the job row) say. Those queues carry the same news to whoever stands
outside the workers: scaling alarms, dead letters and people who look; `names.py` names them.
"""

from __future__ import annotations

import hashlib
import math
import re
import select
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from mypy_boto3_sqs import SQSClient

_LONGEST_NAME = 80
_PLAIN = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_LONGEST_POLL = 20
_SHORTEST_LONG_POLL = 1.0
# A heard ring stays hidden until it is forgotten, so that nobody has to pay for deleting it.
_FORGOTTEN_AFTER = 300
_HIDDEN_FOR = 600


class SqsEar:
    """One worker's bell; several rings before it looks count as one.

    The long poll runs in a thread of its own, and only while somebody waits: a ring from inside the process, even
    from a signal handler, ends the wait at once and without a word to AWS.
    """

    def __init__(self, client: SQSClient, url: str) -> None:
        self._client = client
        self._url = url
        self._heard, self._bell = socket.socketpair()
        self._heard.setblocking(False)  # noqa: FBT003 - the library's own signature
        self._bell.setblocking(False)  # noqa: FBT003 - the library's own signature
        self._lock = threading.Lock()
        self._poll: threading.Thread | None = None
        self._poll_until = 0.0

    def wait(self, at_most: timedelta) -> bool:
        seconds = max(at_most.total_seconds(), 0)
        if self._has_rung(0):
            return True
        if seconds >= _SHORTEST_LONG_POLL:
            self._poll_for(seconds)
        elif self._rang_meanwhile():
            return True
        return self._has_rung(seconds)

    def ring(self) -> None:
        # Full: it rings already. Closed: nobody listens any more.
        with suppress(OSError):
            self._bell.send(b"!")

    def close(self) -> None:
        """Stop listening; a poll that still runs ends by itself, because its queue is gone."""
        with self._lock:
            self._poll_until = 0.0
        self._heard.close()
        self._bell.close()
        with suppress(ClientError, BotoCoreError):
            self._client.delete_queue(QueueUrl=self._url)

    def _has_rung(self, seconds: float) -> bool:
        readable, _, _ = select.select([self._heard], [], [], seconds)
        if not readable:
            return False
        with suppress(BlockingIOError):
            while self._heard.recv(64):
                pass
        return True

    def _rang_meanwhile(self) -> bool:
        with self._lock:
            if self._poll is not None:
                return False
        return self._receive(0)

    def _poll_for(self, seconds: float) -> None:
        """Let the poll last until then, and begin one if there is none."""
        with self._lock:
            self._poll_until = max(self._poll_until, time.monotonic() + seconds)
            if self._poll is None:
                self._poll = threading.Thread(target=self._listen, name="bell", daemon=True)
                self._poll.start()

    def _listen(self) -> None:
        while True:
            with self._lock:
                left = self._poll_until - time.monotonic()
                if left <= 0:
                    self._poll = None
                    return
            if self._receive(min(math.ceil(left), _LONGEST_POLL)):
                with self._lock:
                    self._poll = None
                    self._poll_until = 0.0
                self.ring()
                return

    def _receive(self, seconds: int) -> bool:
        """Ask the queue; one that cannot be asked is silent, and the wait just lasts its time."""
        try:
            heard = self._client.receive_message(QueueUrl=self._url, MaxNumberOfMessages=10, WaitTimeSeconds=seconds)
        except (ClientError, BotoCoreError):
            with self._lock:
                self._poll_until = 0.0
            return False
        return bool(heard.get("Messages"))


class SqsSignals:
    """The bells of all workers of an installation; `ringing` has short deadlines, `waiting` outlasts a long poll."""

    def __init__(self, waiting: SQSClient, ringing: SQSClient, prefix: str) -> None:
        self._waiting = waiting
        self._ringing = ringing
        self._prefix = prefix
        self._place: str | None = None

    def listen(self, worker: str) -> SqsEar:
        name = bell_name(self._prefix, worker)
        with translated(f"the queue {name}"):
            attributes = {"MessageRetentionPeriod": str(_FORGOTTEN_AFTER), "VisibilityTimeout": str(_HIDDEN_FOR)}
            made = self._waiting.create_queue(QueueName=name, Attributes=attributes)  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        return SqsEar(self._waiting, made["QueueUrl"])

    def ring(self, workers: Iterable[str]) -> None:
        """Ring the first of them that is there; the others are only asked when it is gone."""
        for worker in workers:
            if self._rang(worker):
                return

    def forget(self, worker: str) -> None:
        """Remove the bell of a worker that died without doing so."""
        with suppress(ClientError, BotoCoreError):
            self._ringing.delete_queue(QueueUrl=self._url(worker))

    def _rang(self, worker: str) -> bool:
        try:
            self._ringing.send_message(QueueUrl=self._url(worker), MessageBody="!")
        except (ClientError, BotoCoreError):
            return False
        return True

    def _url(self, worker: str) -> str:
        """Ask for the address of the first queue only: all of them are in the same place."""
        name = bell_name(self._prefix, worker)
        if self._place is None:
            url = self._ringing.get_queue_url(QueueName=name)["QueueUrl"]
            self._place = url.removesuffix(name)
        return f"{self._place}{name}"


def bell_name(prefix: str, worker: str) -> str:
    """Return the queue that one worker waits on."""
    name = f"{prefix}-bell-{worker}"
    if len(name) <= _LONGEST_NAME and _PLAIN.fullmatch(name):
        return name
    return f"{prefix}-bell-{hashlib.sha256(worker.encode()).hexdigest()[:32]}"
