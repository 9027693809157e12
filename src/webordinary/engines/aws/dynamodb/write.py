"""One transaction in the making: the lines that it read, and everything that will be true together with them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.effects import Effects
from webordinary.dispatch.lane import LeaseClock, fence_of_calendar
from webordinary.dispatch.line import Line
from webordinary.engines.aws.dynamodb.believed import believed_row, believed_writes
from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.earlier_lanes import give_places
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.lane_row import VersionedLane, lane_from, lane_item
from webordinary.engines.aws.dynamodb.project_row import forgiven, project_key, project_writes, read_project
from webordinary.engines.aws.dynamodb.records import (
    REMEMBERED_FOR,
    SLOT,
    dead_item,
    keep_message,
    keep_thread,
    lanes_kind,
    outbox_item,
    trail_item,
)
from webordinary.engines.aws.dynamodb.rows import (
    JOB_MARK,
    dedup_key,
    ended_item,
    job_from,
    job_item,
    live_key,
    places_of,
    pointer_item,
    thread_key,
    verbs_key,
)
from webordinary.engines.aws.dynamodb.slot_row import slot_from, slot_writes, unread_slot
from webordinary.engines.aws.dynamodb.worker_rows import CLAIM_LOST, CLAIM_WON, worker_update
from webordinary.engines.aws.flow.tokens import callback_item, owed_item
from webordinary.engines.aws.proposals import proposal_item
from webordinary.engines.aws.schedules import schedule_item
from webordinary.errors import LostOwnership
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from webordinary.clock import Moment
    from webordinary.dispatch.breaker import ProjectRow
    from webordinary.dispatch.job_row import JobRow, Turn
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.store import DoneStep, Slot
    from webordinary.engines.aws.dynamodb.store import DynamoStore
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.job import Job, NewJob
    from webordinary.ownership.claim import Claim

_ABSENT = "attribute_not_exists"
# One request reads that many as quickly as one, and most lines are no longer.
_AT_FIRST = 4
# And no more than that.
_READ_AT_ONCE = 100


@dataclass(slots=True)
class Write:
    """What will be written at once, or not at all."""

    store: DynamoStore
    now: Moment
    is_first: bool = True
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    effects: Effects = field(default_factory=Effects)
    lines: dict[str, Line] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)
    owed: list[Item] = field(default_factory=list)
    # What the owner of a lane says about it and about the job that it runs, where nothing was read.
    beliefs: dict[str, Job] = field(default_factory=dict)
    # Whether steps go along that were put off.
    carries: bool = False
    _rows: dict[str, VersionedLane] = field(default_factory=dict)
    _jobs: dict[str, JobRow] = field(default_factory=dict)
    _firsts: dict[str, tuple[list[Turn], int]] = field(default_factory=dict)

    @property
    def is_repeated(self) -> bool:
        return not self.is_first

    @property
    def executions(self) -> dict[str, str | None]:
        """Return which execution of the flow waits for each job that was read, for the log."""
        rows = [row for line in self.lines.values() for row in (*line.jobs.values(), *line.ended.values())]
        return {row.id: row.execution for row in rows}

    def line(self, lane: str) -> Line:
        found = self.lines.get(lane) or self._find_line(lane)
        if found is None:
            raise LostOwnership(f"there is no lane {lane}")
        return found

    def line_seen(self, row: LaneRow) -> Line | None:
        # An index that is behind shows an old version, with which nothing is written; then the row itself is read.
        if self.is_first and isinstance(row, VersionedLane):
            return self._begin(row)
        return self._find_line(row.lane)

    def place_for(self, job: NewJob) -> tuple[str | None, Line | None]:
        names = self.store.names
        known, lane = self.store.items(
            (names.jobs, dedup_key(job.dedup_key)), (names.ownership, {"projectKey": job.lane.key})
        )
        if known is not None:
            return str(plain_of(known)["jobId"]), None
        return None, self._begin(lane_from(lane)) if lane else None

    def known(self, key: str) -> str | None:
        item = self.store.item(self.store.names.jobs, dedup_key(key))
        return str(plain_of(item)["jobId"]) if item else None

    def new_line(self, lane: str) -> Line:
        # The first fence comes from the calendar, so that a lane that is made anew never repeats one.
        line = self._begin(VersionedLane(lane, fence_of_calendar(self.now), leases=LeaseClock.WALL))
        line.is_new = True
        return line

    def line_with(
        self, job: str, lane: str | None = None, sequence: int | None = None
    ) -> tuple[Line | None, JobRow | None]:
        known = self._line_and_job(lane, sequence) if lane else None
        if known is not None:
            row = known.find(job)
            if row is not None:
                return known, row
            self.forget(known)
        for _ in range(2):
            place = self.store.place(job)
            if place is None or not isinstance(place, tuple):
                return None, place
            line = self.line(place[0])
            row = line.find(job)
            if row is not None:
                return line, row
            # It ended between the two looks.
            self.forget(line)
        return None, None

    def _line_and_job(self, lane: str, sequence: int | None) -> Line | None:
        """Read a lane, and the job at a place in it with the same request."""
        if not sequence:
            return self._find_line(lane)
        names = self.store.names
        row, job = self.store.items(
            (names.ownership, {"projectKey": lane}), (names.jobs, {"projectUserId": lane, "sequence": sequence})
        )
        if row is None:
            return None
        found = lane_from(row)
        if job is not None:
            kept = self._keep(job)
            if found.pending == 1:
                # It is the only one: there is nothing else to look for.
                self._firsts[lane] = [kept.turn], _READ_AT_ONCE
        return self._begin(found)

    def find(self, job: str) -> JobRow | None:
        return self.store.find(job)

    def attempt(self, claim: Claim, job: Job, *, is_step: bool = False) -> Line:
        if is_step and self.is_first:
            return self._believe(claim, job)
        names, lane = self.store.names, claim.lane.key
        row, running = self.store.items(
            (names.ownership, {"projectKey": lane}),
            (names.jobs, {"projectUserId": lane, "sequence": job.sequence}),
        )
        if row is None:
            raise LostOwnership(f"there is no lane {lane}")
        if running is not None:
            self._keep(running)
        return self._begin(lane_from(row))

    def _believe(self, claim: Claim, job: Job) -> Line:
        row = VersionedLane(
            claim.lane.key, claim.fence, claim.worker, claim.nonce, pending=1, running=job.id, leases=LeaseClock.WALL
        )
        line = self._begin(row)
        line.is_believed = True
        line.jobs[job.id] = believed_row(job, claim.fence, self.store.known_journal(claim, job))
        self.beliefs[row.lane] = job
        return line

    def steps_put_off(self, claim: Claim, job: Job) -> Sequence[DoneStep]:
        steps = self.store.steps_put_off(claim.fence, job.id)
        self.carries = bool(steps or self.store.go_along)
        self.items += self.store.go_along
        return steps

    def forget(self, line: Line) -> None:
        self.lines.pop(line.row.lane, None)

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        known, asked = self._firsts.get(lane, ([], 0))
        if asked < most:
            asked = max(most, _AT_FIRST)
            found = self.store.query(self.store.names.jobs, "projectUserId", lane, limit=asked)
            known = [self._keep(item).turn for item in found]
            self._firsts[lane] = known, asked
        return known[:most]

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        return self._turns_at(lane, thread_key(lane, thread), most)

    def verbs(self, lane: str) -> Sequence[Turn]:
        return self._turns_at(lane, verbs_key(lane), None)

    def _turns_at(self, lane: str, key: str, most: int | None) -> list[Turn]:
        limit = most
        while True:
            found = [
                plain_of(item) for item in self.store.query(self.store.names.jobs, "projectUserId", key, limit=limit)
            ]
            self._read_places(lane, found)
            turns = [self._jobs[row["jobId"]].turn for row in found if row["jobId"] in self._jobs]
            if most is None or limit is None or len(turns) >= most or len(found) < limit:
                return turns[:most]
            # An earlier version leaves the places of those behind that are over.
            limit *= 4

    def _read_places(self, lane: str, found: Iterable[Mapping[str, Any]]) -> None:
        unread = [row["sequence"] for row in found if row["jobId"] not in self._jobs]
        keys = [(self.store.names.jobs, {"projectUserId": lane, "sequence": sequence}) for sequence in unread]
        for at in range(0, len(keys), _READ_AT_ONCE):
            for item in self.store.items(*keys[at : at + _READ_AT_ONCE]):
                if item is not None:
                    self._keep(item)

    def all(self, lane: str) -> Sequence[Turn]:
        return [self._keep(item).turn for item in self.store.query(self.store.names.jobs, "projectUserId", lane)]

    def read(self, lane: str, job: str) -> JobRow | None:
        if job in self._jobs:
            return self._jobs[job] if self._jobs[job].lane == lane else None
        row = self._rows.get(lane)
        if row is not None and row.running == job:
            return self.store.running(row, job)
        if row is not None and 0 < row.pending <= _AT_FIRST:
            # A job that is added to a short line stands in it.
            self.first(lane, _AT_FIRST)
            if job in self._jobs:
                return self._jobs[job]
        found = self.store.find(job)
        return found if found is not None and found.lane == lane and found.state.is_live else None

    def free_lanes(self, *, besides: str = "", seen: Sequence[LaneRow] | None = None) -> Sequence[LaneRow]:
        return seen if seen is not None and self.is_first else self.store.free_lanes(self.now, besides=besides)

    def project(self, project: str) -> ProjectRow:
        return read_project(self.store, project)

    def hold_project(self, project: ProjectRow) -> None:
        condition = f"{_ABSENT}(#paused)" if project.paused is None else "attribute_exists(#paused)"
        request = {"TableName": self.store.names.records, "Key": project_key(project.project)}
        self.add("ConditionCheck", {**request, **condition_of(condition, {})})

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None:
        self.items += project_writes(self.store.names.records, after, seen, self.now)

    def forgive(self, project: str) -> None:
        self.add("Update", forgiven(self.store.names.records, project))

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        """A transaction holds a hundred writes at most: other lanes follow in transactions of their own."""
        del project
        return ()

    def lane_and_slot(self, claim: Claim) -> tuple[LaneRow | None, Slot | None]:
        names, self.store.met_at_slot = self.store.names, (claim.lane.key, claim.fence)
        lane, item = self.store.items(
            (names.ownership, {"projectKey": claim.lane.key}),
            (names.records, {"kind": SLOT, "id": claim.lane.project}),
        )
        return lane_from(lane) if lane else None, slot_from(item)

    def believes_slot(self, claim: Claim) -> bool:
        # Who has met somebody else looks before the next try: a write that fails costs more than a look.
        return self.is_first and self.store.met_at_slot != (claim.lane.key, claim.fence)

    def look(self, lane: str) -> LaneRow | None:
        return self.store.lane(lane)

    def put_slot(self, slot: Slot | None, seen: Slot | None, claim: Claim, job: str) -> None:
        line = self.lines.get(claim.lane.key)
        if line is None or not line.is_believed:
            self.items += slot_writes(self.store.names, slot, seen, claim, job)
            return
        put, check = unread_slot(self.store.names, claim, job)
        # The lane and the job are checked where they are written, if they are.
        self.items += [put] if line.changed else [put, check]
        if not line.changed:
            self.forget(line)

    def callback(self, token: str) -> Callback | None:
        return self.store.callback(token)

    def count_claim(self, worker: str, *, won: bool) -> None:
        expression = CLAIM_WON if won else CLAIM_LOST
        self.add("Update", worker_update(self.store.names.records, worker, expression, self.now))

    def add(self, kind: str, request: Mapping[str, Any]) -> None:
        """Add a write: a Put, an Update, a Delete or a ConditionCheck."""
        self.items.append({kind: dict(request)})

    def transaction(self) -> list[dict[str, Any]]:
        """Return everything in the form that TransactWriteItems takes."""
        writes = [write for line in self.lines.values() for write in self._writes_of(line)]
        ended = [row for line in self.lines.values() for row in line.ended.values()]
        places = {row.id: (row.lane, row.thread) for row in ended}
        effects, names = self.effects, self.store.names
        records = [
            outbox_item(letter, self.now, names.shards, *places.get(letter.job or "", ())) for letter in effects.letters
        ]
        records += [trail_item(entry, names.shards) for entry in effects.entries]
        records += [proposal_item(proposal) for proposal in effects.proposals]
        records += [schedule_item(schedule) for schedule in effects.schedules]
        for row in effects.tokens:
            if row not in ended:
                records += self._answers(row)
        return writes + self.items + [_put(names.records, item) for item in records]

    def _writes_of(self, line: Line) -> Iterator[dict[str, Any]]:
        if line.is_believed:
            yield from believed_writes(self, line, self.beliefs[line.row.lane])
            return
        line.recompute()
        yield self._lane_write(line)
        if line.is_new:
            note = {"kind": lanes_kind(line.row.project), "id": line.row.lane}
            yield _put(self.store.names.records, item_of(note))
        jobs, records = self.store.names.jobs, self.store.names.records
        for row in line.added:
            yield from self._additions(row)
        for row in line.ended.values():
            yield {"Delete": {"TableName": jobs, "Key": live_key(row)}}
            for key in places_of(row):
                yield {"Delete": {"TableName": jobs, "Key": item_of(key)}}
            yield _put(jobs, ended_item(row, self.now, self._job_mark(row)))
            yield from (_put(records, item) for item in self._answers(row))
            if row.state == State.DEAD:
                yield _put(records, dead_item(row.id, self.now))
        for _, row in sorted(line.changed.items()):
            yield _put(jobs, job_item(row, self._job_mark(row)))

    def _job_mark(self, row: JobRow) -> str:
        return self.store.names.shards.key(JOB_MARK, row.id)

    def _lane_write(self, line: Line) -> dict[str, Any]:
        row = self._rows[line.row.lane]
        seen, running = row.version, line.jobs.get(row.running or "")
        row.version, row.write_id = seen + 1, self.id
        if running is not None or row.running is None:
            row.running_sequence = running.sequence if running else None
        row.plan_tending(self.now.seconds)
        condition = condition_of(f"{_ABSENT}(#projectKey)" if line.is_new else "#version = :version", {"version": seen})
        return {
            "Put": {
                "TableName": self.store.names.ownership,
                "Item": lane_item(row, self.store.names.shards),
                **condition,
            }
        }

    def _additions(self, row: JobRow) -> Iterator[dict[str, Any]]:
        names, now = self.store.names, self.now
        ttl = int((now + REMEMBERED_FOR).seconds)
        known = item_of({**dedup_key(row.dedup_key), "jobId": row.id, "ttl": ttl})
        once = condition_of(f"{_ABSENT}(#projectUserId)", {})
        yield {"Put": {"TableName": names.jobs, "Item": known, **once}}
        yield _put(names.jobs, pointer_item(row))
        for key in places_of(row):
            yield _put(names.jobs, item_of({**key, "jobId": row.id}))
        yield _put(names.records, callback_item(row, now))
        yield {"Update": keep_thread(names.threads, row.thread, row.lane, now)}
        if row.request.message_id:
            yield {"Update": keep_message(names.threads, row.request.message_id, row.thread, now)}

    def _answers(self, row: JobRow) -> list[Item]:
        """Return the record of a job's token, and what is owed to the flow once the job is over."""
        items = [callback_item(row, self.now)]
        if row.flow_token and not row.state.is_live:
            self.owed.append(owed_item(row, self.now))
            items.append(self.owed[-1])
        return items

    def _find_line(self, lane: str) -> Line | None:
        row = self.store.lane(lane)
        return self._begin(row) if row else None

    def _begin(self, row: VersionedLane) -> Line:
        if row.is_earlier:
            row = give_places(self.store, row.lane) or row
        self._rows[row.lane] = row
        self.lines[row.lane] = Line(row, self, self.effects, self.store.limits, self.now)
        return self.lines[row.lane]

    def _keep(self, item: Item) -> JobRow:
        row = job_from(item)
        return self._jobs.setdefault(row.id, row)


def _put(table: str, item: Item) -> dict[str, Any]:
    return {"Put": {"TableName": table, "Item": item}}
