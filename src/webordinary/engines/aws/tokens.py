"""Task tokens: the record of each, its one answer, and Step Functions, which waits for some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.items import Item, item_of
from webordinary.engines.aws.records import CALLBACK, KEPT_FOR, OWED, text_of, token_id
from webordinary.errors import LostOwnership
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.rows import JobRow
    from webordinary.jobs.job import Job

SUCCESS = "success"
FAILURE = "failure"
_LONGEST_CAUSE = 32_000


class Flow:
    """Step Functions, as far as jobs are concerned; without a client nobody waits there."""

    def __init__(self, client: SFNClient | None = None) -> None:
        self._client = client

    @property
    def is_open(self) -> bool:
        return self._client is not None

    def answer(self, token: str, answer: str, output: str, error: str) -> None:
        """Tell the waiting execution; one that has given up already needs no answer."""
        if self._client is None:
            return
        try:
            with translated("the flow's task token"):
                if answer == SUCCESS:
                    self._client.send_task_success(taskToken=token, output=output)
                else:
                    self._client.send_task_failure(taskToken=token, error=error, cause=output[:_LONGEST_CAUSE])
        except LostOwnership:
            return

    def beat(self, token: str) -> None:
        """Say that somebody works on it; LostOwnership when the flow has given up."""
        if self._client is not None:
            with translated("the flow's task token"):
                self._client.send_task_heartbeat(taskToken=token)


def callback_item(row: JobRow, now: Moment) -> Item:
    """Return the record of the job's token, with its answer once the job is over."""
    job = row.job
    return item_of({**_facts(row), "kind": CALLBACK, **_answer(job, now), "beatAt": now.seconds})


def owed_item(row: JobRow, now: Moment) -> Item:
    """Return the note that the flow has not heard the answer yet; it goes when it was sent."""
    return item_of({**_facts(row), "kind": OWED, **_answer(row.job, now), "error": error_of(row.job)})


def error_of(job: Job) -> str:
    """Return the name under which the flow's states catch a failure."""
    return job.state.value.upper()


def output_of(job: Job) -> str:
    """Return what the flow hears about a job that is over."""
    return text_of({"job": job.id, "state": job.state.value, "outcome": job.outcome.value if job.outcome else None})


def _facts(row: JobRow) -> dict[str, Any]:
    token = row.job.token or ""
    return {"id": token_id(token), "token": token, "job": row.job.id, "flow": row.flow_token or None}


def _answer(job: Job, now: Moment) -> dict[str, Any]:
    if job.state.is_live:
        return {}
    return {
        "answer": SUCCESS if job.state == State.DONE else FAILURE,
        "output": output_of(job),
        "decidedAt": now.seconds,
        "ttl": int((now + KEPT_FOR).seconds),
    }
