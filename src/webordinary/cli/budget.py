"""`webordinary budget`: what sites have spent, and more money for one that has spent its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.audit.entry import Entry, EventType
from webordinary.cli.operate import ProjectArgument, require_project
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation, operator
from webordinary.cli.output import print_json, print_table, say
from webordinary.errors import Refused
from webordinary.jobs.job import State
from webordinary.jobs.journal import Step
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project

app = typer.Typer(no_args_is_help=True, help="Show what sites have spent, and let one spend more today.")


def add_to(program: typer.Typer) -> None:
    """Give the program its say about money."""
    program.add_typer(app, name="budget")


@app.command(epilog=examples("webordinary budget show", "webordinary budget show --json"))
def show(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what each site has spent today and this month, for each outcome, against its budget."""
    from webordinary.worker.chores.told_spending import spending_of_all, told_spending  # noqa: PLC0415 - heavy

    here = open_installation(config)
    found = list(spending_of_all(here.engine, here.clock.now().wall_at))
    if as_json:
        print_json([{"project": each.project, **each.record()} for each in found])
        return
    rows = [
        (each.project, told_spending(each).partition(": ")[2], f"{each.today:.2f} of {each.budget.usd_a_day:g} USD")
        for each in found
    ]
    print_table(("project", "this month", "today"), rows, "There is no project yet.")


@app.command(epilog=examples("webordinary budget allow amelia", "webordinary budget allow amelia --usd 5"))
def allow(
    project: ProjectArgument,
    *,
    usd: Annotated[
        float | None,
        typer.Option("--usd", metavar="USD", min=0.01, help="How much more; as much as a day may cost if left out."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a site spend more today than its budget says; what waited for that goes on at once."""
    from webordinary.worker.chores.told_spending import spending_of  # noqa: PLC0415 - heavy

    here = open_installation(config)
    found = require_project(here, project)
    more = found.rules.budget.usd_a_day if usd is None else usd
    if not more:
        raise Refused(f"{project} may spend nothing in a day; say with --usd how much it may spend today.")
    now = here.clock.now()
    day = spending_of(here.engine, found, now.wall_at).day
    here.engine.spending.allow(project, day, more, now)
    facts = {"project": project, "by": operator(), "usd": f"{more:g}", "day": day.isoformat()}
    here.engine.trail.record(Entry(EventType.MONEY_ALLOWED, now.wall_at, facts=facts))
    jobs = waiting_for_money(here, found)
    for job in jobs:
        here.engine.lanes.hurry(job, here.clock.now())
    if as_json:
        print_json({"allowed": more, "jobs": jobs, **spending_of(here.engine, found, now.wall_at).record()})
        return
    goes_on = f"{', '.join(jobs)} goes on." if jobs else "Nothing waited for that."
    say(f"{project} may spend {more:g} USD more today, {day.isoformat()}. {goes_on}")


def waiting_for_money(here: Installation, project: Project) -> list[str]:
    """Return the jobs of a project that wait until there is money again."""
    lanes = (Lane(project.id, editor.user).key for editor in project.editors)
    live = (job for lane in lanes for job in here.engine.overview.live(lane))
    return [job.id for job in live if job.state is State.QUEUED and Step.OUT_OF_MONEY in job.journal]
