"""`webordinary plan`: how many workers an agency's own numbers need."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import JsonOption, examples, read_duration
from webordinary.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from webordinary.serve.plan import Plan
    from webordinary.serve.pool import Day

MOST_WORKERS = 1000


def add_to(app: typer.Typer) -> None:
    """Give the program what helps to decide before anything runs."""
    example = examples("webordinary plan", "webordinary plan --projects 40 --users 2 --mails 0.5 --workers 1-3")
    app.command(epilog=example)(plan)


def _read_workers(text: str) -> range:
    """Read `3` or `1-5`."""
    found = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last <= MOST_WORKERS:
        raise typer.BadParameter(f'write a number of workers such as "3" or "1-5", at most {MOST_WORKERS}.')
    return range(first, last + 1)


def plan(
    *,
    projects: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="How many sites.")] = 10,
    users: Annotated[int, typer.Option(min=1, max=100, metavar="N", help="How many editors each site has.")] = 10,
    mails: Annotated[
        float, typer.Option(min=0.01, max=100, metavar="N", help="How many mails an editor writes in a day.")
    ] = 5,
    minutes: Annotated[
        float, typer.Option(min=0.1, max=15, metavar="N", help="How long a job usually takes, in minutes.")
    ] = 3,
    workers: Annotated[
        range, typer.Option(metavar="N-M", parser=_read_workers, help="Which numbers of workers to compare.")
    ] = "1-5",  # type: ignore[assignment]  # typer parses the default too
    within: Annotated[
        timedelta,
        typer.Option(
            metavar="DURATION",
            parser=read_duration,
            help="How much later than with a worker of its own 95 of 100 mails may be started.",
        ),
    ] = "1m",  # type: ignore[assignment]  # typer parses the default too
    as_json: JsonOption = False,
) -> None:
    """Say how many workers your traffic needs, by living through a day of mails with each number of them.

    Nothing is changed and no configuration is needed: the real queue does a day of office hours in memory.
    """
    from webordinary.serve.plan import plan_workers  # noqa: PLC0415 - heavy
    from webordinary.serve.pool import Traffic  # noqa: PLC0415 - heavy

    found = plan_workers(Traffic(projects, users, mails, minutes), workers, within)
    if as_json:
        print_json(found.facts())
    else:
        _show(found)


def _show(found: Plan) -> None:
    hours = found.need.busy.total_seconds() / 3600
    say(
        f"A day with {found.traffic.projects} sites of {found.traffic.users} editors:"
        f" {found.need.mails} mails, {hours:.1f} hours of work."
    )
    columns = ("WORKERS", "WAITING P50", "P95", "LONGEST", "LATER THAN ALONE", "BUSY", "WORKER-HOURS", "SAVED")
    days = {day.workers: day for day in (*found.days, found.need)}
    print_table(columns, [_row(found, days[count]) for count in sorted(days)], "Nobody works.")
    say("")
    _say_need(found)


def _row(found: Plan, day: Day) -> tuple[object, ...]:
    waiting = (day.waited_p50, day.waited_p95, day.waited_longest, day.later_p95)
    saved = f"{found.saved_percent(day):.0f} %"
    return (day.workers, *map(_short, waiting), f"{day.busy_percent:.0f} %", f"{day.worker_hours:.0f}", saved)


def _say_need(found: Plan) -> None:
    need = found.need
    say(
        f"{_workers(need.workers)} enough: 95 of 100 mails start at most {_short(found.within)} later"
        " than if their editor had a worker alone.",
        "bold",
    )
    say(
        f"A worker for each of the {found.traffic.lanes} editors would be {found.dedicated_hours:,.0f} worker-hours"
        f" a day; {need.workers} for all are {need.worker_hours:,.0f}, {found.saved_percent(need):.0f} % fewer."
    )
    say(
        f"If each of them ended after half an idle hour, they would be {found.on_demand_hours:,.0f};"
        f" {need.workers} for all are {_fewer(found.saved_on_demand_percent(need))}."
    )


def _workers(count: int) -> str:
    return "1 worker is" if count == 1 else f"{count} workers are"


def _fewer(percent: float) -> str:
    return f"{percent:.0f} % fewer" if percent >= 0 else f"{-percent:.0f} % more, and there before the mail is"


def _short(duration: timedelta) -> str:
    """Return a duration in its two largest units."""
    seconds = round(duration.total_seconds())
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60:02} min"
    return f"{minutes} min {seconds % 60:02} s" if minutes else f"{seconds} s"
