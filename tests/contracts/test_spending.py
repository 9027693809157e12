"""What every engine promises about the money that agents spend."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.agent.agent import OverBudget
from webordinary.jobs.job import Job, Kind, Request, State
from webordinary.jobs.journal import Journal
from webordinary.jobs.reported import TokenCount
from webordinary.jobs.spending import Concluded, DayLimit, MonthSpending, OutcomeCost, Payer
from webordinary.routing.lane import Lane
from webordinary.routing.project import Budget, Project, Rules, SiteTarget
from webordinary.worker.change.brief import Brief
from webordinary.worker.change.till import noted_at_begin, noted_at_end

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SCOTT, MARIA, TOM = Lane("amelia", "scott"), Lane("amelia", "maria"), Lane("flora", "tom")
TODAY, TOMORROW = date(2026, 11, 15), date(2026, 11, 16)


PLENTY = DayLimit(100.0)
READ = TokenCount(1, 2, 3, 4)
TWICE = '{"read":2,"cache_read":4,"cache_written":6,"written":8}'


def test_money_adds_up_for_each_project_each_user_and_each_day(ports: Ports) -> None:
    spending = ports.engine.spending
    for lane, day, usd in ((SCOTT, TODAY, 0.1), (SCOTT, TODAY, 0.2), (MARIA, TODAY, 1.0), (SCOTT, TOMORROW, 5.0)):
        spending.charge(Payer(lane, day, "r1"), 0, usd, ports.now)
    spending.charge(Payer(TOM, TODAY, "r2"), 0, 7.0, ports.now)
    assert spending.spent("amelia", TODAY) == pytest.approx(1.3)
    assert spending.spent("amelia", TODAY, user="scott") == pytest.approx(0.3)
    assert spending.spent("amelia", TOMORROW) == pytest.approx(5.0)
    assert spending.spent("amelia", TOMORROW, user="maria") == 0
    assert spending.spent("flora", TODAY) == pytest.approx(7.0)
    assert spending.spent("nobody", TODAY) == 0


def test_what_is_reserved_counts_until_it_is_charged(ports: Ports) -> None:
    spending, payer = ports.engine.spending, Payer(SCOTT, TODAY, "r1")
    assert spending.reserve(payer, 0.5, 0.1, PLENTY, ports.now) == pytest.approx(0.5)
    assert spending.spent("amelia", TODAY, user="scott") == spending.spent_by(payer) == pytest.approx(0.5)
    spending.charge(payer, 0.5, 0.125, ports.now)
    assert spending.spent("amelia", TODAY) == spending.spent_by(payer) == pytest.approx(0.125)
    spending.charge(payer, 0, 0.875, ports.now)
    assert spending.spent_by(payer) == pytest.approx(1.0)
    assert spending.spent_by(Payer(SCOTT, TODAY, "r2")) == spending.spent_by(Payer(SCOTT, TOMORROW, "r1")) == 0


def test_what_the_day_does_not_have_is_not_set_aside(ports: Ports) -> None:
    spending, limit = ports.engine.spending, DayLimit(2.5, 1.5)
    scott, maria = Payer(SCOTT, TODAY, "r1"), Payer(MARIA, TODAY, "r2")
    assert spending.reserve(scott, 1.0, 0.1, limit, ports.now) == pytest.approx(1.0)
    # The user's own limit leaves half a dollar, and then nothing.
    assert spending.reserve(scott, 1.0, 0.1, limit, ports.now) == pytest.approx(0.5)
    assert spending.reserve(scott, 1.0, 0.1, limit, ports.now) == 0
    # The project's leaves one to the other user.
    assert spending.reserve(maria, 1.2, 1.1, limit, ports.now) == 0
    assert spending.reserve(maria, 1.2, 0.9, limit, ports.now) == pytest.approx(1.0)
    assert spending.spent("amelia", TODAY) == pytest.approx(2.5)
    assert spending.reserve(Payer(MARIA, TOMORROW, "r2"), 1.2, 1.1, limit, ports.now) == pytest.approx(1.2)
    # What one run gives back is there for the other.
    spending.charge(scott, 0.5, 0.0, ports.now)
    assert spending.reserve(maria, 0.6, 0.4, limit, ports.now) == pytest.approx(0.5)


def test_more_than_a_whole_day_may_cost_is_never_set_aside(ports: Ports) -> None:
    spending = ports.engine.spending
    assert spending.reserve(Payer(SCOTT, TODAY, "r1"), 3.0, 2.0, DayLimit(1.0), ports.now) == 0
    assert spending.reserve(Payer(SCOTT, TODAY, "r1"), 3.0, 0.2, DayLimit(0.0), ports.now) == 0
    assert spending.spent("amelia", TODAY) == 0


def test_jobs_at_the_same_time_cannot_spend_the_same_dollar(ports: Ports) -> None:
    spending, granted, limit = ports.engine.spending, list[float](), DayLimit(2.5)

    def spend(lane: Lane, run: str) -> None:
        granted.extend(spending.reserve(Payer(lane, TODAY, run), 0.4, 0.4, limit, ports.now) for _ in range(4))

    threads = [threading.Thread(target=spend, args=(lane, f"r{n}")) for n, lane in enumerate((SCOTT, MARIA))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(granted) == [0, 0, *[pytest.approx(0.4)] * 6]
    assert spending.spent("amelia", TODAY) == pytest.approx(2.4)


def test_a_month_has_its_own_limit_and_the_agency_may_allow_more(ports: Ports) -> None:
    spending, limit = ports.engine.spending, DayLimit(2.0, 1.5, 3.0)
    scott, maria = Payer(SCOTT, TODAY, "r1"), Payer(MARIA, TODAY, "r2")
    spending.charge(Payer(SCOTT, TODAY.replace(day=1), "r0"), 0, 1.5, ports.now)
    spending.charge(Payer(SCOTT, TODAY.replace(month=10), "r0"), 0, 9.0, ports.now)
    # The month leaves less than the day and the user.
    assert spending.reserve(scott, 2.0, 0.1, limit, ports.now) == pytest.approx(1.5)
    assert spending.reserve(maria, 1.0, 0.1, limit, ports.now) == 0
    spending.allow("amelia", TODAY, 0.75, ports.now)
    assert spending.allowed("amelia", TODAY) == pytest.approx(0.75)
    assert spending.allowed("amelia", TOMORROW) == spending.allowed("flora", TODAY) == 0
    assert spending.reserve(scott, 0.25, 0.1, limit, ports.now) == pytest.approx(0.25), "of the user's own limit too"
    assert spending.reserve(maria, 5.0, 0.1, limit, ports.now) == pytest.approx(0.5)
    spending.allow("amelia", TODAY, 10.0, ports.now)
    assert spending.reserve(maria, 9.0, 9.0, limit, ports.now) == pytest.approx(9.0), "more than a whole day may cost"
    found = spending.month("amelia", TOMORROW)
    assert [found.usd, found.allowed] == pytest.approx([1.5 + 1.5 + 0.25 + 0.5 + 9, 10.75])
    assert spending.month("amelia", TODAY.replace(month=10)).usd == pytest.approx(9.0)


def test_what_came_of_the_money_is_known_for_each_outcome_and_said_twice_it_counts_once(ports: Ports) -> None:
    spending = ports.engine.spending
    spending.charge(Payer(SCOTT, TODAY, "r1"), 0, 2.0, ports.now)
    spending.charge(Payer(TOM, TODAY, "r2"), 0, 7.0, ports.now)
    ended = (
        ("job-1", TODAY, "published", 0.5),
        ("job-2", TOMORROW, "published", 0.25),
        ("job-3", TODAY, "failed", 1.0),
    )
    for job, day, outcome, usd in (*ended, ended[0], ("job-3", TODAY, "asked", 0.75)):
        spending.conclude(Concluded(job, "amelia", day, outcome, usd), ports.now)
    found = spending.month("amelia", TODAY)
    assert found.outcomes == {"published": OutcomeCost(2, 0.75), "asked": OutcomeCost(1, 0.75)}
    assert found.open == pytest.approx(0.5)
    assert spending.month("flora", TODAY) == MonthSpending(7.0)
    assert spending.month("amelia", TODAY.replace(month=12)) == MonthSpending()


def a_job(ports: Ports, **journal: str) -> Job:
    at = ports.now.wall_at
    return Job("job-1", SCOTT, "t", 1, Kind.INSTRUCTION, State.RUNNING, "", Request("hi"), at, journal=Journal(journal))


def a_project(budget: Budget | None = None) -> Project:
    site, rules = SiteTarget("folder", "/srv/public"), Rules(budget=budget or Budget())
    return Project("amelia", "Amelia", "/srv/amelia.git", "main", (), ".", rules, site, ())


def test_a_job_that_is_begun_again_goes_on_with_the_money_it_has_left(ports: Ports) -> None:
    project, brief = a_project(), Brief(ports.engine, ports.clock)
    assert brief.allowance(a_job(ports), project).usd == 2
    assert brief.allowance(a_job(ports, spent="1.5000"), project).usd == pytest.approx(0.5)
    with pytest.raises(OverBudget) as over:
        brief.allowance(a_job(ports, spent="2.1"), project)
    assert over.value.limit == "2 USD"


def test_a_round_of_repair_has_what_the_edit_has_left_of_its_time_steps_and_money(ports: Ports) -> None:
    project, brief = a_project(), Brief(ports.engine, ports.clock)
    edited = a_job(ports, worked="840.500", turns="38", spent="1.5000")
    left = brief.allowance(edited, project, is_repair=True)
    assert left.usd == pytest.approx(0.5)
    assert (left.turns, left.time) == (2, timedelta(seconds=59.5))
    # An edit that is made anew, after an interrupt, has its whole time.
    assert brief.allowance(edited, project).time == timedelta(minutes=15)
    for used_up in ({"worked": "900.000"}, {"turns": "40"}):
        with pytest.raises(OverBudget):
            brief.allowance(a_job(ports, **used_up), project, is_repair=True)


def test_who_finds_a_run_that_never_ended_begins_with_what_it_has_spent(ports: Ports) -> None:
    project, brief = a_project(), Brief(ports.engine, ports.clock)
    first = brief.allowance(a_job(ports, spent="0.2500"), project)
    assert first.till is not None
    begun = a_job(ports, **{"spent": "0.2500", **dict(noted_at_begin(first))})
    held = first.till.reserve(0.5, 0.1)
    first.till.charge(held, 0.25, READ)
    first.till.reserve(0.5, 0.1)
    # Here its worker is killed: one answer was paid, and nobody knows how much of the other one.
    second = brief.allowance(begun, project)
    assert second.usd == pytest.approx(2 - 0.25 - 0.25 - 0.5)
    assert second.till is not None
    # The day's end does not hide it, and the run that goes on says everything in its own name.
    ports.clock.advance(timedelta(days=1))
    again = a_job(ports, **{**begun.journal.stored, **dict(noted_at_begin(second))})
    assert brief.allowance(again, project).usd == pytest.approx(1.0)
    second.till.charge(second.till.reserve(0.5, 0.1), 0.125, READ)
    ended = a_job(ports, **{**again.journal.stored, **dict(noted_at_end(second, again.journal))})
    assert brief.allowance(ended, project).usd == pytest.approx(0.875)
    assert ended.journal.tokens == READ
    assert dict(noted_at_end(second, ended.journal)) == {**dict(noted_at_end(second, again.journal)), "tokens": TWICE}


def test_the_money_of_a_day_holds_for_runs_at_the_same_time(ports: Ports) -> None:
    project, brief = a_project(Budget(usd_a_day=2.5)), Brief(ports.engine, ports.clock)
    tills = [brief.allowance(a_job(ports), project).till for _ in range(2)]

    def take_turns() -> None:
        for till in [till for till in tills if till is not None] * 10:
            till.charge(till.reserve(0.5, 0.4), 0.45, READ)

    with pytest.raises(OverBudget) as over:
        take_turns()
    assert over.value.limit == "2.5 USD a day"
    assert 2.1 < ports.engine.spending.spent("amelia", brief.today(project)) <= 2.5
    with pytest.raises(OverBudget):
        brief.allowance(a_job(ports, spent="0.1"), a_project(Budget(usd_a_day=2.0)))
