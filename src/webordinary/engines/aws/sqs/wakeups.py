"""Ringing by SQS: small messages that say where to look; the table stays the truth, so each of them may be lost.

An idle worker hears the unclaimed queue, an idle owner its lane's queue, and an owner with a job the lane's interrupts.
"""

from __future__ import annotations

import json
import logging
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from webordinary.dispatch.lane import lane_of
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_sqs import SQSClient

    from webordinary.engines.aws.sqs.queues import QueueAddresses
    from webordinary.jobs.job import Job

_log = logging.getLogger(__name__)

# The longest that SQS holds a message back.
_LONGEST_DELAY = 900


class Call(StrEnum):
    """What a message says, in the attribute `type`."""

    CLAIM_REQUEST = "CLAIM_REQUEST"
    WORK = "WORK"
    GIVE_WAY = "GIVE_WAY"
    INTERRUPT = "INTERRUPT"
    OUTCOME = "OUTCOME"


@dataclass(frozen=True, slots=True)
class QueuedWakeup:
    """One wake-up about a lane; the job is the one that it is about, for people who look into a queue."""

    call: Call
    lane: str
    job: Job | None = None
    # A lane whose head waits for its backoff is announced only when somebody can start it.
    delay: float = 0


class SqsWakeups:
    """Sends wake-ups; it never blocks for long and never fails, because the work itself is committed already."""

    def __init__(self, client: SQSClient, addresses: QueueAddresses) -> None:
        self._client = client
        self._addresses = addresses

    def wake(self, wakeup: QueuedWakeup) -> bool:
        """Send the message; False when that was not possible, which costs time and nothing else."""
        try:
            self._client.send_message(**self._message(wakeup))
        except (ClientError, BotoCoreError, WebOrdinaryError) as error:
            _log.warning("the wake-up %s of %s was not sent: %s", wakeup.call, wakeup.lane, type(error).__name__)
            return False
        return True

    def _message(self, wakeup: QueuedWakeup) -> dict[str, Any]:
        lane = lane_of(wakeup.lane)
        match wakeup.call:
            case Call.CLAIM_REQUEST:
                url = self._addresses.unclaimed
                delay = min(int(wakeup.delay) + 1, _LONGEST_DELAY) if wakeup.delay > 0 else 0
                about = {**_about(wakeup), "queueUrl": self._addresses.input(lane)}
                return {"QueueUrl": url, "DelaySeconds": delay, **_text(wakeup.call, about)}
            case Call.WORK | Call.GIVE_WAY:
                # A group of its own for each message: one that a dead worker has hidden must not hide the next.
                mark = secrets.token_hex(8)
                order = {"MessageGroupId": mark, "MessageDeduplicationId": mark}
                return {"QueueUrl": self._addresses.input(lane), **order, **_text(wakeup.call, _about(wakeup))}
            case Call.INTERRUPT:
                return {"QueueUrl": self._addresses.interrupts(lane), **_text(wakeup.call, _about(wakeup))}
            case Call.OUTCOME:
                return {
                    "QueueUrl": self._addresses.output(lane),
                    **_text(wakeup.call, {**_about(wakeup), **_end(wakeup)}),
                }


def lane_called_for(body: str) -> str | None:
    """Return the lane that a claim request is about; None for anything that nobody of us has written."""
    try:
        told = json.loads(body)
        if told["type"] != Call.CLAIM_REQUEST:
            return None
        return lane_of(f"{told['projectId']}#{told['userId']}").key
    except (ValueError, TypeError, KeyError, WebOrdinaryError, RecursionError):
        return None


def is_call(body: str) -> bool:
    """Say whether a message of the unclaimed queue is one of ours."""
    return lane_called_for(body) is not None


def is_for_owner(body: str) -> bool:
    """Say whether a message of a lane's queue is one of ours."""
    try:
        return json.loads(body)["type"] in {Call.WORK, Call.GIVE_WAY}
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def _about(wakeup: QueuedWakeup) -> dict[str, Any]:
    lane, job = lane_of(wakeup.lane), wakeup.job
    about: dict[str, Any] = {"projectId": lane.project, "userId": lane.user}
    if job is not None:
        about |= {"threadId": job.thread, "messageId": job.mail or job.id, "jobId": job.id, "fence": job.fence}
    return about


def _end(wakeup: QueuedWakeup) -> dict[str, Any]:
    job = wakeup.job
    if job is None:
        return {}
    outcome = job.outcome.value if job.outcome else None
    return {"state": job.state.value, "outcome": outcome, "repeats": job.repeats}


def _text(call: Call, about: Mapping[str, Any]) -> dict[str, Any]:
    told = {"type": call.value, **about}
    shown = {name: str(told[name]) for name in ("type", "projectId", "userId", "threadId", "messageId") if name in told}
    return {
        "MessageBody": json.dumps(told),
        "MessageAttributes": {
            name: {"DataType": "String", "StringValue": value} for name, value in shown.items() if value
        },
    }
