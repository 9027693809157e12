"""The read side in SQLite."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.embedded.listing import PROJECT_OF_JOB, list_jobs, list_mails
from webordinary.engines.embedded.load import read_load
from webordinary.engines.embedded.rows import JOB_COLUMNS, find_job, job_from
from webordinary.engines.embedded.snapshot import examine
from webordinary.engines.stored_text import text_of
from webordinary.jobs.job import State
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview import FailingView, LaneView, MailView, PausedView, WorkerView
from webordinary.overview.filters import LOOKED_AT, Count, Counts, FoundPage
from webordinary.reply.outbox import ACK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.jobs.job import Job
    from webordinary.overview import Examined, LoadView
    from webordinary.overview.filters import JobsAsked, LeftAsked, MailsAsked

_LANE_COLUMNS = (
    "lane, owner, fence, pending, running, lease_until, lease_boot, paused, last_worker, rings, rings_suppressed,"
    " ready_since, not_before, overdue_at"
)
# By the index of owners, of whom there are few; by their names one would look through every lane.
_OWNED = "owner > '' AND +lane > ? ORDER BY +lane LIMIT ?"
_WAITING = "ready_since IS NOT NULL AND (ready_since, rowid) > (?, ?) ORDER BY ready_since, rowid LIMIT ?"
# Greater than any number of a row.
_BEHIND_ALL = 2**63 - 1
_PLACE = f"ifnull((SELECT rowid FROM {{}} WHERE id = :after), {_BEHIND_ALL})"  # noqa: S608 - a constant
_LATE = f"""
SELECT id FROM jobs INDEXED BY jobs_live WHERE finished_at IS NULL AND received_at <= ?
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE key = jobs.id || '.{ACK}')
ORDER BY lane, sequence
"""  # noqa: S608 - a constant
# Another mail of the thread has answered a question; what comes by the calendar has not.
_ANSWERS = "later.kind != 'scheduled'"
_TRIES_AGAIN = "later.repeats = left.id"
_LEFT = f"""
SELECT rowid, (:since IS NULL OR finished_at >= :since)
  AND (:projects IS NULL OR {PROJECT_OF_JOB} IN (SELECT value FROM json_each(:projects)))
  AND NOT EXISTS (SELECT 1 FROM jobs AS later WHERE later.finished_at IS NOT NULL
                  AND later.thread = left.thread AND later.sequence > left.sequence AND {{settles}})
  AND NOT EXISTS (SELECT 1 FROM jobs AS later INDEXED BY jobs_of_thread
                  WHERE later.lane = left.lane AND later.finished_at IS NULL
                  AND later.thread = left.thread AND later.sequence > left.sequence AND {{settles}})
FROM jobs AS left WHERE {{which}} AND rowid < {_PLACE.format("jobs")} ORDER BY rowid DESC LIMIT :look
"""  # noqa: S608 - constants
_UNANSWERED = _LEFT.format(which="outcome = 'asked'", settles=_ANSWERS)
_BURIED = _LEFT.format(which="finished_at IS NOT NULL AND state != 'done' AND state = 'dead'", settles=_TRIES_AGAIN)
_MAIL_COLUMNS = (
    "id, door, sender, recipients, subject, received_at, state, outcome, reason, job, thread, mail_from, project,"
    " verdict, method, reasons"
)


class SqliteOverview:
    """Looks at one consistent state each time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def examine(self, within: timedelta) -> Examined:
        return examine(self._database.path, within)

    def lanes(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        return self._lanes("lane > ? ORDER BY lane LIMIT ?", (after, limit), now)

    def active(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        with self._database.read() as cursor:
            place = one(cursor, "SELECT owner, ready_since, rowid FROM lanes WHERE lane = ?", (after,))
        owner, since, row = place or (None, None, 0)
        is_behind_owned = place is not None and owner is None
        owned = [] if is_behind_owned else self._lanes(_OWNED, (after, limit), now)
        waiting = self._lanes(_WAITING, (since or 0, row if since else 0, limit - len(owned)), now)
        return [*owned, *waiting]

    def lane(self, lane: str, now: Moment) -> LaneView | None:
        return next(iter(self._lanes("lane = ?", (lane,), now)), None)

    def lanes_of(self, worker: str, now: Moment) -> Sequence[LaneView]:
        return self._lanes("owner = ?", (worker,), now)

    def has_lane(self, project: str) -> bool:
        with self._database.read() as cursor:
            return one(cursor, "SELECT 1 FROM lanes WHERE project = ? LIMIT 1", (project,)) is not None

    def _lanes(self, where: str, values: tuple[Any, ...], now: Moment) -> Sequence[LaneView]:
        with self._database.read() as cursor:
            found = cursor.execute(f"SELECT {_LANE_COLUMNS} FROM lanes WHERE {where}", values)  # noqa: S608 - constants
            return [_lane_from(row, now) for row in found]

    def jobs(
        self, *, state: str | None = None, lane: str | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[Job]:
        where, order = _by_lane(state) if lane is not None else _by_state(state)
        sql = f"SELECT {JOB_COLUMNS} FROM jobs {where} ORDER BY {order} DESC LIMIT :limit"  # noqa: S608 - constants
        values = {"state": state, "lane": lane, "after": after, "limit": limit}
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, values)]

    def live(self, lane: str) -> Sequence[Job]:
        sql = f"SELECT {JOB_COLUMNS} FROM jobs WHERE lane = ? AND finished_at IS NULL ORDER BY sequence"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, (lane,))]

    def late(self, before: datetime, now: Moment) -> Sequence[tuple[Job, LaneView]]:
        # First only what is compared: a mail that was reported stays in the line, and its row need not be read again.
        with self._database.read() as cursor:
            found = [find_job(cursor, row[0]) for row in rows(cursor, _LATE, (before.timestamp(),))]
        jobs = [row.job for row in found if row is not None]
        lanes = {job.lane.key: self.lane(job.lane.key, now) for job in jobs}
        return [(job, lane) for job in jobs if (lane := lanes[job.lane.key]) is not None]

    def dead_without_alarm(self, *, limit: int = 100) -> Sequence[Job]:
        sql = f"SELECT {JOB_COLUMNS} FROM jobs WHERE state = 'dead' AND NOT alarmed LIMIT ?"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, (limit,))]

    def job(self, job: str) -> Job | None:
        with self._database.read() as cursor:
            found = find_job(cursor, job)
        return found.job if found else None

    def mails(
        self, *, outcome: MailOutcome | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[MailView]:
        of_outcome = "" if outcome is None else "outcome = :outcome AND "
        sql = (
            f"SELECT {_MAIL_COLUMNS} FROM mails WHERE {of_outcome}rowid < {_PLACE.format('mails')}"  # noqa: S608 - constants
            " ORDER BY rowid DESC LIMIT :limit"
        )
        with self._database.read() as cursor:
            found = cursor.execute(sql, {"outcome": outcome, "after": after, "limit": limit})
            return [_mail_from(row) for row in found]

    def mail(self, mail: str) -> MailView | None:
        with self._database.read() as cursor:
            row = one(cursor, f"SELECT {_MAIL_COLUMNS} FROM mails WHERE id = ?", (mail,))  # noqa: S608 - a constant
        return _mail_from(row) if row else None

    def paused(self) -> Sequence[PausedView]:
        sql = (
            "SELECT project, paused, paused_at FROM projects INDEXED BY projects_paused"
            " WHERE paused IS NOT NULL ORDER BY project"
        )
        with self._database.read() as cursor:
            return [PausedView(str(row[0]), str(row[1]), from_seconds(row[2])) for row in rows(cursor, sql)]

    def workers(self) -> Sequence[WorkerView]:
        sql = (
            "SELECT worker, process, idle, seen_at, claims_won, claims_lost, claims_failed, holds_back_until"
            " FROM workers ORDER BY worker"
        )
        with self._database.read() as cursor:
            return [_worker_from(row) for row in cursor.execute(sql)]

    def load(self, now: Moment) -> LoadView:
        with self._database.read() as cursor:
            return read_load(cursor, now)

    def find_jobs(self, asked: JobsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        with self._database.read() as cursor:
            page = list_jobs(cursor, asked, after, limit)
            return FoundPage(_jobs_of(cursor, page.numbers), _name_of(cursor, "jobs", page.last))

    def find_mails(self, asked: MailsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[MailView]:
        sql = f"SELECT {_MAIL_COLUMNS} FROM mails WHERE rowid = ?"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            page = list_mails(cursor, asked, after, limit)
            mails = [_mail_from(row) for number in page.numbers for row in rows(cursor, sql, (number,))]
            return FoundPage(mails, _name_of(cursor, "mails", page.last))

    def unclaimed(self, now: Moment, *, limit: int = 100) -> Sequence[LaneView]:
        return self._lanes("ready_since IS NOT NULL ORDER BY ready_since LIMIT ?", (limit,), now)

    def unanswered(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        return self._left(_UNANSWERED, left, after, limit)

    def buried(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        return self._left(_BURIED, left, after, limit)

    def _left(self, sql: str, left: LeftAsked, after: str | None, limit: int) -> FoundPage[Job]:
        values = {
            "after": after,
            "look": LOOKED_AT,
            "since": left.since.timestamp() if left.since else None,
            "projects": None if left.projects is None else text_of(left.projects),
        }
        with self._database.read() as cursor:
            found: list[int] = []
            looked, last = 0, None
            # One row after the other: each is looked up in its thread, and nobody needs more than a page of them.
            for number, is_left in cursor.execute(sql, values):
                looked, last = looked + 1, number
                found += [number] if is_left else []
                if len(found) == limit:
                    break
            is_more = looked == LOOKED_AT or len(found) == limit
            return FoundPage(_jobs_of(cursor, found), _name_of(cursor, "jobs", last if is_more else None))

    def failing(self) -> Sequence[FailingView]:
        sql = (
            "SELECT project, failures FROM projects INDEXED BY projects_failing"
            " WHERE failures > 1 ORDER BY failures DESC"
        )
        with self._database.read() as cursor:
            return [FailingView(str(row[0]), row[1]) for row in rows(cursor, sql)]

    def counts(self, *, projects: tuple[str, ...] | None = None) -> Counts:
        every = "SELECT state, sum(jobs) FROM job_counts GROUP BY state"
        some = "SELECT state, jobs FROM job_counts WHERE project = ?"
        with self._database.read() as cursor:
            if projects is None:
                found = rows(cursor, every)
            else:
                found = [row for project in projects for row in rows(cursor, some, (project,))]
        counted: dict[State, Count] = {}
        for state, number in found:
            counted[State(state)] = Count(number + counted.get(State(state), Count(0)).number)
        return Counts(counted)


def _jobs_of(cursor: apsw.Cursor, numbers: Sequence[int]) -> list[Job]:
    sql = f"SELECT {JOB_COLUMNS} FROM jobs WHERE rowid = ?"  # noqa: S608 - a constant
    return [job_from(row).job for number in numbers for row in rows(cursor, sql, (number,))]


def _name_of(cursor: apsw.Cursor, table: str, number: int | None) -> str | None:
    row = one(cursor, f"SELECT id FROM {table} WHERE rowid = ?", (number,)) if number else None  # noqa: S608 - constants
    return row[0] if row else None


def _by_lane(state: str | None) -> tuple[str, str]:
    """Return which jobs of one lane are asked for, and their order: the one in which they were accepted."""
    place = f"ifnull((SELECT sequence FROM jobs WHERE id = :after), {_BEHIND_ALL})"  # noqa: S608 - a constant
    return f"WHERE lane = :lane AND sequence < {place}" + (" AND state = :state" if state else ""), "sequence"


def _by_state(state: str | None) -> tuple[str, str]:
    """Return which jobs of all lanes are asked for; each question has an index, or is answered by the newest."""
    place = f"rowid < {_PLACE.format('jobs')}"
    if state is None:
        return f"WHERE {place}", "rowid"
    if State(state).is_live:
        # Sorted before they are read: there may be many, with long requests.
        live = f"jobs INDEXED BY jobs_live WHERE finished_at IS NULL AND state = :state AND {place}"
        return f"WHERE rowid IN (SELECT rowid FROM {live} ORDER BY rowid DESC LIMIT :limit)", "rowid"  # noqa: S608 - constants
    if state == State.DONE:
        return f"WHERE {place} AND state = :state", "rowid"
    return f"WHERE finished_at IS NOT NULL AND state != 'done' AND state = :state AND {place}", "rowid"


def _lane_from(row: tuple[Any, ...], now: Moment) -> LaneView:
    lane, owner, fence, pending, running, until, boot, paused, *others = row
    left = until - now.boot if boot == now.boot_id else -1.0
    alive = owner is not None and left > 0
    return LaneView(
        lane=lane,
        owner=owner if alive else None,
        fence=fence,
        pending=pending,
        running=running,
        lease_until=now.wall_at + timedelta(seconds=left) if alive else None,
        paused=paused,
        last_worker=others[0],
        rings=others[1],
        rings_suppressed=others[2],
        free_since=_free_since(owner, left, others[3], now) if pending else None,
        not_before=from_seconds(others[4]) if others[4] > now.seconds else None,
        overdue_at=from_seconds(others[5]) if others[5] else None,
    )


def _free_since(owner: str | None, left: float, ready_since: float | None, now: Moment) -> datetime | None:
    """Return since when the lane may be taken: since its head was ready, or since its owner's lease was over."""
    if owner is not None:
        return now.wall_at + timedelta(seconds=left) if left <= 0 else None
    return from_seconds(ready_since) if ready_since is not None and ready_since <= now.seconds else None


def _mail_from(row: tuple[Any, ...]) -> MailView:
    return MailView(
        id=row[0],
        door=row[1],
        sender=row[2] or row[11],
        recipients=tuple(msgspec.json.decode(row[3], type=list[str])),
        subject=row[4],
        received_at=from_seconds(row[5]),
        state=row[6],
        outcome=MailOutcome(row[7]) if row[7] else None,
        reason=row[8],
        job=row[9],
        thread=row[10],
        project=row[12],
        verdict=row[13],
        method=row[14],
        reasons=tuple(msgspec.json.decode(row[15], type=list[str])),
    )


def _worker_from(row: tuple[Any, ...]) -> WorkerView:
    worker, process, idle, seen, won, lost, failed, until = row
    back = from_seconds(until) if until else None
    return WorkerView(worker, process, bool(idle), from_seconds(seen), won, lost, failed, back)
