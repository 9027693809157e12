"""What the agent may use up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.shape import BudgetSection
from webordinary.config.tables import TablesText
from webordinary.findings import ok
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Inquiry, number
from webordinary.setup.step import SetupStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_MOST = 1_000_000
_USUAL = BudgetSection()


class BudgetStep(SetupStep):
    """The limits of money."""

    name = "budget"
    title = "Budget"
    why = "Over its budget a job fails with its work kept aside, and says so."

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - always the same
        money = number(0.01, _MOST)
        return (
            Inquiry("usd", "What may one job cost, in US dollars?", "", money, f"{_USUAL.usd:g}"),
            Inquiry("usd_a_day", "And all jobs of a site in a day?", "", money, f"{_USUAL.usd_a_day:g}"),
            Inquiry("usd_a_month", "And in a month?", "empty: no such limit", money, ""),
        )

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        keys = {key: float(given[key]) if given.get(key) else None for key in ("usd", "usd_a_day", "usd_a_month")}
        text = TablesText(desk.text()).with_table(("budget",), keys).text
        desk.check(text)
        return StepPlan(text)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        desk.config()
        month = f", {given['usd_a_month']} USD a month" if given.get("usd_a_month") else ""
        yield ok("budget", f"{given['usd']} USD a job, {given['usd_a_day']} USD a day{month}")
