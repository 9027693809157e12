"""Task tokens: the record of each, its one answer, and Step Functions, which waits for some of them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from webordinary.engines.aws.dynamodb.items import Item, item_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, OWED, callback_kind, token_id
from webordinary.engines.aws.faults import translated
from webordinary.engines.stored_text import text_of
from webordinary.errors import LostOwnership, Misconfigured, TryAgain
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_stepfunctions import SFNClient

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow

_log = logging.getLogger(__name__)

SUCCESS = "success"
FAILURE = "failure"
# The error of a job that had to make room for a newer one and is not resumed.
INTERRUPTED = "INTERRUPTED"
_LONGEST_CAUSE = 32_000
_BEGUN = frozenset({"ExecutionAlreadyExists"})


class Flow:
    """Step Functions, as far as jobs are concerned; without a client nobody waits there."""

    def __init__(self, client: SFNClient | None = None, machine: str = "") -> None:
        self._client = client
        self._machine = machine
        self._is_missing = False

    @property
    def is_open(self) -> bool:
        return self._client is not None

    def start(self, name: str, about: Mapping[str, str]) -> None:
        """Begin one execution; one of the same name that was begun before is the same one."""
        if self._client is None:
            return
        try:
            with translated(f"the state machine {self._machine}", let_through=_BEGUN):
                self._client.start_execution(stateMachineArn=self._machine, name=name, input=text_of(about))
        except ClientError:
            _log.info("the execution %s was begun before", name)

    def follow(self, job: str) -> None:
        """Let an execution wait for a job that no mail began; the job is done all the same if none can be begun."""
        if self._is_missing:
            return
        try:
            self.start(job, {"job": job})
        except Misconfigured as missing:
            # Logged once for each process: a repair starts new ones.
            self._is_missing = True
            _log.warning("no flow waits for the job %s: %s", job, missing)
        except TryAgain as busy:
            _log.warning("no flow waits for the job %s: %s", job, busy)

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
    return item_of({**_facts(row), "kind": callback_kind(row.token or ""), **_answer(row, now), "beatAt": now.seconds})


def owed_item(row: JobRow, now: Moment) -> Item:
    """Return the note that the flow has not heard the answer yet; it goes when it was sent."""
    # By its job: whoever sends the answer strikes it out, and knows no token.
    return item_of({**_facts(row), "kind": OWED, "id": row.id, **_answer(row, now), "error": error_of(row)})


def error_of(row: JobRow) -> str:
    """Return the name under which the flow's states catch a failure."""
    return INTERRUPTED if row.words == "dropped" else row.state.value.upper()


def output_of(row: JobRow) -> str:
    """Return what the flow hears about a job that is over."""
    return text_of({"job": row.id, "state": row.state.value, "outcome": row.outcome.value if row.outcome else None})


def _facts(row: JobRow) -> dict[str, Any]:
    token = row.token or ""
    return {"id": token_id(token), "token": token, "job": row.id, "flow": row.flow_token or None}


def _answer(row: JobRow, now: Moment) -> dict[str, Any]:
    if row.state.is_live:
        return {}
    return {
        "answer": SUCCESS if row.state == State.DONE else FAILURE,
        "output": output_of(row),
        "decidedAt": now.seconds,
        "ttl": int((now + KEPT_FOR).seconds),
    }
