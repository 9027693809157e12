"""The calendar of what is planned: a month as a table, the same as a list, and as a file for a calendar program."""

from __future__ import annotations

import calendar as months
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from starlette.responses import Response

from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import send_sheet
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused
from webordinary.jobs.schedules import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule

FIELDS = ("project", "group", "month")
_MOST = 2_000
_LINE = 70


@dataclass(frozen=True, slots=True)
class ListedPlan:
    """One planned moment on a day of the project's own time."""

    plan: Schedule
    job: Job | None
    at: datetime
    # When what goes live now ends again.
    until: datetime | None = None

    @property
    def words(self) -> str:
        return "goes live" if self.plan.phase is Phase.PUBLISH else "is taken back"

    @property
    def moments(self) -> Iterator[ListedPlan]:
        """Yield it, and its end, which becomes a plan of its own only when the change is live."""
        yield self
        if self.until is not None:
            end = replace(self.plan, id=f"{self.plan.id}.end", phase=Phase.REVERT)
            yield ListedPlan(end, self.job, self.until)

    @property
    def subject(self) -> str:
        return self.job.subject if self.job and self.job.subject else self.plan.job


def calendar(visit: PageVisit) -> Response:
    chosen, rows, sites = _asked(visit)
    month = _month(chosen, visit.house.here.clock.now().wall_at.astimezone(chosen.zone).date())
    by_day: dict[date, list[ListedPlan]] = {}
    for moment in (moment for row in rows for moment in row.moments):
        by_day.setdefault(moment.at.date(), []).append(moment)
    return visit.shows(
        "calendar.html",
        chosen=chosen,
        rows=rows,
        sites=sites,
        month=month,
        weeks=months.Calendar().monthdatescalendar(month.year, month.month),
        by_day=by_day,
        earlier=_beside(chosen, month - timedelta(days=1)),
        later=_beside(chosen, (month + timedelta(days=32)).replace(day=1)),
        path="/calendar",
    )


def calendar_sheet(visit: PageVisit) -> Response:
    _, rows, _ = _asked(visit)
    columns = (
        ("at", lambda row: row.at),
        ("project", lambda row: row.plan.lane.project),
        ("what", lambda row: row.words),
        ("subject", lambda row: row.subject),
        ("until", lambda row: row.until),
        ("job", lambda row: row.plan.job),
        ("plan", lambda row: row.plan.id),
    )
    return send_sheet("calendar", columns, rows)


def calendar_file(visit: PageVisit) -> Response:
    """Answer with what calendar programs read (RFC 5545)."""
    _, rows, _ = _asked(visit)
    now = visit.house.here.clock.now().wall_at
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//WebOrdinary//calendar//EN"]
    domain = visit.house.here.config.domain
    lines += [line for row in rows for moment in row.moments for line in _event(moment, now, domain)]
    text = "\r\n".join(part for line in [*lines, "END:VCALENDAR"] for part in _folded(line)) + "\r\n"
    heads = {"content-disposition": 'attachment; filename="calendar.ics"'}
    return Response(text, headers=heads, media_type="text/calendar; charset=utf-8")


def _asked(visit: PageVisit) -> tuple[ListFilter, Sequence[ListedPlan], SeenProjects]:
    chosen = ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
    sites = SeenProjects.of(visit)
    within = sites.chosen(chosen)
    plans = [
        plan
        for plan in visit.engine.schedules.all(project=chosen.of("project") or None)
        if visit.viewer.sees(plan.lane.project) and (within is None or plan.lane.project in within)
    ]
    return chosen, [_row(visit, sites, plan) for plan in plans[:_MOST]], sites


def _row(visit: PageVisit, sites: SeenProjects, plan: Schedule) -> ListedPlan:
    project = sites.by_id.get(plan.lane.project)
    zone = ZoneInfo(project.rules.timezone if project else visit.house.here.config.timezone)
    until = plan.until.astimezone(zone) if plan.until else None
    return ListedPlan(plan, visit.engine.overview.job(plan.job), plan.at.astimezone(zone), until)


def _month(chosen: ListFilter, today: date) -> date:
    text = chosen.of("month")
    if not text:
        return today.replace(day=1)
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        raise Refused(f"{text!r} is no month; write it as 2026-03.") from None
    # The days of the weeks around a month have to exist as well.
    if not date.min.year < month.year < date.max.year:
        raise Refused(f"{text!r} is too far away; write a month as 2026-03.")
    return month


def _beside(chosen: ListFilter, month: date) -> str:
    asked = {**chosen.asked, "month": f"{month:%Y-%m}"}
    return ListFilter(asked).url("/calendar")


def _event(row: ListedPlan, now: datetime, domain: str) -> Sequence[str]:
    stamp = "%Y%m%dT%H%M%SZ"
    utc = ZoneInfo("UTC")
    return (
        "BEGIN:VEVENT",
        f"UID:{row.plan.id}@{domain}",
        f"DTSTAMP:{now.astimezone(utc).strftime(stamp)}",
        f"DTSTART:{row.at.astimezone(utc).strftime(stamp)}",
        f"SUMMARY:{_escaped(f'{row.plan.lane.project}: {row.subject} {row.words}')}",
        "END:VEVENT",
    )


_ESCAPES: Mapping[str, str] = {"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""}


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(each, each) for each in text if each.isprintable() or each in _ESCAPES)


def _folded(line: str) -> Sequence[str]:
    """Break a long line as the format wants it: what goes on begins with a space."""
    # Letters, not bytes: at most three bytes each would still be far below what programs take.
    pieces = [line[at : at + _LINE // 3] for at in range(0, len(line), _LINE // 3)] if not line.isascii() else None
    pieces = pieces or [line[at : at + _LINE] for at in range(0, len(line), _LINE)] or [""]
    return [pieces[0], *(f" {piece}" for piece in pieces[1:])]


PAGES = (
    PageRoute("GET", "/calendar", calendar, role=Role.CLIENT),
    PageRoute("GET", "/calendar.csv", calendar_sheet, role=Role.CLIENT),
    PageRoute("GET", "/calendar.ics", calendar_file, role=Role.CLIENT),
)
