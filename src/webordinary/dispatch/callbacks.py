"""Callbacks over a store: the end of the job is recorded first and is the answer; after that the waiter is notified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dispatch.states import end
from webordinary.dispatch.waking import wake
from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.job import Ending, Outcome, State

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.dispatch.store import Store, Transaction
    from webordinary.jobs.callbacks import Callback


class StoredCallbacks:
    """One answer for each token."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def succeed(self, token: str, output: str, now: Moment) -> None:
        self._answer(token, Ending(State.DONE, Outcome.ANSWERED, summary=output), now)

    def fail(self, token: str, error: str, now: Moment) -> None:
        self._answer(token, Ending(State.FAILED, error=error, template="failed", facts={"reason": error}), now)

    def beat(self, token: str, now: Moment) -> None:
        self._store.beat_callback(token, now)

    def read(self, token: str) -> Callback | None:
        return self._store.callback(token)

    def _answer(self, token: str, ending: Ending, now: Moment) -> None:
        def decide(write: Transaction) -> None:
            waiting = write.callback(token)
            line, row = write.line_with(waiting.job) if waiting and waiting.answer is None else (None, None)
            # A token that a newer one has replaced is as unknown as one that was made up.
            if line is None or row is None or row.token != token:
                raise LostOwnership("nobody waits for this token any more")
            if row.state == State.COMMITTING:
                raise TryAgain("the job has passed its commit point: wait, and read its outcome")
            end(line, row, ending)
            wake(line)

        self._store.change(decide, now)
