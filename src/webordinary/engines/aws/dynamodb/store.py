"""The tables as the store of dispatch: a line is read, decided in memory and written in one transaction.

Every write shows the version of each lane that it read. A writer that was overtaken reads again and decides again; a
writer that got no answer looks whether the write is there, by its own name for it.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from webordinary.audit.log import log_entry
from webordinary.dispatch.effects import WakeReason
from webordinary.dispatch.flow import abandon
from webordinary.dispatch.job_row import HOLDING
from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.lane_row import VersionedLane, end_of_claim, lane_from
from webordinary.engines.aws.dynamodb.reading import SHARDS_KEY, DynamoReader
from webordinary.engines.aws.dynamodb.records import CALLBACK, OWED, callback_kind, token_id
from webordinary.engines.aws.dynamodb.shards import MANY
from webordinary.engines.aws.dynamodb.tables import TIME_TO_LIVE
from webordinary.engines.aws.dynamodb.worker_rows import HEALTH, IDLE, WAITS, worker_key, worker_update
from webordinary.engines.aws.dynamodb.write import Write
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.flow.sweeping import look_around, tidy_up
from webordinary.engines.aws.flow.tokens import Flow
from webordinary.engines.aws.sqs.wakeups import Call, QueuedWakeup
from webordinary.errors import Interrupted, LostOwnership, TryAgain
from webordinary.jobs.figures import measure
from webordinary.metrics.meter import NoMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime, timedelta

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.dispatch.effects import Wakeup
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.store import DoneStep, Rounds
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.sqs.wakeups import SqsWakeups
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter
    from webordinary.ownership.claim import Claim

Result = TypeVar("Result")

_TRIES = 12
# Among so many there is one that has had nothing to do for long.
_MOST_ASKED = 200
_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.2
_BEAT_NAMES = {
    "#owner": "containerId",
    "#fence": "fence",
    "#until": "leaseUntil",
    "#since": "readySince",
    "#ahead": "ahead",
    "#ttl": TIME_TO_LIVE,
    "#version": "version",
}
_RENEW = "SET #until = :until, #since = :until - if_not_exists(#ahead, :none), #ttl = :ttl ADD #version :one"
_CALLS = {
    WakeReason.CLAIM: Call.CLAIM_REQUEST,
    WakeReason.OFFER: Call.CLAIM_REQUEST,
    WakeReason.WORK: Call.WORK,
    WakeReason.INTERRUPT: Call.INTERRUPT,
}


class DynamoStore(DynamoReader):
    """Reads are consistent where something is decided by them; an index only says where to look."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: Names,
        wakeups: SqsWakeups,
        limits: Limits,
        flow: Flow | None = None,
        called: dict[str, str] | None = None,
        meter: Meter | None = None,
    ) -> None:
        super().__init__(client, names)
        self.wakeups = wakeups
        self.limits = limits
        self.flow = flow or Flow()
        # For which lane each worker of this process was called last.
        self.called = {} if called is None else called
        self.meter = meter or NoMeter()
        # Which execution waits for which job, as far as this process has seen it, for the log.
        self._executions: dict[str, str | None] = {}
        # What this process has journaled in the attempt that it makes; its caller may know less.
        self._journaled: tuple[str, int, Mapping[str, str]] = ("", 0, {})
        # Under which claim somebody else was met who publishes in the same project.
        self.met_at_slot = ("", 0)
        # What else is written with the next write of this process's attempt.
        self.go_along: tuple[dict[str, Any], ...] = ()
        # What the attempt of this process has done since its last write.
        self._put_off: tuple[str, int, tuple[DoneStep, ...]] = ("", 0, ())
        # Each takes up to nine of the hundred places of a transaction.
        self.most_at_once = 10
        # One that somebody else writes meanwhile must not hold up the others.
        self.lanes_at_once = 1

    def change(self, decide: Callable[[Write], Result], now: Moment) -> Result:
        """Let `decide` read and change, and write it all at once; decided again as often as somebody was quicker."""
        tried: dict[str, tuple[Write, Result]] = {}
        for number in range(_TRIES):
            write = Write(self, now, is_first=number == 0)
            try:
                result = decide(write)
            except (LostOwnership, Interrupted):
                if not write.beliefs:
                    raise
                # Only what is read decides about that.
                continue
            try:
                self._commit(write)
            except (Stale, Unknown):
                tried[write.id] = write, result
                landed = self._landed(write, tried)
                if landed is None:
                    time.sleep(_wait(number))
                    continue
                write, result = tried[landed]
            self._tell(write)
            return result
        raise TryAgain("too many others wrote to the same lane: nothing was changed")

    def require_space(self) -> None:
        """There is always room."""

    @property
    def first_looked_at(self) -> str:
        return next(iter(self.called.values()), "") or super().first_looked_at

    def use_many_keys(self) -> None:
        """Let what is marked stand under many keys from now on; whoever does not know it yet learns it in a minute."""
        with translated(f"the table {self.names.records}"):
            item = item_of({**SHARDS_KEY, "count": MANY})
            self.client.put_item(TableName=self.names.records, Item=item)
        self.names.shards.known = MANY

    def called_for(self, worker: str) -> str | None:
        return self.called.pop(worker, None)

    def has_idle_workers(self, now: Moment) -> bool:
        """Tell whether somebody waits for any lane; the mark of a worker that died while it waited is too old."""
        since = now.seconds - 2 * self.limits.say_again.total_seconds()
        return next(self.marked(IDLE, since=since), None) is not None

    def wake(self, wakeups: Iterable[QueuedWakeup], now: Moment) -> None:
        """Wake after the commit; a wakeup that is lost costs time and nothing else."""
        for wakeup in wakeups:
            self.wakeups.wake(wakeup)
            if wakeup.call == Call.CLAIM_REQUEST and not wakeup.delay and not self.has_idle_workers(now):
                self._ask_to_give_way(wakeup.lane, now)

    def _call_for_one_of(self, lanes: Iterable[LaneRow], now: Moment) -> None:
        """Call somebody for the first of these lanes for which nobody was called just now."""
        before = now.seconds - self.limits.ring_again.total_seconds()
        for row in lanes:
            if not before < row.rung_at <= now.seconds and self._may_call(row.lane, before, now):
                self.wake([QueuedWakeup(Call.CLAIM_REQUEST, row.lane)], now)
                return

    def _may_call(self, lane: str, before: float, now: Moment) -> bool:
        """Note on the lane's row that somebody is called; False when somebody else has just done so."""
        condition = condition_of("#rungAt <= :before OR #rungAt > :now", {"before": before, "now": now.seconds})
        values = {**condition.pop("ExpressionAttributeValues"), **item_of({":one": 1})}
        names = {**condition.pop("ExpressionAttributeNames"), "#rings": "rings"}
        try:
            with translated(f"the table {self.names.ownership}"):
                self.client.update_item(
                    TableName=self.names.ownership,
                    Key=item_of({"projectKey": lane}),
                    UpdateExpression="SET #rungAt = :now ADD #rings :one",
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=values,
                    **condition,
                )
        except TryAgain:
            return False
        return True

    def _ask_to_give_way(self, besides: str, now: Moment) -> None:
        """Ring the owner that has had nothing to do for longest: it leaves its lane to those that wait."""
        owned = islice(self.owned_lanes(now), _MOST_ASKED)
        owners = [row for row in owned if row.lane != besides and row.is_owned(now) and row.running is None]
        if owners:
            quiet = min(owners, key=lambda row: row.last_activity or 0)
            self.wakeups.wake(QueuedWakeup(Call.GIVE_WAY, quiet.lane))

    def post_owed(self, owed: Iterable[Mapping[str, Any]], answered: Collection[str] = ()) -> int:
        """Send answers to the flow, and forget each when it was sent.

        Of a job that is answered by a letter the flow itself strikes it out, when it sends that.
        """
        count = 0
        for row in map(plain_of, owed):
            self.flow.answer(row["token"], row["answer"], row["output"], row["error"])
            count += 1
            if row["job"] in answered:
                continue
            with translated(f"the table {self.names.records}"):
                self.client.delete_item(TableName=self.names.records, Key=item_of({"kind": OWED, "id": row["id"]}))
        return count

    def _commit(self, write: Write) -> None:
        items = write.transaction()
        if items:
            with translated("a lane"):
                self.client.transact_write_items(TransactItems=items, ClientRequestToken=write.id)  # type: ignore[arg-type]  # the driver's own dictionary type is closed

    def _landed(self, write: Write, tried: Mapping[str, object]) -> str | None:
        """Return which of our own writes stands in the table; a retried write may have met its own success."""
        for lane in write.lines:
            row = self.lane(lane)
            if row is not None and row.write_id in tried:
                return row.write_id
        return None

    def _tell(self, write: Write) -> None:
        """Ring, answer and log; what fails here is true already, and the sweep says it again."""
        self._executions |= write.executions
        self._note_journal(write)
        if write.carries:
            self._put_off, self.go_along = ("", 0, ()), ()
        for entry in write.effects.entries:
            log_entry(entry, self._executions.get(entry.job or ""))
            measure(entry, self.meter)
        with suppress(TryAgain):
            self.wake([self._wakeup_of(write, wakeup) for wakeup in write.effects.wakeups], write.now)
            self._call_for_one_of(write.effects.left, write.now)
            for row in (row for line in write.lines.values() for row in line.ended.values()):
                if row.mail is None:
                    # For the caller that asked without a mail and waits; the row and the callback say the same.
                    self.wakeups.wake(QueuedWakeup(Call.OUTCOME, row.lane, row.job))
            self.post_owed(write.owed, {letter.job for letter in write.effects.letters if letter.job})
            for job in write.effects.alone:
                self.flow.follow(job)

    def _wakeup_of(self, write: Write, wakeup: Wakeup) -> QueuedWakeup:
        """Return the message of a wake-up; the job in it is for people who look into a queue."""
        line = write.lines[wakeup.lane]
        if wakeup.reason == WakeReason.INTERRUPT:
            running = line.jobs.get(line.row.running or "")
            return QueuedWakeup(Call.INTERRUPT, wakeup.lane, running.job if running else None)
        head = line.added[-1].turn if line.added else line.head
        row = line.find(head.id) if head else None
        delay = 0.0
        if wakeup.reason == WakeReason.CLAIM:
            # A lane whose head waits for its backoff is announced only when somebody can start it.
            delay = max(0.0, line.row.not_before - write.now.seconds)
        elif wakeup.reason == WakeReason.OFFER:
            # Nobody comes in vain before the owner had its time to answer.
            delay = self.limits.answer.total_seconds()
        return QueuedWakeup(_CALLS[wakeup.reason], wakeup.lane, row.job if row else None, delay)

    def _note_journal(self, write: Write) -> None:
        for row in (row for line in write.lines.values() for row in line.changed.values()):
            if row.state in HOLDING:
                self._journaled = (row.id, row.fence, row.journal)

    def put_off(self, claim: Claim, job: Job, done: DoneStep) -> Mapping[str, str]:
        """Keep a step for the next write: a write of its own would cost as much as all of them together."""
        self._put_off = job.id, claim.fence, (*self.steps_put_off(claim.fence, job.id), done)
        journal = dict(self.known_journal(claim, job))
        for each in self.steps_put_off(claim.fence, job.id):
            journal |= each.journaled
        return journal

    def let_go_along(self, update: dict[str, Any]) -> None:
        """Write something else of this attempt with its next write."""
        self.go_along = (*self.go_along, {"Update": update})

    def has_put_off(self, claim: Claim, job: Job) -> bool:
        return bool(self.steps_put_off(claim.fence, job.id))

    def steps_put_off(self, fence: int, job: str) -> tuple[DoneStep, ...]:
        """Return what was done in an attempt and is not written yet."""
        name, since, steps = self._put_off
        return steps if (name, since) == (job, fence) else ()

    def find(self, job: str) -> JobRow | None:
        """Return a job by its id, live or over; this process knows more of its own attempt."""
        found = super().find(job)
        if found is not None and found.state.is_live:
            for each in self.steps_put_off(found.fence, job):
                found.kept_journal = {**found.journal, **each.journaled}
        return found

    def known_journal(self, claim: Claim, job: Job) -> Mapping[str, str]:
        """Return a job's journal as its owner knows it."""
        name, fence, journal = self._journaled
        return {**job.journal.stored, **(journal if (name, fence) == (job.id, claim.fence) else {})}

    def renew(self, claim: Claim, job: str | None, lease: timedelta, now: Moment) -> VersionedLane:
        """Extend the lease only if it is still ours and not over; it is also when others may take the lane."""
        del job
        values: dict[str, Any] = {
            ":owner": claim.worker,
            ":fence": claim.fence,
            ":now": now.seconds,
            ":until": (now + lease).seconds,
            ":ttl": end_of_claim((now + lease).seconds),
            ":one": 1,
            ":none": 0,
        }
        try:
            with translated(f"the table {self.names.ownership}"):
                found = self.client.update_item(
                    TableName=self.names.ownership,
                    Key=item_of({"projectKey": claim.lane.key}),
                    UpdateExpression=_RENEW,
                    ConditionExpression="#owner = :owner AND #fence = :fence AND #until > :now",
                    ExpressionAttributeNames=_BEAT_NAMES,
                    ExpressionAttributeValues=item_of(values),
                    ReturnValues="ALL_NEW",
                )
        except Stale as over:
            raise LostOwnership(f"the lease of {claim.lane.key} under fence {claim.fence} is over") from over
        return lane_from(found["Attributes"])

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        """Tell the flow that the job is being looked after; False when it has given up, and the job was ended."""
        if not row.flow_token:
            return True
        token = row.token or ""
        try:
            self.flow.beat(token)
        except LostOwnership:
            return not self.change(lambda write: abandon(write, row.id, token), now)
        except TryAgain:
            # There is time for many more of them before the flow gives up.
            return True
        return True

    def wait_for_work(self, worker: str, now: Moment) -> None:
        self._update_worker(worker, WAITS, now)

    def say_health(self, worker: str, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        until = holds_back_until.timestamp() if holds_back_until else 0
        self._update_worker(worker, HEALTH, now, {":failures": failures, ":until": until})

    def _update_worker(self, worker: str, expression: str, now: Moment, values: dict[str, Any] | None = None) -> None:
        with translated(f"the table {self.names.records}"):
            self.client.update_item(**worker_update(self.names.records, worker, expression, now, values))

    def forget_worker(self, worker: str) -> None:
        with translated(f"the table {self.names.records}"):
            self.client.delete_item(TableName=self.names.records, Key=worker_key(worker))

    def beat_callback(self, token: str, now: Moment) -> None:
        # An earlier version kept all of them under one key.
        found = self._beat_at(callback_kind(token), token, now) or self._beat_at(CALLBACK, token, now)
        if not found:
            raise LostOwnership("nobody waits for this token any more")
        if "flow" in found:
            self.flow.beat(token)

    def _beat_at(self, kind: str, token: str, now: Moment) -> Mapping[str, Any]:
        try:
            with translated(f"the table {self.names.records}"):
                return self.client.update_item(
                    TableName=self.names.records,
                    Key=item_of({"kind": kind, "id": token_id(token)}),
                    UpdateExpression="SET #beat = :now",
                    ConditionExpression="attribute_exists(#job) AND attribute_not_exists(#answer)",
                    ExpressionAttributeNames={"#beat": "beatAt", "#job": "job", "#answer": "answer"},
                    ExpressionAttributeValues=item_of({":now": now.seconds}),
                    ReturnValues="ALL_NEW",
                )["Attributes"]
        except Stale:
            return {}

    def rounds(self, now: Moment) -> Rounds:
        return look_around(self, now)

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        return tidy_up(self, rounds, now)


def _wait(number: int) -> float:
    longest = min(_FIRST_WAIT * 2**number, _LONGEST_WAIT)
    return random.uniform(longest / 2, longest)  # noqa: S311 - to spread writers, not to hide anything
