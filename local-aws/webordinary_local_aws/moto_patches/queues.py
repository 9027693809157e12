"""Patches of queues: groups, duplicates, receipts and long polls keep the promises of SQS."""

from __future__ import annotations

import time
from typing import Any

from moto.core.exceptions import AWSError
from moto.core.utils import unix_time_millis
from moto.sqs import models
from moto.sqs.exceptions import InvalidParameterValue
from moto.sqs.models import Queue, SQSBackend

from webordinary_local_aws.moto_patches.patch import patch_method

# `_messages_lock` of a queue is a condition: held while its messages change hands, told of each change.


def long_polls() -> None:
    """Fix 9: two long polls shared out one group, for each looked at the groups in flight as they were at its start.

    And one that found only a blocked group looked again and again without a pause, on a whole core.
    """

    @patch_method(SQSBackend, "receive_message")
    def _(original: Any, self: Any, queue_name: str, count: int, wait: float, *more: Any) -> list[Any]:
        until = time.monotonic() + (wait or 0)
        while True:
            queue = self.get_queue(queue_name)
            with queue._messages_lock:
                queue._pending_messages = {one for one in queue._pending_messages if not one.visible}
                found: list[Any] = original(self, queue_name, count, 0, *more)
                left = until - time.monotonic()
                if found or left <= 0:
                    return found
                queue._messages_lock.wait(min(left, _until_something_returns(queue)))

    for change in ("delete_message", "change_message_visibility"):
        _announce(change)


def remembered_duplicates() -> None:
    """Fix 10: a duplicate was accepted as soon as the first had been deleted; SQS remembers it for five minutes."""

    @patch_method(Queue, "add_message")
    def _(original: Any, self: Any, message: Any) -> None:
        with self._messages_lock:
            # One that was received before is on its way to the dead letters and is no duplicate of itself.
            fresh = self.fifo_queue and message.deduplication_id and not message.approximate_receive_count
            if not fresh or not _is_duplicate(self, message):
                _add(original, self, message)


def spent_receipts() -> None:
    """Fix 11: a receipt of an earlier delivery deleted the message under the feet of its new receiver."""

    @patch_method(Queue, "delete_message")
    def _(original: Any, self: Any, receipt_handle: str) -> None:
        with self._messages_lock:
            message = next((one for one in self._messages if one.had_receipt_handle(receipt_handle)), None)
            spent = message is not None and message.receipt_handle != receipt_handle
            if message is not None and self.fifo_queue and (spent or message.visible):
                raise InvalidParameterValue(
                    f"Value {receipt_handle} for parameter ReceiptHandle is invalid. "
                    "Reason: The receipt handle has expired."
                )
            if not spent:
                original(self, receipt_handle)

    @patch_method(SQSBackend, "change_message_visibility")
    def _(original: Any, self: Any, queue_name: str, receipt_handle: str, visibility_timeout: int) -> None:
        queue = self.get_queue(queue_name)
        with queue._messages_lock:
            if any(one.had_receipt_handle(receipt_handle) and one.visible for one in queue._messages):
                raise AWSError("The specified message isn't in flight.", exception_type="MessageNotInflight")
            original(self, queue_name, receipt_handle, visibility_timeout)


def _until_something_returns(queue: Any) -> float:
    """Return the seconds until a message becomes visible by itself."""
    now = unix_time_millis()
    returning = [max(one.visible_at, one.delayed_until) - now for one in queue._messages]
    return min((wait for wait in returning if wait > 0), default=float("inf")) / 1000 + 0.001


def _announce(change: str) -> None:
    """Tell the long polls of a queue of a change that may free a group."""

    @patch_method(SQSBackend, change)
    def _(original: Any, self: Any, queue_name: str, *more: Any, **named: Any) -> None:
        queue = self.get_queue(queue_name)
        with queue._messages_lock:
            original(self, queue_name, *more, **named)
            queue._messages_lock.notify_all()


def _is_duplicate(queue: Any, message: Any) -> bool:
    """Say whether it was sent before, and give it the identity of the first if so."""
    seen: dict[Any, tuple[float, Any]] = queue.__dict__.setdefault("seen", {})
    scope = message.group_id if queue.deduplication_scope == "messageGroup" else None
    at, first = seen.get((scope, message.deduplication_id), (0.0, None))
    if first is not None and time.monotonic() - at < models.DEDUPLICATION_TIME_IN_SECONDS:
        message.id, message.sequence_number = first.id, first.sequence_number
        return True
    seen[scope, message.deduplication_id] = (time.monotonic(), message)
    return False


def _add(original: Any, queue: Any, message: Any) -> None:
    # moto compares with what lies in the queue; under another name it finds nothing, and ours is the only judgement.
    name, message.deduplication_id = message.deduplication_id, message.id
    try:
        original(queue, message)
    finally:
        message.deduplication_id = name
