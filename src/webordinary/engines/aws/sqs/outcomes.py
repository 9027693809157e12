"""The ends of a lane's jobs as its output queue reports them, for a caller that asked without a mail and waits."""

from __future__ import annotations

import json
import random
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.sqs.poll import LONGEST_POLL

if TYPE_CHECKING:
    from datetime import timedelta

    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_MOST_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A hint that may be lost or meant for somebody else: the job's own row is the truth."""

    client: SQSClient
    url: str

    def wait_for(self, job: str, at_most: timedelta) -> bool:
        """Block until the job's end is reported, or for one long poll; say whether it was."""
        seconds = max(0, min(int(at_most.total_seconds()), LONGEST_POLL))
        with translated(f"the queue {self.url}"):
            answer = self.client.receive_message(
                QueueUrl=self.url, MaxNumberOfMessages=_MOST_AT_ONCE, WaitTimeSeconds=seconds
            )
        heard = answer.get("Messages", [])
        mine = [message for message in heard if _job_of(message) == job]
        others = [message for message in heard if message not in mine]
        self._acknowledge(mine, others)
        return bool(mine)

    def _acknowledge(self, mine: list[MessageTypeDef], others: list[MessageTypeDef]) -> None:
        with translated(f"the queue {self.url}"):
            for message in mine:
                self.client.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
            for message in others:
                # Somebody else waits for it, and must not wait for our visibility timeout.
                self.client.change_message_visibility(
                    QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0
                )
        if others and not mine:
            # Its consumer should be quicker the next time.
            threading.Event().wait(random.uniform(0.2, 1.0))  # noqa: S311 - to spread those who wait


def _job_of(message: MessageTypeDef) -> str | None:
    try:
        found = json.loads(message.get("Body", ""))["jobId"]
    except (ValueError, TypeError, KeyError):
        return None
    return str(found)
