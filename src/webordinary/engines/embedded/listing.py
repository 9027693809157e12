"""Pages of the long lists in SQLite: each reads a bounded number of rows through an index, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from webordinary.engines.embedded.database import one, rows
from webordinary.jobs.job import State
from webordinary.overview.filters import LOOKED_AT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    import apsw

    from webordinary.overview.filters import JobsAsked, MailsAsked

PROJECT_OF_JOB = "substr(lane, 1, instr(lane, '#') - 1)"
_OF_LANE = "rowid IN (SELECT rowid FROM jobs WHERE lane = :lane AND rowid < :top ORDER BY sequence DESC LIMIT :most)"
_LIVE = "rowid IN (SELECT rowid FROM jobs INDEXED BY jobs_live WHERE finished_at IS NULL AND state = :state)"
# Rows stand nearly in the order of their times: processes may note theirs a moment apart.
_SLACK_SECONDS = 60.0
_LAST = 2**63 - 1


class Way(NamedTuple):
    """One way through an index; the rows behind it come in the order of their numbers."""

    where: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """The numbers of the rows of one page, and the number of the last row that was looked at if there may be more."""

    numbers: list[int]
    last: int | None


def list_jobs(cursor: apsw.Cursor, asked: JobsAsked, after: str | None, limit: int) -> Listed:
    filters = [
        ("state = :state", "state", asked.state),
        ("outcome = :outcome", "outcome", asked.outcome),
        ("lane = :lane", "lane", asked.lane),
        *_projects(asked),
        (_is_part("coalesce(request ->> '$.reply_to', request ->> '$.by', '')"), "sender", asked.sender),
        *_times(asked.since, asked.until),
    ]
    page = _Page("jobs", after, limit, asked.since, asked.until)
    return page.listed(cursor, list(_ways_to_jobs(asked)), filters)


def list_mails(cursor: apsw.Cursor, asked: MailsAsked, after: str | None, limit: int) -> Listed:
    outcomes = {f"outcome_{number}": each for number, each in enumerate(asked.outcomes or ())}
    filters = [
        (_is_part("coalesce(sender, mail_from, '')"), "sender", asked.sender),
        *_times(asked.since, asked.until),
    ]
    if asked.projects is not None and asked.outcomes is not None:
        names = ", ".join(f":{name}" for name in outcomes)
        filters.append((f"outcome IN ({names})", "", outcomes))
    page = _Page("mails", after, limit, asked.since, asked.until)
    return page.listed(cursor, list(_ways_to_mails(asked)), filters)


def _ways_to_jobs(asked: JobsAsked) -> Iterator[Way]:
    """Choose the index that leaves least to look at."""
    if asked.lane is not None:
        yield Way(_OF_LANE, {"most": LOOKED_AT})
    elif asked.projects is not None:
        for project in asked.projects:
            yield Way(f"{PROJECT_OF_JOB} = :project", {"project": project})
    elif asked.state is None or asked.state is State.DONE:
        yield Way("rowid > 0", {})
    elif asked.state.is_live:
        yield Way(_LIVE, {})
    else:
        yield Way("finished_at IS NOT NULL AND state != 'done' AND state = :state", {})


def _ways_to_mails(asked: MailsAsked) -> Iterator[Way]:
    if asked.projects is not None:
        for project in asked.projects:
            yield Way("project = :project", {"project": project})
    elif asked.outcomes is not None:
        for outcome in asked.outcomes:
            yield Way("outcome = :way", {"way": outcome})
    else:
        yield Way("rowid > 0", {})


def _projects(asked: JobsAsked) -> list[tuple[str, str, Any]]:
    """Return the condition that a client's lane is in one of their projects; by project the index has it already."""
    if asked.lane is None or asked.projects is None:
        return []
    allowed = {f"project_{number}": each for number, each in enumerate(asked.projects)}
    names = ", ".join(f":{name}" for name in allowed)
    return [(f"{PROJECT_OF_JOB} IN ({names})", "", allowed)]


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of a table."""

    table: str
    after: str | None
    limit: int
    since: datetime | None
    until: datetime | None

    def listed(self, cursor: apsw.Cursor, ways: list[Way], filters: list[tuple[str, str, Any]]) -> Listed:
        top, bottom = self._bounds(cursor)
        wanted = " AND ".join(sql for sql, _, value in filters if value is not None) or "1"
        values = _values(filters) | {"top": top, "bottom": bottom, "limit": self.limit}
        share = max(1, LOOKED_AT // max(1, len(ways)))
        found: list[int] = []
        # Where each way has stopped: what lies behind the highest of these was not looked at by all of them.
        stops: list[int] = []
        for way in ways:
            looked = f"SELECT rowid, * FROM {self.table} WHERE {way.where} AND rowid < :top AND rowid > :bottom"  # noqa: S608 - constants
            looked += " ORDER BY rowid DESC LIMIT :share"
            given = values | way.values | {"share": share}
            sql = f"SELECT rowid FROM ({looked}) WHERE {wanted} LIMIT :limit"  # noqa: S608 - constants
            numbers = [row[0] for row in rows(cursor, sql, given)]
            found += numbers
            if len(numbers) == self.limit:
                stops.append(numbers[-1])
            elif (stop := self._end(cursor, way, given)) is not None:
                stops.append(stop)
        floor = max(stops, default=0)
        page = sorted((number for number in found if number >= floor), reverse=True)[: self.limit]
        if len(page) == self.limit:
            return Listed(page, page[-1])
        return Listed(page, floor or None)

    def _end(self, cursor: apsw.Cursor, way: Way, given: dict[str, Any]) -> int | None:
        """Return the last row that a way has looked at; None when it came to its end."""
        sql = (
            f"SELECT rowid FROM {self.table} WHERE {way.where} AND rowid < :top AND rowid > :bottom"  # noqa: S608 - constants
            " ORDER BY rowid DESC LIMIT 1 OFFSET :share - 1"
        )
        row = one(cursor, sql, given)
        return row[0] if row else None

    def _bounds(self, cursor: apsw.Cursor) -> tuple[int, int]:
        top = _LAST
        if self.after is not None:
            row = one(cursor, f"SELECT rowid FROM {self.table} WHERE id = ?", (self.after,))  # noqa: S608 - a constant
            top = row[0] if row else top
        if self.until is not None:
            top = min(top, self._first_at(cursor, self.until.timestamp() + _SLACK_SECONDS))
        bottom = 0
        if self.since is not None:
            bottom = self._first_at(cursor, self.since.timestamp() - _SLACK_SECONDS) - 1
        return top, max(0, bottom)

    def _first_at(self, cursor: apsw.Cursor, at: float) -> int:
        """Return the number of about the first row of that time, in twenty looks among a million."""
        newest = one(cursor, f"SELECT max(rowid) FROM {self.table}")  # noqa: S608 - a constant
        low, high = 1, (newest[0] or 0) + 1 if newest else 1
        sql = f"SELECT rowid, received_at FROM {self.table} WHERE rowid >= ? ORDER BY rowid LIMIT 1"  # noqa: S608 - a constant
        while low < high:
            middle = (low + high) // 2
            row = one(cursor, sql, (middle,))
            if row is None or row[1] >= at:
                high = middle
            else:
                low = row[0] + 1
        return high


def _values(filters: list[tuple[str, str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for _, name, value in filters:
        if value is not None:
            values |= {name: value} if name else value
    return values


def _is_part(of: str) -> str:
    return f"instr(lower({of}), lower(:sender))"


def _times(since: datetime | None, until: datetime | None) -> list[tuple[str, str, Any]]:
    return [
        ("received_at >= :since", "since", since.timestamp() if since else None),
        ("received_at < :until", "until", until.timestamp() if until else None),
    ]
