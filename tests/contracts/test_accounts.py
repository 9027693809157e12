"""A job for which there is no money left waits until the site's own next day, and what it cost is counted once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from tests.contracts.test_lanes import take
from tests.rigs.embedded_ports import AMELIA
from webordinary.agent.agent import MoneySpent
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, RunOfAgent
from webordinary.jobs.spending import OutcomeCost, Payer
from webordinary.routing.project import Budget, WhenSpent
from webordinary.worker.accounts import Accounts

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

AGENCY = "agency@example.com"
THERE = "Pacific/Auckland"


def accounts(ports: Ports, when_spent: WhenSpent) -> Accounts:
    rules = replace(AMELIA.rules, budget=Budget(when_spent=when_spent), timezone=THERE)
    project = replace(AMELIA, rules=rules)
    return Accounts(replace(ports.engine, projects=ConfiguredProjects((project,))), ports.clock, AGENCY)


def test_without_money_a_job_waits_until_the_sites_own_next_day(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    tomorrow = ports.now.wall_at.astimezone(ZoneInfo(THERE)).date() + timedelta(days=1)
    spent = MoneySpent("what may be spent in a day is spent", "20 USD a day", tomorrow)
    assert accounts(ports, WhenSpent.FAIL).wait(claim, job, spent) is None
    after = accounts(ports, WhenSpent.WAIT).wait(claim, job, spent)
    assert after is not None
    assert after.job is None
    assert after.again_in is not None
    begins = (ports.now.wall_at + after.again_in).astimezone(ZoneInfo(THERE))
    assert (begins.date(), begins.hour, begins.minute) == (spent.until, 0, 0)
    ports.clock.advance(after.again_in)
    # Nobody has spoken for the lane meanwhile.
    _, again = take(ports)
    assert (again.id, again.attempt) == (job.id, 1)


def test_money_that_is_allowed_while_a_job_finds_none_is_found_at_once(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    today = ports.now.wall_at.astimezone(ZoneInfo(THERE)).date()
    spent = MoneySpent("what may be spent in a day is spent", "20 USD a day", today + timedelta(days=1))
    # The job still runs: whoever allows it finds nobody who waits.
    ports.engine.spending.allow("amelia", today, 5, ports.now)
    after = accounts(ports, WhenSpent.WAIT).wait(claim, job, spent)
    assert after is not None
    assert after.job is not None
    assert (after.job.id, after.job.attempt) == (job.id, 1)
    # But what was known when it found nothing lets nobody start again.
    known = MoneySpent(str(spent), spent.limit, spent.until, allowed=5)
    again = accounts(ports, WhenSpent.WAIT).wait(claim, after.job, known)
    assert again is not None
    assert again.job is None


def test_what_a_job_cost_is_counted_for_its_outcome_once_also_when_its_worker_dies_in_between(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    books, day = accounts(ports, WhenSpent.FAIL), ports.now.wall_at.astimezone(ZoneInfo(THERE)).date()
    run = RunOfAgent(day, "r1")
    ports.engine.spending.charge(Payer(job.lane, day, run.run), 0, 0.5, ports.now)
    job = ports.engine.attempts.journal(claim, job, "agent started", dict([Journal.open_run(run)]), ports.now)
    books.conclude(job, Ending(State.FAILED), has_paid=True)
    # The next one comes only on the next day.
    ports.clock.advance(timedelta(days=1))
    books.conclude(job, Ending(State.DONE, Outcome.PUBLISHED), has_paid=False)
    assert ports.engine.spending.month("amelia", day).outcomes == {"published": OutcomeCost(1, 0.5)}
