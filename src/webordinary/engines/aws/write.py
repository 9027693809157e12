"""One transaction in the making: the lines that it read, and everything that will be true together with them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.items import Item, item_of, value_of
from webordinary.engines.aws.lane_row import LaneRow, lane_from, lane_item
from webordinary.engines.aws.line import Line, Told
from webordinary.engines.aws.records import dead_item, keep_message, keep_thread, outbox_item, trail_item
from webordinary.engines.aws.rows import JobRow, dedup_key, ended_item, job_from, job_item, live_key, pointer_item
from webordinary.engines.aws.tokens import callback_item, owed_item
from webordinary.errors import LostOwnership
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

_ABSENT = "attribute_not_exists"


@dataclass(slots=True)
class Write:
    """What will be written at once, or not at all."""

    store: Store
    now: Moment
    is_first: bool = True
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    told: Told = field(default_factory=Told)
    lines: dict[str, Line] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)
    owed: list[Item] = field(default_factory=list)
    # Lanes that are written without having been read.
    unread: list[str] = field(default_factory=list)

    @property
    def executions(self) -> dict[str, str | None]:
        """Return which execution of the flow waits for each job that was read, for the log."""
        rows = [row for line in self.lines.values() for row in (*line.jobs.values(), *line.ended)]
        return {row.job.id: row.execution for row in rows}

    def line(self, lane: str) -> Line:
        """Read a lane that exists since its first job."""
        found = self.find_line(lane)
        if found is None:
            raise LostOwnership(f"there is no lane {lane}")
        return found

    def find_line(self, lane: str) -> Line | None:
        row = self.store.lane(lane)
        return self.line_of(row) if row else None

    def line_of(self, row: LaneRow) -> Line:
        """Read the live jobs of a lane whose row was just read; nothing is asked when the row counts none."""
        jobs = self.store.live_jobs(row.lane) if row.pending > 0 else {}
        self.lines[row.lane] = Line(row, jobs, self.told)
        return self.lines[row.lane]

    def attempt(self, claim: Claim, job: Job, *, with_those_who_wait: bool = False) -> Line:
        """Read a lane with the one job that its owner runs, which is enough to write about that."""
        names, lane = self.store.names, claim.lane.key
        row, running = self.store.items(
            (names.ownership, {"projectKey": lane}),
            (names.jobs, {"projectUserId": lane, "sequence": job.sequence}),
        )
        if row is None:
            raise LostOwnership(f"there is no lane {lane}")
        # By its own id: another lane's job may have the same sequence.
        found, lane_row = {each.job.id: each for each in map(job_from, [running] if running else [])}, lane_from(row)
        is_whole = lane_row.pending == len(found)
        if with_those_who_wait and not is_whole:
            return self.line_of(lane_row)
        self.lines[lane] = Line(lane_row, found, self.told, is_whole=is_whole)
        return self.lines[lane]

    def new_line(self, row: LaneRow) -> Line:
        """Begin a lane."""
        self.lines[row.lane] = Line(row, {}, self.told, is_new=True)
        return self.lines[row.lane]

    def line_with(self, job: str, lane: str | None = None) -> tuple[Line | None, JobRow | None]:
        """Return the line in which a job lives, and the job; without a line it is over or unknown."""
        known = self.find_line(lane) if lane else None
        if known is not None:
            if job in known.jobs:
                return known, known.jobs[job]
            self.forget(known)
        for _ in range(2):
            place = self.store.place(job)
            if place is None or isinstance(place, JobRow):
                return None, place
            line = self.line(place[0])
            if job in line.jobs:
                return line, line.jobs[job]
            # It ended between the two looks.
            self.forget(line)
        return None, None

    def forget(self, line: Line) -> None:
        """Write nothing about a line that was only looked at."""
        del self.lines[line.row.lane]

    def put(self, table: str, item: Item, condition: str = "", values: Mapping[str, Any] | None = None) -> None:
        self.items.append({"Put": {"TableName": table, "Item": item, **condition_of(condition, values or {})}})

    def add(self, kind: str, request: Mapping[str, Any]) -> None:
        """Add a write that is made elsewhere: an Update, a Delete or a ConditionCheck."""
        self.items.append({kind: dict(request)})

    def keep_callback(self, row: JobRow) -> None:
        """Remember who waits for a job; the job itself is written with its line."""
        self.put(self.store.names.records, callback_item(row, self.now))

    def answer_flow(self, row: JobRow) -> None:
        """Answer a token that came after the end of its job."""
        self.keep_callback(row)
        self.owed.append(owed_item(row, self.now))
        self.put(self.store.names.records, self.owed[-1])

    def transaction(self) -> list[dict[str, Any]]:
        """Return everything in the form that TransactWriteItems takes."""
        lines = self.lines.values()
        writes = [write for line in lines for write in self._writes_of(line)]
        places = {row.job.id: (row.job.lane.key, row.job.thread) for line in lines for row in line.ended}
        records = [outbox_item(letter, self.now, *places.get(letter.job or "", ())) for letter in self.told.letters]
        records += [trail_item(entry) for entry in self.told.entries]
        table = self.store.names.records
        return writes + self.items + [{"Put": {"TableName": table, "Item": item}} for item in records]

    def _writes_of(self, line: Line) -> Iterator[dict[str, Any]]:
        line.settle(self.now)
        yield self._lane_write(line)
        jobs = self.store.names.jobs
        for row in line.added:
            yield from self._additions(row)
        for row in line.ended:
            yield {"Delete": {"TableName": jobs, "Key": live_key(row.job)}}
            yield {"Put": {"TableName": jobs, "Item": ended_item(row, self.now)}}
            yield from self._answers(row)
            if row.job.state == State.DEAD:
                yield {"Put": {"TableName": self.store.names.records, "Item": dead_item(row.job, self.now)}}
        for job in sorted(line.changed | {row.job.id for row in line.added}):
            yield {"Put": {"TableName": jobs, "Item": job_item(line.jobs[job])}}

    def _lane_write(self, line: Line) -> dict[str, Any]:
        seen = line.row.version
        line.row.version, line.row.write_id = seen + 1, self.id
        line.row.plan_tending(self.store.tend_every)
        condition = condition_of(f"{_ABSENT}(#projectKey)" if line.is_new else "#version = :version", {"version": seen})
        return {"Put": {"TableName": self.store.names.ownership, "Item": lane_item(line.row), **condition}}

    def _additions(self, row: JobRow) -> Iterator[dict[str, Any]]:
        names, job, now = self.store.names, row.job, self.now
        known = item_of({**dedup_key(row.dedup_key), "jobId": job.id})
        once = condition_of(f"{_ABSENT}(#projectUserId)", {})
        yield {"Put": {"TableName": names.jobs, "Item": known, **once}}
        yield {"Put": {"TableName": names.jobs, "Item": pointer_item(job)}}
        yield {"Put": {"TableName": names.records, "Item": callback_item(row, now)}}
        yield {"Update": keep_thread(names.threads, job.thread, job.lane.key, now)}
        if job.request.message_id:
            yield {"Update": keep_message(names.threads, job.request.message_id, job.thread, now)}

    def _answers(self, row: JobRow) -> Iterator[dict[str, Any]]:
        table = self.store.names.records
        yield {"Put": {"TableName": table, "Item": callback_item(row, self.now)}}
        if row.flow_token:
            self.owed.append(owed_item(row, self.now))
            yield {"Put": {"TableName": table, "Item": self.owed[-1]}}


def condition_of(condition: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a condition with the names and values that it mentions: `#name` is that attribute, `:name` that value.

    Names always go this way: `state`, `owner` and many others are words of DynamoDB's own.
    """
    if not condition:
        return {}
    words = condition.replace("(", " ").replace(")", " ").replace(",", " ").split()
    made: dict[str, Any] = {
        "ConditionExpression": condition,
        "ExpressionAttributeNames": {word: word[1:] for word in words if word.startswith("#")},
    }
    wanted = {word: value_of(values[word[1:]]) for word in words if word.startswith(":")}
    return {**made, "ExpressionAttributeValues": wanted} if wanted else made
