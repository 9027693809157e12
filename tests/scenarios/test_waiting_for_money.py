"""A request for which there is no money left waits in its place until there is some again."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

import pytest

from tests.rigs.dying_worker import EDIT
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.jobs.spending import DayLimit, Payer
from webordinary.reply.outbox import ACK, ON_HOLD, WAITS_FOR_MONEY, Letter
from webordinary.routing.lane import Lane
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, SCOTT

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig
    from webordinary.testing.story import Story

pytestmark = pytest.mark.thorough
ZONE = "Pacific/Auckland"
PATIENT = SiteSetup(
    BAKERY.id, BAKERY.editors, rules=f'timezone = "{ZONE}"\nbudget = {{ usd_a_day = 0.5, when_spent = "wait" }}'
)
SETTINGS = {"agency": f'address = "{AGENCY.address}"\ndigest = false'}


def spends_all(rig: EmbeddedRig) -> None:
    """Leave nothing of the day's money."""
    now = rig.clock.now()
    payer = Payer(Lane("amelia", "scott"), now.wall_at.astimezone(ZoneInfo(ZONE)).date(), "before")
    assert rig.here.engine.spending.reserve(payer, 0.5, 0.5, DayLimit(0.5), now)


def test_a_request_waits_until_the_midnight_of_its_site_also_over_a_restart(story: Story) -> None:
    rig = cast("EmbeddedRig", story.rig)
    ahead = rig.may_move_ahead()
    story.begin(PATIENT, settings=SETTINGS, workers=0)
    spends_all(rig)
    worker = rig.start_worker()
    mail = story.writes(SCOTT, "We open at nine now")
    story.waits_for(EventType.JOB_RETRIED)
    assert "your request has to wait" in story.waits_for_answer(SCOTT).text
    rig.kill_worker(worker)
    midnight = datetime.combine(rig.clock.now().wall_at.astimezone(ZoneInfo(ZONE)).date(), time(), ZoneInfo(ZONE))
    ahead.move_to(midnight + timedelta(days=1, minutes=-5))
    rig.start_worker()
    assert story.job_of(mail).state is State.QUEUED
    ahead.move_to(midnight + timedelta(days=1))
    job = story.waits_for_job(mail)
    assert (job.outcome, job.attempt) == (Outcome.PUBLISHED, 1)


def test_who_waits_for_money_is_told_so_once_also_if_a_worker_is_killed(story: Story) -> None:
    rig = cast("EmbeddedRig", story.rig)
    story.begin(PATIENT, settings=SETTINGS, workers=0)
    spends_all(rig)
    rig.start_dying_workers(EDIT, ("before out of money",))
    mail = story.writes(SCOTT, "We open at nine now")
    story.waits_for(EventType.JOB_RETRIED)
    assert story.job_of(mail).state is State.QUEUED
    story.waits_for_answer(AGENCY)
    # Letters leave in their order: whatever else was written for Scott would be there before this one.
    now = rig.clock.now()
    rig.here.engine.outbox.add(Letter("last", ACK, SCOTT.address, ON_HOLD, {}), now)
    story.waits_for(EventType.ANSWERED, matching=lambda entry: entry.text == ON_HOLD)
    assert [each.text for each in story.told(EventType.ANSWERED)].count(WAITS_FOR_MONEY) == 1


def test_an_undo_in_another_conversation_does_not_wait_for_money(story: Story) -> None:
    rig = cast("EmbeddedRig", story.rig)
    story.begin(PATIENT, settings=SETTINGS)
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    answer = story.waits_for_answer(SCOTT)
    spends_all(rig)
    mail = story.writes(SCOTT, "We open at ten now", subject="ten")
    story.waits_for(EventType.JOB_RETRIED)
    undo = story.waits_for_job(story.replies(SCOTT, answer, "undo"))
    assert undo.outcome == Outcome.UNDONE
    assert story.job_of(mail).state is State.QUEUED
