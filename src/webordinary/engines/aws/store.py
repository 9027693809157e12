"""The tables as the dispatch ports use them: a line is read whole, decided in memory and written in one transaction.

Every write shows the version of each lane that it read. Whoever was overtaken reads again and decides again; whoever
was told nothing looks whether the write is there, by its own name for it.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from webordinary.audit.log import log_entry
from webordinary.engines.aws.bells import Bell, Call
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.items import Item, item_of, plain_of
from webordinary.engines.aws.lane_row import READY_MARK, LaneRow, lane_from
from webordinary.engines.aws.records import OWED, WORKER, token_id
from webordinary.engines.aws.rows import JobRow, job_from, pointer_key
from webordinary.engines.aws.tables import OWNER_INDEX, READY_INDEX
from webordinary.engines.aws.tokens import Flow
from webordinary.engines.aws.write import Write, condition_of
from webordinary.errors import TryAgain
from webordinary.jobs.figures import measure
from webordinary.metrics.meter import NoMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import timedelta

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.bells import SqsBells
    from webordinary.engines.aws.names import Names
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter

Result = TypeVar("Result")

# Of what waits, the oldest; the others' turn comes as soon as these are taken.
MOST_AT_ONCE = 200
# In rounds of the sweep; the flow gives up after ten of them.
_TENDED_EVERY = 3
_TRIES = 12
_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.2


class Store:
    """Reads are consistent where something is decided by them; an index only says where to look."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: Names,
        bells: SqsBells,
        limits: Limits,
        flow: Flow | None = None,
        called: dict[str, str] | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.client = client
        self.names = names
        self.bells = bells
        self.limits = limits
        self.flow = flow or Flow()
        # For which lane each worker of this process was called last.
        self.called = {} if called is None else called
        self.meter = meter or NoMeter()
        # Which execution waits for which job, as far as this process has seen it, for the log.
        self._executions: dict[str, str | None] = {}

    def change(self, decide: Callable[[Write], Result], now: Moment) -> Result:
        """Let `decide` read and change, and write it all at once; decided again as often as somebody was quicker."""
        tried: dict[str, tuple[Write, Result]] = {}
        for number in range(_TRIES):
            write = Write(self, now, is_first=number == 0)
            result = decide(write)
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

    def lane(self, lane: str) -> LaneRow | None:
        item = self.item(self.names.ownership, {"projectKey": lane})
        return lane_from(item) if item else None

    def lanes(self) -> Iterator[LaneRow]:
        """Return every lane; there are as many as editors, which is few."""
        with translated(self.names.ownership):
            pages = self.client.get_paginator("scan").paginate(TableName=self.names.ownership, ConsistentRead=True)
            for page in pages:
                yield from map(lane_from, page["Items"])

    def lanes_of(self, worker: str) -> list[LaneRow]:
        """Return the lanes of one worker, as the index knows them."""
        return [lane_from(item) for item in self.query(self.names.ownership, "containerId", worker, index=OWNER_INDEX)]

    def live_jobs(self, lane: str) -> dict[str, JobRow]:
        """Return the live jobs of a lane in the order of their sequence; what is over stands elsewhere."""
        found = self.query(self.names.jobs, "projectUserId", lane)
        rows = map(job_from, found)
        return {row.job.id: row for row in rows}

    def find(self, job: str) -> JobRow | None:
        """Return a job by its id, live or over."""
        for _ in range(2):
            place = self.place(job)
            if place is None or isinstance(place, JobRow):
                return place
            lane, sequence = place
            item = self.item(self.names.jobs, {"projectUserId": lane, "sequence": sequence})
            if item is not None:
                return job_from(item)
            # It ended between the two looks.
        return None

    def place(self, job: str) -> JobRow | tuple[str, int] | None:
        """Return the lane and the sequence of a job that lives, and all of one that is over."""
        pointer = self.item(self.names.jobs, pointer_key(job))
        if pointer is None or "state" in pointer:
            return job_from(pointer) if pointer else None
        values = plain_of(pointer)
        return values["lane"], values["place"]

    def candidates(self, *, besides: str = "") -> list[LaneRow]:
        """Return lanes that wait, those for longest first, or are owned; the index may be a moment behind."""
        items = self.query(self.names.ownership, "readyMark", READY_MARK, index=READY_INDEX, limit=MOST_AT_ONCE)
        return [row for row in map(lane_from, items) if row.lane != besides]

    def free_lanes(self, now: Moment, *, besides: str = "") -> list[LaneRow]:
        """Return lanes that a worker may take: what may be half published first, then who has waited longest."""
        rows = [row for row in self.candidates(besides=besides) if row.is_free(now)]
        return sorted(rows, key=lambda row: (not row.is_committing, -row.waited(now).total_seconds()))

    def item(self, table: str, key: Mapping[str, Any]) -> Item | None:
        with translated(f"the table {table}"):
            return self.client.get_item(TableName=table, Key=item_of(key), ConsistentRead=True).get("Item")

    def items(self, *wanted: tuple[str, Mapping[str, Any]]) -> list[Item | None]:
        """Read several items at once, each consistently; together they are only as consistent as what is written."""
        keys = [(table, item_of(key)) for table, key in wanted]
        asked: dict[str, Any] = {}
        for table, key in keys:
            asked.setdefault(table, {"Keys": [], "ConsistentRead": True})["Keys"].append(key)
        found: list[tuple[str, Item]] = []
        for _ in range(_TRIES):
            with translated("a lane"):
                answer = self.client.batch_get_item(RequestItems=asked)
            found += [(table, item) for table, items in answer["Responses"].items() for item in items]
            asked = dict(answer["UnprocessedKeys"])
            if not asked:
                return [_matching(found, table, key) for table, key in keys]
        raise TryAgain("AWS is too busy to read a lane")

    def query(
        self, table: str, key: str, value: str, *, index: str | None = None, limit: int | None = None
    ) -> list[Item]:
        """Return every item under one hash key, or the first of them, in the order of its range key."""
        request: dict[str, Any] = {
            "TableName": table,
            "KeyConditionExpression": "#key = :key",
            "ExpressionAttributeNames": {"#key": key},
            "ExpressionAttributeValues": item_of({":key": value}),
        }
        request |= {"IndexName": index} if index else {"ConsistentRead": True}
        with translated(f"the table {table}"):
            if limit is not None:
                return list(self.client.query(**request, Limit=limit)["Items"])
            pages = self.client.get_paginator("query").paginate(**request)
            return [item for page in pages for item in page["Items"]]

    @property
    def tend_every(self) -> timedelta:
        """Return how often the sweep speaks to the flow for those who wait: well within the flow's patience."""
        return _TENDED_EVERY * self.limits.sweep

    def has_idle_workers(self, now: Moment) -> bool:
        """Tell whether somebody waits for any lane; whoever died while it waited has said so too long ago."""
        workers = [plain_of(item) for item in self.query(self.names.records, "kind", WORKER)]
        since = now.seconds - 2 * self.limits.say_again.total_seconds()
        return any(row.get("idle") and row["seenAt"] > since for row in workers)

    def ring(self, bells: Iterable[Bell], now: Moment) -> None:
        """Ring after the commit; a bell that is lost costs time and nothing else."""
        for bell in bells:
            self.bells.ring(bell)
            if bell.call == Call.CLAIM_REQUEST and not bell.delay and not self.has_idle_workers(now):
                self._ask_to_give_way(bell.lane, now)

    def call_for_one_of(self, lanes: Iterable[LaneRow], now: Moment) -> None:
        """Call somebody for the first of these lanes for which nobody was called just now."""
        before = now.seconds - self.limits.ring_again.total_seconds()
        for row in lanes:
            if not before < row.rung_at <= now.seconds and self._may_call(row.lane, before, now):
                self.ring([Bell(Call.CLAIM_REQUEST, row.lane)], now)
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
        owners = [row for row in self.candidates(besides=besides) if row.is_owned(now) and row.running is None]
        if owners:
            quiet = min(owners, key=lambda row: row.last_activity or 0)
            self.bells.ring(Bell(Call.GIVE_WAY, quiet.lane))

    def post_owed(self, owed: Iterable[Mapping[str, Any]]) -> int:
        """Send answers to the flow, and forget each when it was sent."""
        count = 0
        for row in map(plain_of, owed):
            self.flow.answer(row["token"], row["answer"], row["output"], row["error"])
            with translated(f"the table {self.names.records}"):
                self.client.delete_item(
                    TableName=self.names.records, Key=item_of({"kind": OWED, "id": token_id(row["token"])})
                )
            count += 1
        return count

    def _commit(self, write: Write) -> None:
        items = write.transaction()
        if items:
            with translated("a lane"):
                self.client.transact_write_items(TransactItems=items, ClientRequestToken=write.id)  # type: ignore[arg-type]  # the driver's own dictionary type is closed

    def _landed(self, write: Write, tried: Mapping[str, object]) -> str | None:
        """Return which of our own writes stands in the table; a retried write may have met its own success."""
        for lane in (*write.lines, *write.unread):
            row = self.lane(lane)
            if row is not None and row.write_id in tried:
                return row.write_id
        return None

    def _tell(self, write: Write) -> None:
        """Ring, answer and log; what fails here is true already, and the sweep says it again."""
        self._executions |= write.executions
        for entry in write.told.entries:
            log_entry(entry, self._executions.get(entry.job or ""))
            measure(entry, self.meter)
        with suppress(TryAgain):
            self.ring(write.told.bells, write.now)
            for row in (row for line in write.lines.values() for row in line.ended):
                if row.job.mail is None:
                    # For whoever asked without a mail and waits; the row and the callback say the same.
                    self.bells.ring(Bell(Call.OUTCOME, row.job.lane.key, row.job))
            self.post_owed(write.owed)
            for job in write.told.alone:
                self.flow.follow(job)


def _matching(found: Iterable[tuple[str, Item]], table: str, key: Item) -> Item | None:
    return next((item for where, item in found if where == table and key.items() <= item.items()), None)


def _wait(number: int) -> float:
    longest = min(_FIRST_WAIT * 2**number, _LONGEST_WAIT)
    return random.uniform(longest / 2, longest)  # noqa: S311 - to spread writers, not to hide anything
