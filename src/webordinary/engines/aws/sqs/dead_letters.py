"""Dead letters in SQS: what a person should look at, beside the rows that say the same."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated
from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from webordinary.engines.aws.names import Names
    from webordinary.jobs.job import Job

_log = logging.getLogger(__name__)


class DeadLetters:
    """Never fails: what it tells is recorded already."""

    def __init__(self, client: SQSClient, names: Names) -> None:
        self._client = client
        self._names = names

    def bury(self, job: Job, why: str) -> None:
        """Leave a letter in the lane's own queue, once for each job."""
        told = {"jobId": job.id, "threadId": job.thread, "messageId": job.mail or job.id}
        self._send(
            self._names.dead_letters(job.lane),
            {"type": "TIMED_OUT", "projectId": job.lane.project, "userId": job.lane.user, **told, "reason": why},
            MessageGroupId=job.id,
            MessageDeduplicationId=job.id,
        )

    def bury_mail(self, mail: str, why: str) -> None:
        """Leave a letter about a mail that has no lane."""
        self._send(self._names.unclaimed_dead_letters, {"type": "UNDECIDED", "messageId": mail, "reason": why})

    def _send(self, name: str, told: dict[str, str], **order: Any) -> None:  # noqa: ANN401 - the driver's own names
        try:
            with translated(f"the queue {name}"):
                url = self._client.get_queue_url(QueueName=name)["QueueUrl"]
                self._client.send_message(QueueUrl=url, MessageBody=json.dumps(told), **order)
        except (TryAgain, Misconfigured) as silent:
            _log.warning("no dead letter was left: %s", silent)
