"""The read side in SQLite."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.embedded.rows import JOB_COLUMNS, find_job, job_from
from webordinary.engines.embedded.snapshot import examine
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview import LaneView, MailView, PausedView, WorkerView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.jobs.job import Job
    from webordinary.overview import Examined

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

    def lanes(self, now: Moment) -> Sequence[LaneView]:
        sql = (
            "SELECT lane, owner, fence, pending, running, lease_until, lease_boot, paused, last_worker, rings,"
            " rings_suppressed FROM lanes ORDER BY lane"
        )
        with self._database.read() as cursor:
            return [_lane_from(row, now) for row in cursor.execute(sql)]

    def jobs(self, *, state: str | None = None, lane: str | None = None, limit: int = 100) -> Sequence[Job]:
        sql = (
            f"SELECT {JOB_COLUMNS} FROM jobs WHERE (?1 IS NULL OR state = ?1)"  # noqa: S608 - a constant
            " AND (?2 IS NULL OR lane = ?2) ORDER BY received_at DESC, sequence DESC LIMIT ?3"
        )
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, (state, lane, limit))]

    def live(self, lane: str) -> Sequence[Job]:
        sql = f"SELECT {JOB_COLUMNS} FROM jobs WHERE lane = ? AND finished_at IS NULL ORDER BY sequence"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, (lane,))]

    def dead_without_alarm(self, *, limit: int = 100) -> Sequence[Job]:
        sql = (
            f"SELECT {JOB_COLUMNS} FROM jobs WHERE state = 'dead'"  # noqa: S608 - a constant
            " AND NOT EXISTS (SELECT 1 FROM outbox WHERE key = jobs.id || '.alarm') LIMIT ?"
        )
        with self._database.read() as cursor:
            return [job_from(row).job for row in cursor.execute(sql, (limit,))]

    def job(self, job: str) -> Job | None:
        with self._database.read() as cursor:
            found = find_job(cursor, job)
        return found.job if found else None

    def mails(self, *, outcome: MailOutcome | None = None, limit: int = 100) -> Sequence[MailView]:
        sql = (
            f"SELECT {_MAIL_COLUMNS} FROM mails WHERE ?1 IS NULL OR outcome = ?1"  # noqa: S608 - a constant
            " ORDER BY received_at DESC, rowid DESC LIMIT ?2"
        )
        with self._database.read() as cursor:
            return [_mail_from(row) for row in cursor.execute(sql, (outcome, limit))]

    def mail(self, mail: str) -> MailView | None:
        with self._database.read() as cursor:
            row = one(cursor, f"SELECT {_MAIL_COLUMNS} FROM mails WHERE id = ?", (mail,))  # noqa: S608 - a constant
        return _mail_from(row) if row else None

    def paused(self) -> Sequence[PausedView]:
        sql = "SELECT project, paused, paused_at FROM projects WHERE paused IS NOT NULL ORDER BY project"
        with self._database.read() as cursor:
            return [PausedView(str(row[0]), str(row[1]), from_seconds(row[2])) for row in rows(cursor, sql)]

    def workers(self) -> Sequence[WorkerView]:
        sql = (
            "SELECT worker, process, idle, seen_at, claims_won, claims_lost, claims_failed, holds_back_until"
            " FROM workers ORDER BY worker"
        )
        with self._database.read() as cursor:
            return [_worker_from(row) for row in cursor.execute(sql)]


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
    )


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
