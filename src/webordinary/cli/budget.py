"""`webordinary budget`: what sites have spent, and more money for one that has spent its own."""

from __future__ import annotations

from typing import Annotated

import typer

from webordinary.actions import money
from webordinary.actions.known import require_project
from webordinary.actions.money import money_to_allow, waiting_for_money
from webordinary.cli.operate import ProjectArgument
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation, operator
from webordinary.cli.output import print_json, print_table, say

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
    more, jobs = money_to_allow(found, usd), waiting_for_money(here, found)
    done = money.allow(here, project, operator(), usd)
    if as_json:
        spending = spending_of(here.engine, found, here.clock.now().wall_at)
        print_json({"allowed": more, "jobs": jobs, **spending.record()})
        return
    say(done.at_terminal)
