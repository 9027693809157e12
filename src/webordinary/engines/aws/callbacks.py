"""Callbacks on Step Functions: the end of the job is recorded first and is the answer, the flow is told after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import Stale, translated
from webordinary.engines.aws.items import item_of, plain_of
from webordinary.engines.aws.records import CALLBACK, token_id
from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.callbacks import Callback
from webordinary.jobs.job import Ending, Outcome, State

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write


class StepFunctionsCallbacks:
    """One answer for each token."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def succeed(self, token: str, output: str, now: Moment) -> None:
        self._answer(token, Ending(State.DONE, Outcome.ANSWERED, summary=output), now)

    def fail(self, token: str, error: str, now: Moment) -> None:
        self._answer(token, Ending(State.FAILED, error=error, words="failed", facts={"reason": error}), now)

    def beat(self, token: str, now: Moment) -> None:
        try:
            with translated(f"the table {self._store.names.records}"):
                found = self._store.client.update_item(
                    TableName=self._store.names.records,
                    Key=item_of({"kind": CALLBACK, "id": token_id(token)}),
                    UpdateExpression="SET #beat = :now",
                    ConditionExpression="attribute_exists(#job) AND attribute_not_exists(#answer)",
                    ExpressionAttributeNames={"#beat": "beatAt", "#job": "job", "#answer": "answer"},
                    ExpressionAttributeValues=item_of({":now": now.seconds}),
                    ReturnValues="ALL_NEW",
                )
        except Stale as over:
            raise LostOwnership("nobody waits for this token any more") from over
        if "flow" in found["Attributes"]:
            self._store.flow.beat(token)

    def read(self, token: str) -> Callback | None:
        item = self._store.item(self._store.names.records, {"kind": CALLBACK, "id": token_id(token)})
        if item is None:
            return None
        row = plain_of(item)
        return Callback(row["job"], row.get("answer"), row.get("output", ""))

    def _answer(self, token: str, ending: Ending, now: Moment) -> None:
        def decide(write: Write) -> None:
            waiting = self.read(token)
            line, row = write.line_with(waiting.job) if waiting and waiting.answer is None else (None, None)
            # A token that a newer one has replaced is as unknown as one that was made up.
            if line is None or row is None or row.job.token != token:
                raise LostOwnership("nobody waits for this token any more")
            if row.job.state == State.COMMITTING:
                raise TryAgain("the job has passed its commit point: wait, and read its outcome")
            line.end(row, ending, now)
            line.ring(self._store.limits, now)

        self._store.change(decide, now)
