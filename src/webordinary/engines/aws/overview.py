"""The read side in DynamoDB: it may be a moment behind, and decides nothing."""

from __future__ import annotations

import time
from heapq import merge
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.letter_rows import LetterRows
from webordinary.engines.aws.dynamodb.mail_rows import MAIL, mail_kind
from webordinary.engines.aws.dynamodb.project_row import project_from
from webordinary.engines.aws.dynamodb.records import DEAD, PROJECT, WORKER
from webordinary.engines.aws.dynamodb.rows import JOB_MARK, job_from
from webordinary.engines.aws.dynamodb.tables import RECEIVED_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.listing import LOOKED_AT, Walk, buried, count, unanswered
from webordinary.engines.aws.load import read_load
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview import Examined, FailingView, LaneView, MailView, PausedView, WorkerView
from webordinary.overview.filters import FoundPage
from webordinary.reply.outbox import ACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.dispatch.breaker import ProjectRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.dynamodb.store import DynamoStore
    from webordinary.jobs.job import Job
    from webordinary.overview import LoadView
    from webordinary.overview.filters import Counts, JobsAsked, LeftAsked, MailsAsked

# Later than anything was received.
_FAR_AHEAD = 1e12


# Two questions of one moment are one.
_REMEMBERED_SECONDS = 1.0


class DynamoOverview:
    """Looks at what the tables show."""

    def __init__(self, store: DynamoStore) -> None:
        self._store = store
        self._letters = LetterRows(store.client, store.names)
        self._over: tuple[float, Job | None] = (0, None)

    def examine(self, within: timedelta) -> Examined:  # noqa: ARG002 - DynamoDB looks after its own disks
        return Examined(None)

    def lanes(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        found = sorted((row for row in self._store.lanes() if row.lane > after), key=lambda row: row.lane)
        return [_lane_from(row, now) for row in found[:limit]]

    def active(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        found = sorted(self._store.active_lanes(), key=_place)
        last = next((_place(row) for row in found if row.lane == after), None)
        if last is None and after:
            # It is over: on with those that wait.
            last = (True, 0.0, "")
        return [_lane_from(row, now) for row in found if last is None or _place(row) > last][:limit]

    def lane(self, lane: str, now: Moment) -> LaneView | None:
        row = self._store.lane(lane)
        return _lane_from(row, now) if row else None

    def lanes_of(self, worker: str, now: Moment) -> Sequence[LaneView]:
        lanes = (self._store.lane(lane) for lane in self._store.lanes_of(worker))
        owned = (_lane_from(row, now) for row in lanes if row is not None and row.owner == worker)
        return [lane for lane in owned if lane.owner is not None]

    def has_lane(self, project: str) -> bool:
        return bool(self._store.lanes_behind(project))

    def jobs(
        self, *, state: str | None = None, lane: str | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[Job]:
        jobs = self._jobs(after)
        found = (
            job for job in jobs if (state is None or job.state == state) and (lane is None or job.lane.key == lane)
        )
        return list(islice(found, limit))

    def live(self, lane: str) -> Sequence[Job]:
        return [row.job for row in self._store.live_jobs(lane).values()]

    def late(self, before: datetime, now: Moment) -> Sequence[tuple[Job, LaneView]]:
        lanes = self._store.live_lanes()
        busy = [row for row in lanes if row.busy_since is None or row.busy_since <= before.timestamp()]
        jobs = [(job, _lane_from(row, now)) for row in busy for job in self.live(row.lane) if job.received_at <= before]
        return [(job, lane) for job, lane in jobs if not self._has_letter(f"{job.id}.{ACK}")]

    def dead_without_alarm(self, *, limit: int = 100) -> Sequence[Job]:
        untold = (row["id"] for row in map(plain_of, self._store.marked(DEAD)) if not self._was_told(row["id"]))
        found = (self.job(job) for job in untold)
        return list(islice((job for job in found if job is not None), limit))

    def _was_told(self, job: str) -> bool:
        """Tell whether the agency has heard of a dead job; then nobody looks for it any more."""
        if not self._has_letter(f"{job}.alarm"):
            return False
        with translated(f"the table {self._store.names.records}"):
            self._store.client.update_item(
                TableName=self._store.names.records,
                Key=item_of({"kind": DEAD, "id": job}),
                UpdateExpression="REMOVE dueMark, dueAt",
            )
        return True

    def job(self, job: str) -> Job | None:
        at, over = self._over
        if over is not None and over.id == job and time.monotonic() - at < _REMEMBERED_SECONDS:
            return over
        found = self._store.find(job)
        if found is not None and not found.state.is_live:
            self.remember(found.job)
        return found.job if found else None

    def remember(self, over: Job) -> None:
        """Know for a moment a job that is over, and so does not change: who sends an answer asks more than once."""
        self._over = time.monotonic(), over

    def mails(
        self, *, outcome: MailOutcome | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[MailView]:
        return list(islice((mail for mail in self._mails(after) if outcome is None or mail.outcome == outcome), limit))

    def mail(self, mail: str) -> MailView | None:
        item = self._store.item(self._store.names.records, {"kind": mail_kind(mail), "id": mail})
        return _mail_from(plain_of(item)) if item else None

    def paused(self) -> Sequence[PausedView]:
        projects = self._projects_in_trouble()
        return [PausedView(row.project, row.paused, from_seconds(row.paused_at)) for row in projects if row.paused]

    def _projects_in_trouble(self) -> list[ProjectRow]:
        if not self._store.notes_lanes:
            return [project_from(row) for row in self._records(PROJECT)]
        return sorted(map(project_from, map(plain_of, self._store.marked(PROJECT))), key=lambda row: row.project)

    def workers(self) -> Sequence[WorkerView]:
        return [_worker_from(row) for row in self._records(WORKER)]

    def load(self, now: Moment) -> LoadView:
        return read_load(self._store, now)

    def find_jobs(self, asked: JobsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        return Walk(self._jobs(after, asked.until), asked.since).found(asked.matches, limit)

    def find_mails(self, asked: MailsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[MailView]:
        return Walk(self._mails(after, asked.until), asked.since).found(asked.matches, limit)

    def unclaimed(self, now: Moment, *, limit: int = 100) -> Sequence[LaneView]:
        waiting = (row for row in self._store.active_lanes() if row.owner is None and row.ready_since is not None)
        return [_lane_from(row, now) for row in islice(waiting, limit)]

    def unanswered(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        return self._left(unanswered, left, after, limit)

    def buried(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        return self._left(buried, left, after, limit)

    def _left(
        self, which: Callable[[Sequence[Job]], list[Job]], left: LeftAsked, after: str | None, limit: int
    ) -> FoundPage[Job]:
        # From the newest on: only a later job of a thread tells that somebody has gone on.
        newest = Walk(self._jobs()).found(lambda _: True, LOOKED_AT).items
        found = [job for job in which(newest) if left.matches(job)]
        behind = found if after is None else list(islice(dropwhile(lambda job: job.id != after, found), 1, None))
        return FoundPage(behind[:limit], behind[limit - 1].id if len(behind) > limit else None)

    def failing(self) -> Sequence[FailingView]:
        projects = self._projects_in_trouble()
        found = [FailingView(row.project, row.failures) for row in projects if row.failures > 1]
        return sorted(found, key=lambda each: -each.failures)

    def counts(self, *, projects: tuple[str, ...] | None = None) -> Counts:
        page = Walk(self._jobs()).found(lambda _: True, LOOKED_AT)
        jobs = [job for job in page.items if projects is None or job.lane.project in projects]
        return count(jobs, is_more=page.after is not None)

    def _jobs(self, after: str | None = None, until: datetime | None = None) -> Iterator[Job]:
        """Read jobs from the newest on, behind one of them, and before a moment."""
        last = self.job(after) if after is not None else None
        newest = self._newest_first(self._store.names.jobs, "jobMark", JOB_MARK, last.received_at if last else until)
        jobs: Iterator[Job] = (job_from(item).job for item in newest)
        return islice(dropwhile(lambda job: job.id != last.id, jobs), 1, None) if last is not None else jobs

    def _mails(self, after: str | None = None, until: datetime | None = None) -> Iterator[MailView]:
        last = self.mail(after) if after is not None else None
        newest = self._newest_first(self._store.names.records, "kind", MAIL, last.received_at if last else until)
        mails: Iterator[MailView] = (_mail_from(plain_of(item)) for item in newest)
        return islice(dropwhile(lambda mail: mail.id != last.id, mails), 1, None) if last is not None else mails

    def _has_letter(self, key: str) -> bool:
        return bool(self._letters.read(key))

    def _records(self, kind: str) -> list[dict[str, Any]]:
        return [plain_of(item) for item in self._store.query(self._store.names.records, "kind", kind)]

    def _newest_first(self, table: str, key: str, mark: str, until: datetime | None = None) -> Iterator[Item]:
        """Read page by page, so that a caller who wants the newest few, or the newest of a time, reads no more."""
        found = [self._newest_of(table, key, value, until) for value in self._store.names.shards.keys(mark)]
        return merge(*found, key=lambda item: float(item["receivedAt"]["N"]), reverse=True)

    def _newest_of(self, table: str, key: str, value: str, until: datetime | None) -> Iterator[Item]:
        with translated(f"the table {table}"):
            pages = self._store.client.get_paginator("query").paginate(
                TableName=table,
                IndexName=RECEIVED_INDEX,
                KeyConditionExpression="#key = :key AND #at <= :at",
                ExpressionAttributeNames={"#key": key, "#at": "receivedAt"},
                ExpressionAttributeValues=item_of({":key": value, ":at": until.timestamp() if until else _FAR_AHEAD}),
                ScanIndexForward=False,
            )
            for page in pages:
                yield from page["Items"]


def _place(row: LaneRow) -> tuple[bool, float, str]:
    """Return where a lane stands among the active ones."""
    waits = row.owner is None
    return waits, row.ready_since or 0.0 if waits else 0.0, row.lane


def _lane_from(row: LaneRow, now: Moment) -> LaneView:
    alive = row.is_owned(now)
    return LaneView(
        lane=row.lane,
        owner=row.owner if alive else None,
        fence=row.fence,
        pending=row.pending,
        running=row.running,
        lease_until=from_seconds(row.lease_until) if alive else None,
        paused=row.paused,
        last_worker=row.last_worker,
        rings=row.rings,
        rings_suppressed=row.rings_suppressed,
        free_since=now.wall_at - row.waited(now) if row.pending and row.is_free(now) else None,
        not_before=from_seconds(row.not_before) if row.not_before > now.seconds else None,
        overdue_at=from_seconds(row.overdue_at) if row.overdue_at else None,
    )


def _worker_from(row: dict[str, Any]) -> WorkerView:
    until = row.get("holdsBackUntil")
    return WorkerView(
        worker=row["id"],
        # It may live on another machine, where nobody here can look whether it is alive.
        process="",
        idle=row.get("idle", False),
        seen_at=from_seconds(row["seenAt"]),
        claims_won=row.get("claimsWon", 0),
        claims_lost=row.get("claimsLost", 0),
        claims_failed=row.get("claimsFailed", 0),
        holds_back_until=from_seconds(until) if until else None,
    )


def _mail_from(row: dict[str, Any]) -> MailView:
    return MailView(
        id=row["id"],
        door=row["door"],
        sender=row.get("sender") or row.get("mailFrom"),
        recipients=tuple(msgspec.json.decode(row["recipients"], type=list[str])),
        subject=row.get("subject", ""),
        received_at=from_seconds(row["receivedAt"]),
        state=row["state"],
        outcome=MailOutcome(row["outcome"]) if row.get("outcome") else None,
        reason=row.get("reason"),
        job=row.get("job"),
        thread=row.get("thread"),
        project=row.get("project"),
        verdict=row.get("verdict"),
        method=row.get("method"),
        reasons=tuple(msgspec.json.decode(row.get("reasons", "[]"), type=list[str])),
    )
