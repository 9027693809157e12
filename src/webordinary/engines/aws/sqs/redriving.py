"""Dead letters in SQS, taken up again: a job is repeated as a new one, an undecided mail begins its way anew."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.account.parts import ABSENT
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.flow.calling import call_function
from webordinary.errors import JobFailed, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mypy_boto3_sqs.type_defs import MessageTypeDef

    from webordinary.clock import Moment
    from webordinary.engines.aws.open import AwsEngine
    from webordinary.routing.lane import Lane

_MOST_AT_ONCE = 10
# Longer than it takes to deal with one batch; what was left comes back after it.
_HIDDEN_FOR = 60
# Where Lambda puts the event that a function could not take.
_LOST = "requestPayload"


class RedriveOutcome(StrEnum):
    """What became of a dead letter."""

    REPEATED = "tried again"
    STARTED = "begun anew"
    LEFT = "left there"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Redriven:
    """One dead letter: what it was about, what became of it, and as what or why."""

    queue: str
    about: str
    fate: RedriveOutcome
    what: str


@dataclass(frozen=True, slots=True)
class Redriving:
    """A letter leaves its queue only when what it asks for has happened; asked twice, that happens once."""

    opened: AwsEngine

    def all(self, lanes: Iterable[Lane], by: str, now: Moment) -> Iterator[Redriven]:
        """Go through the dead letters of the installation and of these lanes."""
        names = self.opened.store.names
        of_lanes = [names.dead_letters(lane) for lane in lanes]
        for queue in (names.intake_dead_letters, names.unclaimed_dead_letters, *of_lanes):
            yield from self._empty(queue, by, now)

    def _empty(self, queue: str, by: str, now: Moment) -> Iterator[Redriven]:
        client = self.opened.clients.wakeups
        try:
            with translated(f"the queue {queue}", let_through=ABSENT):
                url = client.get_queue_url(QueueName=queue)["QueueUrl"]
        except ClientError:
            return
        seen: set[str] = set()
        while True:
            with translated(f"the queue {queue}"):
                answer = client.receive_message(
                    QueueUrl=url, MaxNumberOfMessages=_MOST_AT_ONCE, VisibilityTimeout=_HIDDEN_FOR
                )
            fresh = [message for message in answer.get("Messages", ()) if message["MessageId"] not in seen]
            if not fresh:
                return
            for message in fresh:
                seen.add(message["MessageId"])
                done = self._redrive(queue, message, by, now)
                if done.fate != RedriveOutcome.LEFT:
                    with translated(f"the queue {queue}"):
                        client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                yield done

    def _redrive(self, queue: str, message: MessageTypeDef, by: str, now: Moment) -> Redriven:
        told = _told(message.get("Body", ""))
        if event := told.get(_LOST):
            return self._redrive_event(queue, event)
        job, mail = told.get("jobId", ""), told.get("messageId", "")
        if job:
            return self._redrive_job(queue, job, f"dead-letter:{message['MessageId']}", by, now)
        if told.get("type") == "UNDECIDED" and mail:
            self.opened.store.flow.start(f"again-{message['MessageId']}", {"mail": mail})
            return Redriven(queue, mail, RedriveOutcome.STARTED, "its flow begins anew")
        if told.get("type") == "CLAIM_REQUEST":
            # The lane's own row says whether a worker is wanted; an old call says nothing.
            return Redriven(
                queue, told.get("projectId", ""), RedriveOutcome.REMOVED, "a call for a worker, which the sweep repeats"
            )
        return Redriven(queue, "", RedriveOutcome.LEFT, "nobody of us wrote it: look at it and delete it by hand")

    def _redrive_event(self, queue: str, event: str) -> Redriven:
        """Tell intake once more what Lambda could not make it take; a mail that it knows by now is the same mail."""
        opened = self.opened
        try:
            mails = call_function(opened.clients, opened.store.names, "intake", json.loads(event))["mails"]
        except (JobFailed, ValueError) as problem:
            return Redriven(queue, "intake", RedriveOutcome.LEFT, str(problem))
        return Redriven(queue, ", ".join(mails), RedriveOutcome.STARTED, "intake was told once more")

    def _redrive_job(self, queue: str, job: str, key: str, by: str, now: Moment) -> Redriven:
        try:
            return Redriven(queue, job, RedriveOutcome.REPEATED, self.opened.lanes.redrive(job, by, now, key=key))
        except Refused as refused:
            found = self.opened.engine.overview.job(job)
            is_live = found is not None and found.state.is_live
            return Redriven(queue, job, RedriveOutcome.LEFT if is_live else RedriveOutcome.REMOVED, str(refused))


def _told(body: str) -> dict[str, str]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(told, dict):
        return {}
    lost = {_LOST: json.dumps(told[_LOST])} if isinstance(told.get(_LOST), dict) else {}
    return {str(key): str(value) for key, value in told.items() if key != _LOST} | lost
