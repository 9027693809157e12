"""A newer mail interrupts, and nothing of the older one is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

AT_ONCE = {"workers": 'first_interrupt_after = "0 s"'}
SLOW = 'add a paragraph "We bake all night." to the about page\nwait for the file oven\nWe open at nine now'
QUICK = 'add a paragraph "We are closed today." to the menu page'


def bakery(rule: str) -> SiteSetup:
    return SiteSetup("amelia", BAKERY.editors, rules=f'on_new_thread = "{rule}"')


@pytest.mark.both_engines
def test_a_newer_mail_goes_first_and_the_older_one_is_finished_after_it(story: Story) -> None:
    story.begin(settings=AT_ONCE)
    slow = story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, QUICK, subject="quick")
    assert story.waits_for_job(quick).outcome == Outcome.PUBLISHED
    story.opens_gate("oven")
    finished = story.waits_for_job(slow)

    assert (finished.outcome, finished.interruptions) == (Outcome.PUBLISHED, 1)
    assert story.rig.live_log("amelia")[:2] == ["slow", "quick"]
    about = story.rig.page("amelia", "about.html")
    assert about.count("We bake all night.") == 1
    assert "We are closed today." in story.rig.page("amelia", "menu.html")
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    story.waits_for_answer(SCOTT, count=2)
    (asked,) = story.told(EventType.INTERRUPT_ASKED)
    (parked,) = story.told(EventType.JOB_PARKED)
    assert asked.facts["by"] == parked.facts["by"] == story.job_of(quick).id


def test_the_unfinished_work_waits_on_its_own_branch(story: Story) -> None:
    story.begin(settings=AT_ONCE)
    story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, QUICK, subject="quick")
    story.waits_for_job(quick)
    assert "We bake all night." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_unfinished_work_that_was_stopped_while_it_waited_does_not_go_live_with_the_next_mail(story: Story) -> None:
    story.begin(settings=AT_ONCE)
    answer = story.waits_for_answer(SCOTT) if story.waits_for_job(story.writes(SCOTT, "We open at ten now")) else None
    slow = story.writes(SCOTT, SLOW, in_reply_to=answer)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, f"{QUICK}\nwait for the file shop", subject="quick")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: entry.text == "waiting for shop")
    story.rig.stop_job(story.job_of(slow).id, "scott")
    assert story.job_of(slow).state == State.STOPPED
    story.opens_gate("shop")
    story.waits_for_job(quick)
    more = story.waits_for_job(story.writes(SCOTT, "We open at eleven now", in_reply_to=answer))
    assert more.outcome == Outcome.PUBLISHED, more.error
    assert "11:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert "We bake all night." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_a_mail_in_the_same_thread_waits_for_the_first_one(story: Story) -> None:
    story.begin(settings=AT_ONCE)
    story.writes(SCOTT, "We open at ten now")
    answer = story.waits_for_answer(SCOTT)
    slow = story.writes(SCOTT, SLOW, in_reply_to=answer)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    more = story.writes(SCOTT, QUICK, in_reply_to=answer)
    story.waits_for(EventType.JOB_QUEUED, count=3)
    story.opens_gate("oven")
    assert story.waits_for_job(slow).interruptions == 0
    assert story.waits_for_job(more).outcome == Outcome.PUBLISHED


@pytest.mark.thorough
def test_a_project_may_let_newer_mails_wait(story: Story) -> None:
    story.begin(bakery("queue"), settings=AT_ONCE)
    slow = story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, QUICK, subject="quick")
    story.waits_for(EventType.JOB_QUEUED, count=2)
    story.opens_gate("oven")
    story.waits_for_job(quick)
    assert story.job_of(slow).interruptions == 0
    assert story.rig.live_log("amelia")[:2] == ["quick", "slow"]


@pytest.mark.thorough
def test_a_project_may_drop_the_older_one_and_says_so(story: Story) -> None:
    story.begin(bakery("drop"), settings=AT_ONCE)
    slow = story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, QUICK, subject="quick")
    assert story.waits_for_job(slow).state == State.STOPPED
    assert story.waits_for_job(quick).outcome == Outcome.PUBLISHED
    story.waits_for_answer(SCOTT, count=2)
    assert {mail.subject for mail in story.rig.mailbox(SCOTT.address)} == {"Re: slow", "Re: quick"}


@pytest.mark.thorough
def test_an_owner_stops_a_running_job_for_good_by_mail(story: Story) -> None:
    story.begin(settings=AT_ONCE)
    story.writes(SCOTT, "We open at ten now")
    answer = story.waits_for_answer(SCOTT)
    slow = story.writes(SCOTT, SLOW, in_reply_to=answer)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    story.writes(SCOTT, "stop", in_reply_to=answer)
    assert story.waits_for_job(slow).state == State.STOPPED
    story.waits_for_answer(SCOTT, count=2)
    assert "We bake all night." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_an_interrupted_job_is_taken_over_by_another_worker(story: Story) -> None:
    (first,) = story.begin(settings=AT_ONCE)
    slow = story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    quick = story.writes(SCOTT, "wait for the file till\n" + QUICK, subject="quick")
    story.waits_for(EventType.JOB_PARKED)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "till" in entry.text)
    story.rig.kill_worker(first)
    story.rig.start_worker()
    story.opens_gate("till")
    story.opens_gate("oven")
    assert story.waits_for_job(quick).outcome == Outcome.PUBLISHED
    assert story.waits_for_job(slow).outcome == Outcome.PUBLISHED
    assert story.rig.live_log("amelia")[:2] == ["slow", "quick"]


@pytest.mark.parametrize("wait", ["20 s"])
def test_a_job_that_has_just_begun_is_left_in_peace(story: Story, wait: str) -> None:
    story.begin(settings={"workers": f'first_interrupt_after = "{wait}"'})
    slow = story.writes(SCOTT, SLOW, subject="slow")
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    story.writes(SCOTT, QUICK, subject="quick")
    story.waits_for(EventType.INTERRUPT_ASKED)
    story.opens_gate("oven")
    assert story.waits_for_job(slow).interruptions == 0
