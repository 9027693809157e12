"""What every engine promises about the money that agents spend."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from webordinary.agent.agent import OverBudget
from webordinary.jobs.job import Job, Kind, Request, State
from webordinary.routing.lane import Lane
from webordinary.routing.project import Project, Rules, SiteTarget, Target
from webordinary.worker.brief import SPENT, Brief

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SCOTT, MARIA, TOM = Lane("amelia", "scott"), Lane("amelia", "maria"), Lane("flora", "tom")
TODAY, TOMORROW = date(2026, 11, 15), date(2026, 11, 16)


def test_money_adds_up_for_each_project_each_user_and_each_day(ports: Ports) -> None:
    purse = ports.engine.purse
    for lane, day, usd in ((SCOTT, TODAY, 0.1), (SCOTT, TODAY, 0.2), (MARIA, TODAY, 1.0), (SCOTT, TOMORROW, 5.0)):
        purse.spend(lane, day, usd, ports.now)
    purse.spend(TOM, TODAY, 7.0, ports.now)
    assert purse.spent("amelia", TODAY) == pytest.approx(1.3)
    assert purse.spent("amelia", TODAY, user="scott") == pytest.approx(0.3)
    assert purse.spent("amelia", TOMORROW) == pytest.approx(5.0)
    assert purse.spent("amelia", TOMORROW, user="maria") == 0
    assert purse.spent("flora", TODAY) == pytest.approx(7.0)
    assert purse.spent("nobody", TODAY) == 0


def test_a_job_that_is_begun_again_goes_on_with_the_money_it_has_left(ports: Ports) -> None:
    site = SiteTarget(Target.FOLDER, "/srv/public")
    project = Project("amelia", "Amelia", "/srv/amelia.git", "main", (), ".", Rules(), site, ())
    job = Job("job-1", SCOTT, "t", 1, Kind.INSTRUCTION, State.RUNNING, "", Request("hi"), ports.now.wall_at)
    brief = Brief(ports.engine, ports.clock)
    assert brief.allowance(job, project).usd == 2
    again = replace(job, journal={SPENT: "1.5000"})
    assert brief.allowance(again, project).usd == pytest.approx(0.5)
    with pytest.raises(OverBudget) as over:
        brief.allowance(replace(job, journal={SPENT: "2.1"}), project)
    assert over.value.limit == "2 USD"
