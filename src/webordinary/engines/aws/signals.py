"""Wake-ups in SQS: a worker hears one queue at a time, the one that matters for what it does just now."""

from __future__ import annotations

import select
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.engines.aws.ecs.protection import TaskProtection
from webordinary.engines.aws.sqs.poll import Poll
from webordinary.engines.aws.sqs.wakeups import is_call, is_for_owner, lane_called_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from mypy_boto3_sqs import SQSClient

    from webordinary.engines.aws.sqs.queues import QueueAddresses
    from webordinary.routing.lane import Lane

# A shorter wait costs nothing: its caller polls the table next.
_SHORTEST_POLL = 1.0
_MOST_AT_ONCE = 10


class SqsListener:
    """Where one worker hears its wake-ups; several before it looks count as one.

    Long polls run in threads of their own: a wake-up from inside the process, even from a signal handler, ends the wait
    at once and without a word to AWS.
    """

    def __init__(
        self,
        worker: str,
        client: SQSClient,
        addresses: QueueAddresses,
        called: dict[str, str],
        protection: TaskProtection,
    ) -> None:
        self._worker = worker
        self._protection = protection
        self._works = False
        self._client = client
        self._addresses = addresses
        self._called = called
        self._heard, self._wakeup = socket.socketpair()
        self._heard.setblocking(False)  # noqa: FBT003 - the library's own signature
        self._wakeup.setblocking(False)  # noqa: FBT003 - the library's own signature
        self._lock = threading.Lock()
        self._polls: dict[str, Poll] = {}
        self._poll: Poll | None = None
        self.attend(None)

    def attend(self, lane: Lane | None, *, working: bool = False) -> None:
        if lane is None:
            # One call for one worker: the next one is for somebody else who waits.
            poll = self._poll_of(self._addresses.unclaimed, is_call, self._hear_call, at_once=1)
        elif working:
            # Whatever it says, the beat that follows reads the truth from the job's row.
            poll = self._poll_of(self._addresses.interrupts(lane), lambda _: True, self._hear)
        else:
            poll = self._poll_of(self._addresses.input(lane), is_for_owner, self._hear)
        with self._lock:
            before, self._poll = self._poll, poll
            self._works = lane is not None and working
        self._keep_protected()
        if before is not None and before is not poll:
            before.leave()

    def wait(self, at_most: timedelta) -> bool:
        self._keep_protected()
        if not self._works:
            self._protection.end()
        seconds = max(at_most.total_seconds(), 0)
        if self._has_rung(0):
            return True
        if seconds >= _SHORTEST_POLL and self._poll is not None:
            self._poll.listen(time.monotonic() + seconds)
        return self._has_rung(seconds)

    def _keep_protected(self) -> None:
        """A worker with a job polls here again and again, so this is the place to say it."""
        if self._works:
            self._protection.extend(time.monotonic())

    def wake(self) -> None:
        # Full: it rings already. Closed: nobody listens any more.
        with suppress(OSError):
            self._wakeup.send(b"!")

    def close(self) -> None:
        with self._lock:
            poll, self._poll = self._poll, None
        if poll is not None:
            poll.leave()
        self._heard.close()
        self._wakeup.close()

    def _poll_of(
        self, url: str, understands: Callable[[str], bool], wake: Callable[[str], None], *, at_once: int = _MOST_AT_ONCE
    ) -> Poll:
        """Return the poll of a queue, also one that still has a request on its way from the last time."""
        with self._lock:
            if url not in self._polls:
                self._polls = {kept: poll for kept, poll in self._polls.items() if poll.is_busy}
                self._polls[url] = Poll(self._client, url, understands, wake, at_once=at_once)
            return self._polls[url]

    def _has_rung(self, seconds: float) -> bool:
        readable, _, _ = select.select([self._heard], [], [], seconds)
        if not readable:
            return False
        with suppress(BlockingIOError):
            while self._heard.recv(64):
                pass
        return True

    def _hear_call(self, body: str) -> None:
        """Remember for which lane somebody was called: the index that shows ready lanes may be behind."""
        self._called[self._worker] = lane_called_for(body) or ""
        self.wake()

    def _hear(self, _body: str) -> None:
        self.wake()


class SqsSignals:
    """The listeners of all workers of a process; `called` tells the claims for which lane each was called last."""

    def __init__(
        self,
        client: SQSClient,
        addresses: QueueAddresses,
        called: dict[str, str],
        protection: TaskProtection | None = None,
    ) -> None:
        self._client = client
        self._addresses = addresses
        self._called = called
        self._protection = protection or TaskProtection()

    def listen(self, worker: str) -> SqsListener:
        # Asked for first, so that a missing queue is told before anything is opened.
        _ = self._addresses.unclaimed
        return SqsListener(worker, self._client, self._addresses, self._called, self._protection)
